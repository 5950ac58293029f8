"""``opgen lint``: what is selected, silenced, known before, fixed and counted."""

import json

import pytest
from click.testing import CliRunner

from opgen.cli.group import opgen

HEAD = "opgen: 1\nnamespace: lib\ndefaults: {autograd: none}\nops:\n"
DEFAULT = "  - func: cut_(Tensor(a!) x, int level=1.5) -> Tensor(a!)"
NONE = "  - func: {}(Tensor(a!) x, int? y, Tensor z=None) -> ()"


@pytest.fixture
def lint(tmp_path, monkeypatch):
    """Run ``opgen lint`` in a folder of its own; ``lint.write`` puts a file there."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        result = CliRunner().invoke(opgen, ["lint", *map(str, arguments)])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        return result

    def write(text, path="ops.yaml"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(text.encode())

    def found(*arguments):
        records = json.loads(call("--format", "json", *arguments).stdout)
        return [(record["path"], record["line"], record["code"]) for record in records]

    def text(path="ops.yaml"):
        return (tmp_path / path).read_bytes().decode()

    call.write, call.found, call.text, call.path = write, found, text, tmp_path
    return call


def ops(*entries):
    return HEAD + "".join(f"{entry}\n" for entry in entries)


# --- selection -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [
        ([], ["OPG400", "OPG509"]),
        (["--select", "OPG4"], ["OPG400"]),
        (["--select", "default-type,unknown-tag"], ["OPG400", "OPG509"]),
        (["--ignore", "OPG400"], ["OPG509"]),
        (["--ignore", "OPG4", "--ignore", "OPG5"], []),
        (["--select", "OPG400", "--ignore", "OPG4"], ["OPG400"]),
        (["--select", "OPG4", "--ignore", "default-type"], []),
        (["--per-file-ignores", "*.yaml=OPG4"], ["OPG509"]),
        (["--per-file-ignores", "ops/*=OPG4"], ["OPG400", "OPG509"]),
    ],
)
def test_codes_are_selected_and_the_more_exact_entry_wins(lint, arguments, codes):
    lint.write(ops(DEFAULT, "    tags: [nonsense]"))
    assert [code for _, _, code in lint.found(*arguments)] == codes
    assert lint(*arguments).exit_code == int(bool(codes))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--select", "OPG40x"], "there is no code 'OPG40x'; `opgen rules` lists all codes"),
        (["--ignore", "defalt-type"], "did you mean 'default-type'?"),
        (["--per-file-ignores", "a=OPG40x"], "there is no code 'OPG40x'"),
        (["--per-file-ignores", "OPG400"], "expected PATTERN=CODES, found 'OPG400'"),
        (["-D", "1=2"], "expected NAME or NAME=VALUE, found '1=2'"),
        (["nowhere"], "there is no 'nowhere'"),
        (["text.txt"], "'text.txt' is neither YAML nor C++ nor Python"),
        (["empty"], "there is neither an ops.yaml nor a C++ or Python source in 'empty'"),
    ],
)
def test_wrong_usage_exits_with_2(lint, arguments, words):
    lint.write(ops())
    lint.write("", "text.txt")
    lint.write("", "empty/notes.md")
    result = lint(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr


def test_folders_are_searched_and_patterns_leave_parts_out(lint):
    for folder in ("a", "a/b", "build/c", ".d", "third_party/e"):
        lint.write(ops(DEFAULT), f"{folder}/ops.yaml")
    lint.write(ops(DEFAULT), "a/other.yaml")

    def paths(*arguments):
        return [path for path, _, _ in lint.found(*arguments)]

    assert paths(".") == ["a/b/ops.yaml", "a/ops.yaml", "third_party/e/ops.yaml"]
    assert paths("a", "a/b/ops.yaml") == ["a/b/ops.yaml", "a/ops.yaml"]
    assert paths(".", "--extend-exclude", "third_party,a/b") == ["a/ops.yaml"]
    assert paths(".", "--exclude", "a/**") == [".d/ops.yaml", "build/c/ops.yaml", "third_party/e/ops.yaml"]
    assert paths("build/c/ops.yaml", "a/other.yaml") == ["a/other.yaml", "build/c/ops.yaml"]


@pytest.mark.parametrize(
    ("severity", "codes", "below", "status"),
    [
        ("error", ["OPG400"], "not shown: 1 warning, 1 info, below `--severity error`\n", 1),
        ("warning", ["OPG400", "OPG223"], "not shown: 1 info, below `--severity warning`\n", 1),
        ("info", ["OPG400", "OPG223", "OPG500"], "", 1),
    ],
)
def test_only_findings_of_a_severity_or_above_are_reported(lint, severity, codes, below, status):
    lint.write(ops(DEFAULT, "  - func: scale.out(Tensor(a!) x) -> ()", "  - func: g(Tensor x) -> Tensor"))
    result = lint("--severity", severity, "--format", "concise")
    assert [code for _, _, code in lint.found("--severity", severity)] == codes
    assert (result.exit_code, "Found 1 error" in result.stdout) == (status, True)
    assert result.stderr == below


def test_warnings_do_not_count_where_only_errors_are_asked_for(lint):
    lint.write(ops("  - func: scale.out(Tensor(a!) x) -> ()"))
    assert lint().exit_code == 1
    result = lint("--severity", "error")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "nothing found\nnot shown: 1 warning, below `--severity error`\n"


# --- suppression ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (ops(f"{DEFAULT}  # opgen: ignore[OPG400]"), []),
        (ops(f"{DEFAULT}  # why not; opgen:ignore[default-type]"), []),
        (ops("  # opgen: ignore[OPG400]", "  # another", DEFAULT), []),
        (ops(f"{DEFAULT}  # opgen: ignore[OPG509]", "    tags: [nonsense]"), ["OPG400"]),
        (ops(f"{DEFAULT}  # opgen: ignore[OPG400, OPG509]", "    tags: [nonsense]"), []),
        (ops(DEFAULT, "    tags: [nonsense]  # opgen: ignore[OPG400, OPG509]"), ["OPG400", "OPG195"]),
        (ops(f"{DEFAULT}  # opgen: ignore"), ["OPG196", "OPG400"]),
        (ops(f"{DEFAULT}  # opgen: ignore[]"), ["OPG196", "OPG400"]),
        (ops(f"{DEFAULT}  # opgen: ignore[OPG400, OPG999]"), ["OPG196"]),
        (ops(f"{DEFAULT}  # opgen: ignore[OPG4]"), ["OPG196", "OPG400"]),
        (ops(DEFAULT, '    doc: "a # opgen: ignore[OPG400]"'), ["OPG400"]),
        (ops(DEFAULT, "    doc: |", "      # opgen: ignore[OPG400]"), ["OPG400"]),
        (ops("  - func: f(Tensor! x) -> ()  # opgen: ignore[OPG400]"), ["OPG195"]),
        (ops("  - func: f(Tensor! x) -> ()  # opgen: ignore[OPG400]", "    tags: [}"), ["OPG121", "OPG120"]),
    ],
)
def test_a_comment_silences_what_it_names_where_it_stands(lint, text, codes):
    lint.write(text)
    found = [code for _, _, code in lint.found()]
    if "OPG121" in codes:  # broken YAML, worded by the library: nothing is said of the comment
        assert "OPG195" not in found
    else:
        assert sorted(found) == sorted(codes)


def test_of_a_code_that_is_not_selected_no_comment_is_called_unused(lint):
    lint.write(ops("  - func: f(Tensor! x) -> ()  # opgen: ignore[OPG400]"))
    assert lint.found("--ignore", "OPG4") == []
    assert lint.found("--ignore", "OPG195") == []


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("a.py", 'x = "# opgen: ignore[OPG400]"\ny = 1  # opgen: ignore[OPG400]\n', [2]),
        ("a.cpp", 'auto x = "// opgen: ignore[OPG400]"; // opgen: ignore[OPG400]\n', [1]),
        ("a.cu", 'auto x = R"a(\n// opgen: ignore[OPG400] )" )a";\nint b; /* opgen: ignore[OPG400] */\n', [3]),
        ("a.h", "auto q = '\"'; // opgen: ignore[OPG400]\nint n = 1'000; // opgen: ignore[OPG400]\n", [1, 2]),
    ],
)
def test_comments_are_known_from_texts_in_every_language(lint, name, text, lines):
    lint.write(text, name)
    assert [line for _, line, code in lint.found(name) if code == "OPG195"] == lines


def test_lines_are_counted_past_form_feeds_as_editors_do(lint):
    lines = ("// opgen: ignore[OPG101]", "// \f\v \u2028", 'TORCH_LIBRARY(lib, m) { m.def("f(Tensr x) -> ()"); }', "")
    lint.write("\n".join(lines), "a.cpp")
    assert lint.found("a.cpp") == []


# --- fixes ---------------------------------------------------------------------------------------------------------------

SAFE = [
    ("func: f(Tensor! x, float? y=1) -> ()", "func: f(Tensor! x, float? y=1.0) -> ()"),
    ("func: f(Tensor! x, int y=3.0) -> ()", "func: f(Tensor! x, int y=3) -> ()"),
    ("func: f(Tensor! x, bool y=0) -> ()", "func: f(Tensor! x, bool y=False) -> ()"),
    ("func: f(Tensor! x, bool y=true) -> ()", "func: f(Tensor! x, bool y=True) -> ()"),
    ("func: f(Tensor! x) -> None", "func: f(Tensor! x) -> ()"),
    ("func: f(Tensor(a!) x, Tensor(a!) y) -> ()", "func: f(Tensor(a!) x, Tensor(b!) y) -> ()"),
    ("func: f(at::Tensor x, Tensor! y) -> ()", "func: f(Tensor x, Tensor! y) -> ()"),
    ("func: f(Tensor! x, double y) -> ()", "func: f(Tensor! x, float y) -> ()"),
    ("func: f(Tensor! x, List[int] y) -> ()", "func: f(Tensor! x, int[] y) -> ()"),
    ("func: f.default(Tensor! x) -> ()", "func: f(Tensor! x) -> ()"),
    ("func: 'f(Tensor! x, double y) -> ()'", "func: 'f(Tensor! x, float y) -> ()'"),
    ("func: |-\n      f(Tensor! x,\n        double y) -> ()", "func: |-\n      f(Tensor! x,\n        float y) -> ()"),
    ("func: f(Tensor! x) -> ()\n    autogradd: none", "func: f(Tensor! x) -> ()\n    autograd: none"),
    (
        "func: f(Tensor! x) -> ()\n    tensors: {x: float [n]}",
        'func: f(Tensor! x) -> ()\n    tensors: {x: "float [n]"}',
    ),
]
UNSAFE = [
    ("func: f(Tensor! x, int y=None) -> ()", "func: f(Tensor! x, int? y=None) -> ()"),
    ("func: f(Tensor! x, int y=0x10) -> ()", "func: f(Tensor! x, int y=16) -> ()"),
    ("func: f(Tensor x, Tensor(a!) y) -> Tensor(a!)", "func: f(Tensor x, *, Tensor(a!) y) -> Tensor(a!)"),
    ("func: f_(Tensor(a!) x) -> Tensor", "func: f_(Tensor(a!) x) -> Tensor(a!)"),
    ("func: f_(Tensor(a!) x) -> Tensor(a)", "func: f_(Tensor(a!) x) -> Tensor(a!)"),
    ("func: f(Tensor! x, Tesnor y) -> ()", "func: f(Tensor! x, Tensor y) -> ()"),
    ("func: f(Tensor! x) -> ()\n    tags: [pointwize]", "func: f(Tensor! x) -> ()\n    tags: [pointwise]"),
    ("func: f(Tensor! dest) -> ()\n    scratch: [dset]", "func: f(Tensor! dest) -> ()\n    scratch: [dest]"),
]


@pytest.mark.parametrize(("bad", "good"), SAFE)
def test_a_safe_fix_writes_what_the_help_says_and_does_so_once(lint, bad, good):
    lint.write(f"{HEAD}  - {bad}\n")
    assert lint("--fix", "--exit-zero").exit_code == 0
    assert lint.text() == f"{HEAD}  - {good}\n"
    lint("--fix")
    assert lint.text() == f"{HEAD}  - {good}\n"


@pytest.mark.parametrize(("bad", "good"), UNSAFE)
def test_an_unsafe_fix_is_made_only_when_asked_for(lint, bad, good):
    lint.write(f"{HEAD}  - {bad}\n")
    lint("--fix")
    assert lint.text() == f"{HEAD}  - {bad}\n"
    lint("--unsafe-fixes")
    assert lint.text() == f"{HEAD}  - {good}\n"


@pytest.mark.parametrize(
    "entry",
    [
        'func: "f(Tensor! x, \\x64ouble y) -> ()"',  # the type is written by an escape
        "func: >-\n      f(Tensor! x, Dict[str,\n      int] y) -> ()",  # a folded line break is in it
        "func: f(Tensor! x, double y, Foo z) -> None\n    tensors: {x: float [n}",  # YAML ends before it is closed
    ],
)
def test_what_can_not_be_written_into_the_file_is_left_alone(lint, entry):
    lint.write(f"{HEAD}  - {entry}\n")
    before = lint.text()
    assert lint("--fix").exit_code == 1
    assert lint.text() == before


def test_several_fixes_of_one_op_are_made_in_one_run(lint):
    lint.write(ops("  - func: f(Tensor(a!) x, Tensor(a!) y, Tensor(a!) z, double d, bool b=true, int i=3.0) -> None"))
    result = lint("--fix")
    assert lint.text() == ops(
        "  - func: f(Tensor(a!) x, Tensor(b!) y, Tensor(c!) z, float d, bool b=True, int i=3) -> ()"
    )
    assert result.exit_code == 0


def test_bytes_that_are_not_mended_stay_as_they_are(lint):
    text = "\ufeff" + ops("  # ünïcode", "  - func: f(Tensor! x) -> None  # 日本").replace("\n", "\r\n")
    lint.write(text)
    lint("--fix")
    assert lint.text() == text.replace("None", "()")


def test_a_script_that_is_mended_stays_executable(lint):
    lint.write('import torch\ntorch.library.define("lib::f", "(Tensor! x) -> None")\n', "script.py")
    (lint.path / "script.py").chmod(0o755)
    lint("script.py", "--fix")
    assert "-> ()" in lint.text("script.py")
    assert (lint.path / "script.py").stat().st_mode & 0o777 == 0o755


def test_a_file_behind_a_link_is_mended_and_stays_linked(lint):
    lint.write(ops("  - func: f(Tensor! x) -> None"), "real/ops.yaml")
    (lint.path / "ops.yaml").symlink_to("real/ops.yaml")
    lint("--fix")
    assert (lint.path / "ops.yaml").is_symlink()
    assert "-> ()" in lint.text("real/ops.yaml")


def test_an_included_file_is_mended(lint):
    lint.write(HEAD.replace("ops:\n", "include: [more.yaml]\n"))
    lint.write("ops:\n  - func: f(Tensor! x) -> None\n", "more.yaml")
    lint("--fix")
    assert lint.text("more.yaml") == "ops:\n  - func: f(Tensor! x) -> ()\n"


def test_a_diff_writes_nothing_and_exits_with_1_if_there_is_one(lint):
    lint.write(ops("  - func: f(Tensor! x) -> None"))
    before = lint.text()
    result = lint("--diff")
    assert result.exit_code == 1
    assert "-  - func: f(Tensor! x) -> None\n+  - func: f(Tensor! x) -> ()\n" in result.stdout
    assert lint.text() == before
    lint("--fix")
    result = lint("--diff")
    assert (result.exit_code, result.stdout) == (0, "")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("  - func: f(Tensor! x) -> ()  # opgen: ignore[OPG400]\n", "  - func: f(Tensor! x) -> ()\n"),
        ("  # opgen: ignore[OPG400]\n  - func: f(Tensor! x) -> ()\n", "  - func: f(Tensor! x) -> ()\n"),
        (
            "  - func: f(Tensor! x, int y=1.5) -> ()  # opgen: ignore[OPG203, OPG400]\n",
            "  - func: f(Tensor! x, int y=1.5) -> ()  # opgen: ignore[OPG400]\n",
        ),
    ],
)
def test_a_comment_that_silences_nothing_is_removed(lint, before, after):
    lint.write(HEAD + before)
    lint("--fix")
    assert lint.text() == HEAD + after


def test_what_is_silenced_or_not_selected_is_not_mended(lint):
    lint.write(ops("  - func: f(Tensor! x) -> None  # opgen: ignore[none-return]"))
    before = lint.text()
    lint("--fix")
    lint("--fix", "--ignore", "OPG195,none-return")
    assert lint.text() == before


def test_json_tells_what_a_fix_does_and_the_texts_count_them(lint):
    lint.write(ops("  - func: f(Tensor! x, int y=None) -> None"))
    fixes = {record["code"]: record["fix"] for record in json.loads(lint("--format", "json").stdout)}
    assert [fix["applicability"] for fix in fixes.values() if fix] == ["unsafe", "safe"]
    (safe,) = (fix for fix in fixes.values() if fix and fix["applicability"] == "safe")
    place = {"line": 5, "column": 39, "end_line": 5, "end_column": 43}
    assert safe == {
        "title": "write `-> ()`",
        "applicability": "safe",
        "edits": [{"path": "ops.yaml", **place, "replacement": "()"}],
    }
    assert lint("--format", "concise").stdout.endswith("Can be fixed: 1 by `--fix`, 1 by `--unsafe-fixes`.\n")


# --- baseline, statistics, configuration ---------------------------------------------------------------------------------


def test_a_baseline_silences_what_it_knows_and_nothing_new(lint):
    lint.write(ops(DEFAULT))
    result = lint("--write-baseline")
    assert result.exit_code == 0
    assert "1 finding written to 'opgen-baseline.json'" in result.stderr
    known = ("--baseline", "opgen-baseline.json")
    assert lint.found(*known) == []
    assert "nothing found that isn't in 'opgen-baseline.json'" in lint(*known).stderr
    lint.write(ops("  # moved", DEFAULT, DEFAULT.replace("cut_", "hew_")))
    assert lint.found(*known) == [("ops.yaml", 7, "OPG400")]
    lint.write(ops())
    assert "1 finding of the baseline fixed" in lint(*known, "-v").stderr


CPP = """#include <torch/library.h>
at::Tensor add(const at::Tensor& x, at::Tensor y, at::Tensor z) {{ y.add_(x); {more} return y.relu(); }}
TORCH_LIBRARY(lib, m) {{ m.def("add({schema}) -> Tensor", &add); }}
"""


@pytest.fixture
def known(lint):
    """Arguments of a run against the baseline of `CPP`: of one op the fake is missing, and the mark of ``y``."""
    lint.write(CPP.format(more="", schema="Tensor x, Tensor y, Tensor z"), "a.cpp")
    lint(".", "--write-baseline")
    return (".", "--baseline", "opgen-baseline.json")


@pytest.mark.parametrize(
    ("more", "schema", "codes"),
    [
        ("", "Tensor x, Tensor y, Tensor z=None", ["OPG401"]),  # the schema changes around what is known
        ("\n\n", "Tensor x,  Tensor y, Tensor z", []),  # lines move, blanks change
        ("z.add_(x);", "Tensor x, Tensor y, Tensor z", ["OPG529"]),  # another argument of the same op
        ("y.mul_(x);", "Tensor x, Tensor y, Tensor z", []),  # the known one, once more
        ("", "Tensor x, Tensor(a!) y, Tensor z", []),  # one of them is mended
    ],
)
def test_a_finding_is_known_by_op_and_argument_however_the_schema_is_written(lint, known, more, schema, codes):
    lint.write(CPP.format(more=more, schema=schema), "a.cpp")
    assert [code for _, _, code in lint.found(*known)] == codes


def test_a_finding_stays_known_when_its_file_gets_another_name(lint, known):
    text = lint.text("a.cpp")
    (lint.path / "a.cpp").rename(lint.path / "b.cpp")
    assert lint.found(*known) == []
    lint.write(text.replace("lib", "other"), "c.cpp")
    assert {path for path, _, _ in lint.found(*known)} == {"c.cpp"}


def test_of_equal_findings_as_many_are_known_as_there_were(lint):
    launch = "  go<<<1, 256>>>(x.mutable_data_ptr<float>());\n"
    registered = 'TORCH_LIBRARY(lib, m) { m.def("f(Tensor(a!) x) -> ()"); }\nTORCH_LIBRARY_IMPL(lib, CUDA, m) { m.impl("f", &f); }\n'
    arguments = (".", "--select", "default-stream", "--baseline", "opgen-baseline.json")

    def found(times):
        lint.write(f"void f(at::Tensor& x) {{\n{launch * times}}}\n{registered}", "a.cu")
        return lint.found(*arguments)

    found(2)
    lint(".", "--select", "default-stream", "--write-baseline")
    assert json.loads(lint.text("opgen-baseline.json"))["findings"] == [
        {"path": "a.cu", "code": "OPG537", "op": "lib::f", "about": ["go"], "count": 2}
    ]
    assert [len(found(times)) for times in (1, 2, 3, 4)] == [0, 0, 1, 2]


def test_a_finding_about_several_arguments_stays_known_when_some_of_them_are_mended(lint):
    def write(checked):
        lint.write(
            "void f(at::Tensor& x, const at::Tensor& y) {\n"
            f"  {checked} go(x.mutable_data_ptr<float>(), y.const_data_ptr<float>());\n}}\n"
            'TORCH_LIBRARY(lib, m) { m.def("f(Tensor(a!) x, Tensor y) -> ()"); }\n'
            'TORCH_LIBRARY_IMPL(lib, CPU, m) { m.impl("f", &f); }\n',
            "a.cpp",
        )

    known = (".", "--select", "unchecked-layout", "--baseline", "opgen-baseline.json")
    write("TORCH_CHECK(x.is_contiguous());")
    lint(".", "--write-baseline")
    write("")
    assert len(lint.found(*known)) == 1  # about one argument more
    lint(".", "--write-baseline")
    write("TORCH_CHECK(x.is_contiguous());")
    assert lint.found(*known) == []


def test_a_baseline_of_other_paths_or_macros_says_so(lint):
    lint.write(ops(DEFAULT), "lib/ops.yaml")
    lint.write("", "csrc/a.cpp")
    lint("lib", "csrc", "--write-baseline", "-D", "N=1")
    known = ("--baseline", "opgen-baseline.json")
    assert "was written" not in lint("csrc", "lib", "-D", "N=1", *known).stderr
    said = lint("lib", *known)
    assert said.stderr.splitlines()[-2:] == [
        "'opgen-baseline.json' was written by `opgen lint csrc lib -D N=1`, and this is `opgen lint lib`: findings may differ",
        "nothing found that isn't in 'opgen-baseline.json'",
    ]
    assert said.exit_code == 0


def test_a_baseline_knows_how_many_registrations_can_not_be_read(lint):
    lint.write('TORCH_LIBRARY(lib, m) { m.def(schema_of_f()); m.def("g(Tensor! x) -> ()"); }\n', "a.cpp")
    assert "1 registration can't be read; `-v` says why" in lint(".", "--write-baseline").stderr
    known = (".", "--baseline", "opgen-baseline.json")
    assert "can't be read" not in lint(*known).stderr
    assert "1 registration can't be read\n  a.cpp:1:" in lint(*known, "-v").stderr
    lint.write("TORCH_LIBRARY_FRAGMENT(lib, m) { m.def(schema_of_h()); }\n", "b.cpp")
    assert "2 registrations can't be read, 1 more than the baseline knows; `-v` says why" in lint(*known).stderr


def test_a_baseline_holds_wherever_opgen_is_started(lint, monkeypatch):
    lint.write(ops(DEFAULT), "lib/ops.yaml")
    lint.write('[lint]\nbaseline = "known.json"\n', "lib/opgen.toml")
    lint("-C", "lib", "--write-baseline")
    assert lint.found("-C", "lib") == []
    monkeypatch.chdir(lint.path / "lib")
    assert lint.found() == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "no valid JSON"),
        ("[]", "no baseline"),
        ('{"version": 2, "findings": [1]}', "no baseline"),
        ('{"version": 1, "findings": []}', "version 1 of a baseline is that of an older opgen"),
        ('{"version": 3}', "version 3 of a baseline is that of another opgen"),
    ],
)
def test_a_broken_baseline_is_an_error_of_usage(lint, text, words):
    lint.write(ops(DEFAULT))
    lint.write(text, "b.json")
    result = lint("--baseline", "b.json")
    assert result.exit_code == 2
    assert words in result.stdout
    assert "OPG197" in result.stdout
    assert "help: write it anew by `opgen lint --write-baseline`" in result.stdout
    missing = lint("--baseline", "missing.json").stdout
    assert "there is no such file" in missing
    assert "name a file that `opgen lint --write-baseline` has written" in missing


def test_statistics_count_by_code(lint):
    lint.write(ops(DEFAULT, DEFAULT.replace("cut_", "hew_").replace("1.5", "2.0"), "    tags: [nonsense]"))
    result = lint("--statistics")
    assert result.stdout == (
        "2  OPG400  [*]  error    default-type\n1  OPG509  [ ]  error    unknown-tag\nCan be fixed: 1 by `--fix`.\n"
    )
    assert result.exit_code == 1
    records = json.loads(lint("--statistics", "--format", "json").stdout)
    assert [(record["code"], record["count"], record["fixes"]) for record in records] == [
        ("OPG400", 2, 1),
        ("OPG509", 1, 0),
    ]


def test_statistics_show_the_severity_of_what_was_found(lint):
    lint.write(
        "at::Tensor f(const at::Tensor& x) { CHECK(x); go(x.mutable_data_ptr<float>()); }\n"
        'TORCH_LIBRARY(lib, m) { m.def("f(Tensor x) -> Tensor", &f); }\n',
        "ops.cpp",
    )
    arguments = ("ops.cpp", "--statistics", "--select", "cpp-undeclared-write")
    assert lint(*arguments).stdout.startswith("1  OPG529  [*]  warning  cpp-undeclared-write\n")
    assert [record["severity"] for record in json.loads(lint(*arguments, "--format", "json").stdout)] == ["warning"]


def test_the_format_may_come_from_the_environment(lint, monkeypatch):
    lint.write(ops(DEFAULT))
    monkeypatch.setenv("OPGEN_LINT_FORMAT", "json")
    assert [record["code"] for record in json.loads(lint().stdout)] == ["OPG400"]


def test_the_configuration_is_read_and_the_command_line_wins(lint):
    lint.write(ops(DEFAULT, "    tags: [nonsense]"), "lib/ops.yaml")
    lint.write('[tool.opgen.lint]\nignore = ["OPG400"]\n', "pyproject.toml")
    assert [code for _, _, code in lint.found("-C", "lib")] == ["OPG509"]
    assert [code for _, _, code in lint.found("-C", "lib", "--ignore", "OPG509")] == ["OPG400"]
    assert [code for _, _, code in lint.found("-C", "lib", "--isolated")] == ["OPG400", "OPG509"]
    lint.write('[lint]\nper-file-ignores = {"lib/*" = ["OPG509"]}\n', "other.toml")
    assert [code for _, _, code in lint.found("-C", "lib", "--config", "other.toml")] == ["OPG400"]


def test_a_mistake_in_the_configuration_stops_the_run_with_2(lint):
    lint.write(ops(DEFAULT))
    lint.write('[tool.opgen.lint]\nignore = ["OPG203",\n  "OPG40x"]\n', "pyproject.toml")
    result = lint("--format", "concise")
    assert result.exit_code == 2
    assert result.stdout.startswith("pyproject.toml:3:4: error[OPG193] 'ignore' names 'OPG40x', which is no code\n")
    assert "OPG400" not in result.stdout


@pytest.mark.parametrize("format_", ["text", "concise", "json", "github", "sarif", "junit"])
def test_every_format_is_printed_also_where_nothing_is_found(lint, format_):
    lint.write(ops(DEFAULT))
    assert "OPG400" in lint("--format", format_).stdout
    lint.write(ops("  - func: f(Tensor! x) -> ()"))
    result = lint("--format", format_)
    assert result.exit_code == 0
    assert bool(result.stdout) is (format_ in {"json", "sarif", "junit"})


# --- namespaces that only the build knows ----------------------------------------------------------------------------------

OF_THE_BUILD = """TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, m) { m.def("f(Tensor x) -> Tensor"); m.def("g(Tensor x) -> Tensor"); }
TORCH_LIBRARY_EXPAND(CONCAT(TORCH_EXTENSION_NAME, _more), m) { m.def("h(int x=1.5) -> ()"); }
"""
FAKES = 'import torch\n@torch.library.register_fake("_C::g")\ndef g(x): return x.clone()\n'


def test_an_op_is_shown_without_a_namespace_that_only_the_build_knows(lint):
    lint.write(OF_THE_BUILD, "a.cpp")
    result = lint("a.cpp", "--format", "concise")
    missing = "no fake kernel, so torch.compile and torch.export can't trace it"
    assert f"warning[OPG570] f: {missing}\n" in result.stdout
    assert "error[OPG400] h: argument 'x'" in result.stdout
    assert "TORCH_EXTENSION_NAME is a namespace that only the build knows" in result.stderr
    for format_ in ("json", "sarif", "text"):
        assert "TORCH_EXTENSION_NAME::" not in lint("a.cpp", "--format", format_).stdout
        assert "ns::f" in lint("a.cpp", "--format", format_).stdout  # what the help tells to write
    told = lint("a.cpp", "--format", "concise", "-D", "TORCH_EXTENSION_NAME=_C")
    assert f"warning[OPG570] _C::f: {missing}\n" in told.stdout
    assert "error[OPG400] _C_more::h: argument 'x'" in told.stdout
    assert "TORCH_EXTENSION_NAME" not in told.stderr


def test_a_fake_of_a_namespace_that_nothing_defines_may_be_that_of_the_build(lint):
    lint.write(OF_THE_BUILD, "a.cpp")
    lint.write(FAKES, "a.py")
    lines = lint(".", "--select", "fake-missing", "--format", "concise").stdout.splitlines()
    assert [line.split()[2] for line in lines[:-1]] == ["f:"]
