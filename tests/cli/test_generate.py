"""``opgen lint`` and ``opgen generate`` on a whole project."""

import json
import shutil
import subprocess
import sys

import pytest

BROKEN = """\
opgen: 1
namespace: tiny
ops:
  - func: twice(Tensor x -> Tensor
  - func: halve(Tensor x) -> Tensor
    tensros: {x: "float32 [n]"}
"""


def snapshot(folder):
    """Every file below a folder but those of the work folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
    return {path: data for path, data in found.items() if not path.startswith("build/")}


def test_a_clean_library_has_no_errors(run, project):
    result = run("lint", cwd=project)
    assert result.returncode == 0, result.stdout
    assert json.loads(run("lint", "--format", "json", cwd=project).stdout) == []


def test_every_mistake_is_shown_in_one_run_and_nothing_is_written(run, project):
    (project / "ops.yaml").write_text(BROKEN, encoding="utf-8")
    for verb in ("lint", "generate", "build"):
        result = run(verb, cwd=project)
        assert result.returncode == 1
        assert "ops.yaml:4:" in result.stdout
        assert "ops.yaml:6:" in result.stdout
        assert result.stderr == ""
    assert set(snapshot(project)) == {"ops.yaml"}


LATER = """\
opgen: 1
namespace: tiny
defaults: {autograd: none}
ops:
  - func: halve(Tensor x, bool rows) -> Tensor
    tensors: {x: "float32 [n] on cpu if rows else float32 [n]", return: "x.dtype [n]"}
