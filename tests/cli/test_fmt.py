"""``opgen fmt`` as a user runs it."""

import pytest

MESSY = "opgen: 1\nnamespace: lib\ninclude: [ more/a.yaml ]\nops:\n- func: f(Tensor  x)->()   # why\n"
NEAT = "opgen: 1\nnamespace: lib\ninclude: [more/a.yaml]\nops:\n  - func: f(Tensor x) -> ()  # why\n"
SHOWN = """\
diff --git a/ops.yaml b/ops.yaml
--- a/ops.yaml
+++ b/ops.yaml
@@ -1,5 +1,5 @@
 opgen: 1
 namespace: lib
-include: [ more/a.yaml ]
+include: [more/a.yaml]
 ops:
-- func: f(Tensor  x)->()   # why
+  - func: f(Tensor x) -> ()  # why
"""


@pytest.fixture
def library(tmp_path):
    (tmp_path / "more").mkdir()
    (tmp_path / "more/a.yaml").write_text("ops: []\n", encoding="utf-8")
    (tmp_path / "ops.yaml").write_text(MESSY, encoding="utf-8")
    return tmp_path


def text(folder, name="ops.yaml"):
    return (folder / name).read_text(encoding="utf-8")


def test_files_are_formatted_once(run, library):
    first = run("fmt", cwd=library)
    assert (first.returncode, first.stdout) == (0, "")
    assert first.stderr == "reformatted 'ops.yaml'\n1 file reformatted, 1 file left unchanged\n"
    assert text(library) == NEAT

    stamp = (library / "ops.yaml").stat().st_mtime_ns
    again = run("fmt", cwd=library)
    assert (again.returncode, again.stderr) == (0, "2 files left unchanged\n")
    assert (library / "ops.yaml").stat().st_mtime_ns == stamp
    assert run("fmt", "--check", "-q", cwd=library).stderr == ""


def test_check_and_diff_write_nothing_and_fail_where_there_is_something_to_do(run, library):
    check = run("fmt", "--check", cwd=library)
    assert (check.returncode, check.stdout) == (1, "")
    assert check.stderr == "would reformat 'ops.yaml'\n1 file would be reformatted, 1 file would be left unchanged\n"

    diff = run("fmt", "--diff", cwd=library)
    assert (diff.returncode, diff.stdout) == (1, SHOWN)
    assert text(library) == MESSY

    (library / "ops.yaml").write_text(NEAT, encoding="utf-8")
    assert run("fmt", "--check", cwd=library).returncode == 0
    assert run("fmt", "--diff", cwd=library).stdout == ""


def test_stdin_goes_to_stdout(run, library):
    assert run("fmt", "-", cwd=library, stdin=MESSY).stdout == NEAT
    check = run("fmt", "--check", "-", cwd=library, stdin=MESSY)
    assert (check.returncode, check.stdout) == (1, "")
    assert run("fmt", "--diff", "-", cwd=library, stdin=MESSY).stdout == SHOWN.replace(
        "ops.yaml b/", "<stdin> b/"
    ).replace("/ops.yaml", "/<stdin>")
    broken = run("fmt", "-", cwd=library, stdin='opgen: "1')
    assert broken.returncode == 1
    assert "<stdin>:1:8: error[OPG120]" in broken.stdout


def test_a_file_with_mistakes_is_reported_and_left_alone_and_the_others_are_formatted(run, library):
    (library / "more/a.yaml").write_text("ops:  {a: [1\n", encoding="utf-8")
    result = run("fmt", cwd=library)
    assert result.returncode == 1
    assert "more/a.yaml:" in result.stdout
    assert "OPG12" in result.stdout
    assert text(library, "more/a.yaml") == "ops:  {a: [1\n"
    assert text(library) == NEAT


def test_folders_are_searched_and_excluded_ones_left_out(run, library):
    for folder in ("one", "two", "third_party/three"):
        (library / folder).mkdir(parents=True)
        (library / folder / "ops.yaml").write_text("opgen:  1\n", encoding="utf-8")
    (library / "opgen.toml").write_text('extend-exclude = ["third_party"]\n', encoding="utf-8")

    result = run("fmt", "--check", ".", "two/ops.yaml", cwd=library)

    assert result.stderr.splitlines()[:-1] == [
        "would reformat 'one/ops.yaml'",
        "would reformat 'ops.yaml'",
        "would reformat 'two/ops.yaml'",
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["none.yaml"], "there is no 'none.yaml'"),
        (["setup.py"], "'setup.py' is no declaration"),
        (["-", "ops.yaml"], "formatted alone"),
        (["more"], "there is no 'more/ops.yaml'"),
    ],
)
def test_what_can_not_be_formatted_is_a_wrong_call(run, library, arguments, words):
    (library / "setup.py").write_text("", encoding="utf-8")
    result = run("fmt", *arguments, cwd=library)
    assert result.returncode == 2
    assert words in result.stderr


def test_a_mistake_in_the_configuration_is_one_here_too(run, library):
    (library / "opgen.toml").write_text("exclud = []\n", encoding="utf-8")
    result = run("fmt", cwd=library)
    assert result.returncode == 2
    assert "OPG191" in result.stdout
    assert text(library) == MESSY


def test_a_byte_order_mark_and_a_link_stay(run, library):
    (library / "ops.yaml").rename(library / "real.yaml")
    (library / "real.yaml").write_bytes(b"\xef\xbb\xbf" + MESSY.encode())
    (library / "ops.yaml").symlink_to("real.yaml")
    assert run("fmt", cwd=library).returncode == 0
    assert (library / "ops.yaml").is_symlink()
    assert (library / "real.yaml").read_bytes() == b"\xef\xbb\xbf" + NEAT.encode()