"""


def test_what_cannot_be_generated_yet_passes_lint_and_is_refused_by_generate(run, project):
    (project / "ops.yaml").write_text(LATER, encoding="utf-8")
    assert run("lint", cwd=project).returncode == 0
    for verb in ("generate", "build"):
        result = run(verb, cwd=project)
        assert result.returncode == 1
        assert (
            "ops.yaml:6:51: error[OPG890] tiny::halve: 'x': a device by condition can't be generated yet"
            in result.stdout
        )
    assert set(snapshot(project)) == {"ops.yaml"}
    assert "not-generated-yet" in run("explain", "OPG890", cwd=project).stdout


def test_findings_as_json_and_exit_zero(run, project):
    (project / "ops.yaml").write_text(BROKEN, encoding="utf-8")
    result = run("lint", "--format", "json", "--exit-zero", cwd=project)
    assert result.returncode == 0
    lines = {(finding["path"], finding["line"]) for finding in json.loads(result.stdout)}
    assert {("ops.yaml", 4), ("ops.yaml", 6)} <= lines


def test_a_concise_finding_is_one_line(run, project):
    (project / "ops.yaml").write_text(BROKEN, encoding="utf-8")
    lines = run("lint", "--format", "concise", cwd=project).stdout.splitlines()
    assert len([line for line in lines if line.startswith("ops.yaml:")]) >= 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["lint", "PROJECT"],
        ["lint", "-C", "PROJECT"],
        ["-C", "PROJECT", "lint"],
        ["generate", "-C", "PROJECT"],
        ["-C", "PROJECT", "generate"],
    ],
)
def test_a_project_elsewhere_is_named_as_seen_from_here(run, project, arguments):
    (project / "ops.yaml").write_text(BROKEN, encoding="utf-8")
    words = [project.name if word == "PROJECT" else word for word in arguments]
    assert f"{project.name}/ops.yaml:4:" in run(*words, cwd=project.parent).stdout


def test_several_declarations_are_linted_together(run, project):
    (project / "other.yaml").write_text(BROKEN, encoding="utf-8")
    assert run("lint", "ops.yaml", "other.yaml", cwd=project).returncode == 1


def test_check_diff_and_dry_run_write_nothing_and_agree(run, project):
    before = snapshot(project)
    check = run("generate", "--check", cwd=project)
    dry = run("generate", "--dry-run", cwd=project)
    diff = run("generate", "--diff", cwd=project)
    assert snapshot(project) == before
    assert (check.returncode, dry.returncode, diff.returncode) == (1, 0, 0)
    assert check.stdout == dry.stdout
    created = {line.removeprefix("create ") for line in dry.stdout.splitlines()}
    assert {line.removeprefix("+++ b/") for line in diff.stdout.splitlines() if line.startswith("+++ ")} <= created
    assert run("generate", cwd=project).returncode == 0
    assert set(snapshot(project)) == created | set(before)
    clean = run("generate", "--check", cwd=project)
    assert (clean.returncode, clean.stdout) == (0, "")


def test_a_hand_edit_is_refused_with_the_remedy_and_force_overwrites_it(run, project):
    run("generate", cwd=project)
    header = next((project / "generated/csrc").rglob("twice.h"))
    header.write_text(header.read_text(encoding="utf-8") + "// mine\n", encoding="utf-8")
    for arguments in (["generate"], ["generate", "--check"], ["build"]):
        result = run(*arguments, cwd=project)
        assert result.returncode in {1, 2} if arguments == ["build"] else result.returncode == 1
    assert "OPG801" in run("generate", cwd=project).stdout
    assert "mine" in header.read_text(encoding="utf-8")
    assert run("generate", "--force", cwd=project).returncode == 0
    assert "mine" not in header.read_text(encoding="utf-8")


def test_a_removed_op_takes_its_files_with_it_but_not_its_kernel(run, project):
    run("generate", cwd=project)
    text = (project / "ops.yaml").read_text(encoding="utf-8")
    (project / "ops.yaml").write_text(text[: text.index("  - func: halve_")], encoding="utf-8")
    assert run("generate", cwd=project).returncode == 0
    assert [path for path in snapshot(project) if "halve" in path] == ["kernels/cpu/halve_.cpp"]


def test_new_skeletons_are_named_and_the_kernel_that_a_renamed_op_left_behind(run, project):
    first = run("generate", cwd=project)
    new = [line for line in first.stderr.splitlines() if line.startswith("new kernel")]
    assert new == ["new kernel to write: kernels/cpu/halve_.cpp", "new kernel to write: kernels/cpu/twice.cpp"]
    assert first.stdout == ""
    text = (project / "ops.yaml").read_text(encoding="utf-8")
    (project / "ops.yaml").write_text(text.replace("twice(", "double("), encoding="utf-8")
    renamed = run("generate", cwd=project)
    assert renamed.returncode == 0
    assert "new kernel to write: kernels/cpu/double.cpp\n" in renamed.stderr
    assert "warning[OPG806] 'kernels/cpu/twice.cpp' belongs to no op" in renamed.stdout
    again = run("generate", cwd=project)
    assert "new kernel" not in again.stderr
    assert again.stdout == ""


def test_generated_files_are_counted_and_kernels_named(run, project):
    def generate():
        return [line for line in run("generate", cwd=project).stderr.splitlines() if not line.startswith("new kernel")]

    (first,) = generate()
    number, *words = first.split()
    assert words == ["files", "written"]
    assert generate() == [f"0 of {number} files changed"]
    (project / "generated/tests/test_twice.py").unlink()
    (project / "kernels/cpu/twice.cpp").unlink()
    assert generate() == [f"1 of {number} files changed"]
    shutil.rmtree(project / "generated")  # kernels stay, as where they were written before
    assert generate() == [first]


def test_the_bytes_depend_on_nothing_but_the_declaration(run, project):
    results = []
    environments = [
        {"PYTHONHASHSEED": "1", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "2", "LC_ALL": "C.UTF-8", "TZ": "Asia/Tokyo"},
    ]
    for number, environment in enumerate(environments):
        copy = project.parent / f"copy{number}" / ("deep" * number)
        copy.mkdir(parents=True)
        (copy / "ops.yaml").write_bytes((project / "ops.yaml").read_bytes())
        cwd = copy if number else copy.parent
        assert run("generate", "-C", copy, cwd=cwd, env=environment).returncode == 0
        results.append(snapshot(copy))
    assert results[0] == results[1]
    assert all(b"\r" not in data for data in results[0].values())
    assert not any(str(project.parent).encode() in data for data in results[0].values())


@pytest.mark.parametrize("verb", ["lint", "generate"])
def test_torch_is_never_imported(project, verb):
    script = (
        "import sys, opgen.cli\n"
        f"try: opgen.cli.main([{verb!r}])\n"
        "finally: print(sorted({'torch', 'rich'} & set(sys.modules)), file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", script], cwd=project, capture_output=True, text=True, check=False)
    assert result.stderr.endswith("[]\n"), result.stderr


def test_a_second_opgen_says_who_is_at_work_and_waits(project):
    hold = (
        "import sys, pathlib\nfrom opgen.emit.workspace import exclusive\n"
        "with exclusive(pathlib.Path()): print('held', flush=True); sys.stdin.read()"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with (
        subprocess.Popen([sys.executable, "-c", hold], cwd=project, **pipes) as holder,
        subprocess.Popen([sys.executable, "-c", START], cwd=project, **pipes) as second,
    ):
        assert holder.stdout.readline() == "held\n"
        second.stdin.write("go\n")
        second.stdin.flush()
        assert f"in use by another opgen (process {holder.pid}" in second.stderr.readline()
        assert not (project / "generated").exists()
        holder.communicate()
        assert "files written" in second.communicate(timeout=60)[1]
    assert second.returncode == 0


START = "import opgen.cli; input(); opgen.cli.main(['generate'])"
