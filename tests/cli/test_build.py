"""``opgen build`` and ``opgen test``: a library compiled, loaded and called, in a folder whose name needs quotes."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from opgen.build.toolchain import Toolchain, find_toolchain

pytestmark = [
    pytest.mark.compile,
    pytest.mark.torch,
    pytest.mark.skipif(
        not isinstance(find_toolchain(None, (2, 10)), Toolchain), reason="no C++ compiler, ninja or torch to build with"
    ),
]

BINARY = "generated/tiny_ops/libtiny_ops.so"
KERNEL = """\
#include <tiny_ops/{header}.h>

namespace tiny::cpu {{

void {signature} {{
  for (int64_t i = 0; i < x.numel(); ++i) {{
    {body}
  }}
}}

}}  // namespace tiny::cpu
"""
TWICE = KERNEL.format(
    header="twice",
    signature="twice(const Tensor& x, Tensor& out)",
    body="out.mutable_data_ptr<float>()[i] = 2 * x.const_data_ptr<float>()[i];",
)
HALVE = KERNEL.format(header="halve_", signature="halve_(Tensor& x)", body="x.mutable_data_ptr<float>()[i] /= 2;")


@pytest.fixture(scope="module")
def first_build(tmp_path_factory, ops):
    """A project that was built once, and what opgen said."""
    folder = tmp_path_factory.mktemp("first") / "my prö$ject"
    (folder / "kernels/cpu").mkdir(parents=True)
    (folder / "ops.yaml").write_text(ops, encoding="utf-8")
    (folder / "kernels/cpu/twice.cpp").write_text(TWICE, encoding="utf-8")
    (folder / "kernels/cpu/halve_.cpp").write_text(HALVE, encoding="utf-8")
    command = [sys.executable, "-m", "opgen", "build"]
    return folder, subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def built(first_build, tmp_path):
    """A copy of it, time stamps included: paths are relative, so nothing has to be compiled again."""
    folder = tmp_path / "elsewhere" / first_build[0].name
    shutil.copytree(first_build[0], folder)
    return folder


def compiled(result):
    """The files that a run compiled or linked."""
    return {line.split("] ", 1)[1] for line in result.stderr.splitlines() if re.match(r"\[\d+/\d+\]", line)}


def test_a_first_build_ends_with_the_table(first_build):
    folder, result = first_build
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout == (
        "op            contract    CPU\n"
        "tiny::halve_  in-place    compiled, tested\n"
        "tiny::twice   functional  compiled, tested\n"
        f"\n2 ops, 2 kernels: 2 compiled, tested; {BINARY}\n"
    )
    units = {f"generated/csrc/units/{name}.cpp" for name in ("library", "cpu/twice", "cpu/halve_")}
    assert compiled(result) == {*units, BINARY}
    commands = json.loads((folder / "build/opgen/compile_commands.json").read_text(encoding="utf-8"))
    assert {command["file"] for command in commands} == units


def test_the_binary_holds_no_path_of_this_machine(first_build):
    folder, _ = first_build
    shown = subprocess.run(["readelf", "-d", folder / BINARY], capture_output=True, text=True, check=True).stdout
    assert "RUNPATH" not in shown
    assert "RPATH" not in shown
    assert str(folder).encode() not in (folder / BINARY).read_bytes()


def test_a_second_build_does_nothing_imports_little_and_shows_the_table_again(first_build):
    folder, first = first_build
    before = (folder / BINARY).stat().st_mtime_ns
    script = (
        "import sys, opgen.cli\ntry: opgen.cli.main(['build'])\n"
        "finally: print(sorted({'torch', 'jinja2', 'lark', 'yaml', 'rich'} & set(sys.modules)))"
    )
    second = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=True)
    assert second.stdout == first.stdout + "[]\n"
    assert second.stderr == "nothing to do\n"
    assert (folder / BINARY).stat().st_mtime_ns == before


def test_a_project_that_was_moved_is_not_compiled_again(built, run):
    assert compiled(run("build", cwd=built)) == set()


def test_a_launcher_starts_compilers_which_compile_for_a_debugger(built, run, tmp_path, monkeypatch):
    launcher = tmp_path / "launcher"
    launcher.write_text(f'#!/bin/sh\necho "$@" >> "{tmp_path}/calls"\nshift\nexec "$@"\n', encoding="utf-8")
    launcher.chmod(0o755)
    monkeypatch.setenv("CMAKE_CXX_COMPILER_LAUNCHER", f"{launcher};word")
    result = run("build", "--debug", cwd=built)
    assert result.returncode == 0, result.stdout
    calls = (tmp_path / "calls").read_text(encoding="utf-8").splitlines()
    assert len(calls) == 3
    assert all(call.startswith("word /") and " -g " in call and " -O0 " in call for call in calls)
    assert run("build", "--debug", cwd=built).stderr == "nothing to do\n"


def test_a_sanitizer_says_which_line_of_a_kernel_is_wrong(built, run):
    beyond = HALVE.replace("i < x.numel()", "i <= x.numel()")
    (built / "kernels/cpu/halve_.cpp").write_text(beyond, encoding="utf-8")
    result = run("build", "--sanitize", "address,undefined", cwd=built)
    assert result.returncode == 1
    assert "error[OPG840] the smoke test was ended by a sanitizer: AddressSanitizer: " in result.stdout
    assert "kernels/cpu/halve_.cpp:7" in result.stdout


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("adress", "'adress' is no sanitizer, expected address, undefined"),
        ("thread,address", "'thread' can't be combined"),
    ],
)
def test_sanitizers_that_do_not_exist_are_refused(built, run, names, message):
    result = run("build", "--sanitize", names, cwd=built)
    assert (result.returncode, message in result.stderr) == (2, True)


def test_a_changed_kernel_is_compiled_alone_and_called_again(built, run):
    twice = TWICE.replace("  for", '  throw std::runtime_error("no luck");\n  for')
    (built / "kernels/cpu/twice.cpp").write_text(twice, encoding="utf-8")
    result = run("build", cwd=built)
    assert compiled(result) == {"generated/csrc/units/cpu/twice.cpp", BINARY}
    assert result.returncode == 1
    assert "OPG840" in result.stdout
    assert re.search(r"tiny::twice +functional +test failed\n", result.stdout)
    assert re.search(r"tiny::halve_ +in-place +compiled, tested\n", result.stdout)
    tests = run("test", "-q", cwd=built)
    assert tests.returncode == 1
    assert "no luck" in tests.stdout
    assert re.search(r"^\d+ failed", tests.stdout, re.MULTILINE)


def test_of_a_skeleton_is_said_that_it_is_not_written(run, project):
    head, _, _ = (project / "ops.yaml").read_text(encoding="utf-8").partition("ops:\n")
    op = 'ops:\n  - func: f(Tensor(a!) x) -> ()\n    tensors: {x: "float32 [n]"}\n    dispatch: {CPU: python}\n'
    (project / "ops.yaml").write_text(head + op, encoding="utf-8")
    result = run("build", cwd=project)
    assert result.returncode == 1
    assert "tiny::f  mutable   not written yet\n\n1 op, 1 kernel: 1 not written yet" in result.stdout
    assert "write the kernel in kernels/cpu/f.py" in result.stdout


def test_a_kernel_may_not_return_what_it_has_to_fill(run, project):
    """Findings of a build stand in the order of the declaration; what a kernel returns of its own would be lost."""
    head, _, _ = (project / "ops.yaml").read_text(encoding="utf-8").partition("ops:\n")
    ops = "".join(
        f'  - func: {name}(Tensor x) -> Tensor\n    tensors: {{x: "float32 [n]", return: "float32 [n]"}}\n'
        "    dispatch: {CPU: python}\n"
        for name in ("own", "filled", "also")
    )
    (project / "ops.yaml").write_text(f"{head}ops:\n{ops}", encoding="utf-8")
    (project / "kernels/cpu").mkdir(parents=True, exist_ok=True)
    for name, body in {"own": "return x * 2", "filled": "return out.copy_(x * 2)", "also": "return (x * 2,)"}.items():
        (project / f"kernels/cpu/{name}.py").write_text(f"def {name}(x, out):\n    {body}\n", encoding="utf-8")
    result = run("build", cwd=project)
    said = re.findall(
        r"^ops.yaml:(\d+):.*the kernel returned Tensor, .* has to write into out,", result.stdout, re.MULTILINE
    )
    assert said == ["5", "11"]
    assert "Found 2 errors" in result.stdout


def test_no_test_runs_where_a_kernel_does_not_compile(built, run):
    (built / "kernels/cpu/twice.cpp").write_text(TWICE.replace("i] = 2", "i] = nonsense"), encoding="utf-8")
    result = run("test", cwd=built)
    assert result.returncode == 1
    assert "OPG830" in result.stdout
    assert "passed" not in result.stdout


def test_errors_of_all_kernels_are_shown_with_their_places_and_the_others_are_compiled(built, run):
    (built / "kernels/cpu/twice.cpp").write_text(TWICE.replace("i] = 2", "i] = nonsense"), encoding="utf-8")
    (built / "kernels/cpu/halve_.cpp").write_text('#include "missing.h"\n' + HALVE, encoding="utf-8")
    result = run("build", cwd=built)
    assert result.returncode == 1
    assert re.search(
        r"^kernels/cpu/twice\.cpp:7:\d+: error\[OPG830\] tiny::twice: .*nonsense", result.stdout, re.MULTILINE
    )
    assert re.search(
        r"^kernels/cpu/halve_\.cpp:1:\d+: error\[OPG830\] tiny::halve_: missing\.h", result.stdout, re.MULTILINE
    )
    assert result.stdout.count("does not compile") == 3  # two rows and the sum
    assert "nonsense" in (built / "build/opgen/compiler.log").read_text(encoding="utf-8")
    (built / "kernels/cpu/twice.cpp").write_text(TWICE, encoding="utf-8")
    (built / "kernels/cpu/halve_.cpp").write_text(HALVE, encoding="utf-8")
    assert run("build", cwd=built).returncode == 0


def test_a_kernel_that_no_longer_fits_its_schema_is_told_op_argument_and_both_types(built, run):
    text = (built / "ops.yaml").read_text(encoding="utf-8")
    (built / "ops.yaml").write_text(text.replace("twice(Tensor x)", "twice(Tensor x, float eps=1)"), encoding="utf-8")
    twice = TWICE.replace("const Tensor& x,", "const Tensor& x, float eps,").replace("2 *", "eps *")
    twice = twice.replace("void twice", "// twice(x) doubles x.\nvoid twice")
    (built / "kernels/cpu/twice.cpp").write_text(twice, encoding="utf-8")
    result = run("build", cwd=built)
    assert result.returncode == 1
    assert (
        "kernels/cpu/twice.cpp:6:6: error[OPG830] tiny::twice: argument 'eps' is float in the schema, "
        "so the kernel must take double, found float\n"
    ) in result.stdout
    assert "note: ops.yaml:5:11: the op is declared here" in result.stdout
    assert "is_same_v" not in result.stdout


def test_a_function_that_is_defined_nowhere_is_found_by_the_linker(built, run):
    twice = TWICE.replace("2 *", "helper() *").replace("void twice", "float helper();\nvoid twice")
    (built / "kernels/cpu/twice.cpp").write_text(twice, encoding="utf-8")
    result = run("build", cwd=built)
    assert result.returncode == 1
    assert re.search(r"error\[OPG832\] undefined reference to .*helper\(\)", result.stdout)


def test_a_warning_is_shown_and_is_no_failure(built, run):
    (built / "kernels/cpu/twice.cpp").write_text(TWICE.replace("  for", "  int unused = 3;\n  for"), encoding="utf-8")
    result = run("build", cwd=built)
    assert result.returncode == 0
    assert re.search(r"kernels/cpu/twice\.cpp:6:\d+: warning\[OPG831\] .*unused", result.stdout)


def test_what_was_built_of_a_removed_op_goes(built, run):
    text = (built / "ops.yaml").read_text(encoding="utf-8")
    (built / "ops.yaml").write_text(text[: text.index("  - func: halve_")], encoding="utf-8")
    result = run("build", cwd=built)
    assert result.returncode == 0, result.stdout
    assert "warning[OPG806] 'kernels/cpu/halve_.cpp' belongs to no op any more" in result.stdout
    assert "tiny::halve_" not in result.stdout
    assert not (built / "build/opgen/obj/cpu/halve_.cpp.o").exists()


@pytest.mark.parametrize(
    ("environment", "arguments", "sentence"),
    [
        ({"PATH": ""}, [], "no C++ compiler was found"),
        ({"CXX": "g++-of-nowhere"}, [], "CXX names 'g++-of-nowhere', which can't be run"),
        ({}, ["--python", "python-of-nowhere"], "the Python interpreter 'python-of-nowhere' can't be run"),
    ],
)
def test_what_a_machine_lacks_is_one_sentence_and_nothing_is_written(run, project, environment, arguments, sentence):
    result = run("build", *arguments, cwd=project, env=environment)
    assert result.returncode == 2
    assert result.stdout.count(sentence) == 1
    assert "help: " in result.stdout
    assert result.stderr == ""
    assert [path.name for path in project.iterdir()] == ["ops.yaml"]


def test_without_generated_tests_none_can_be_run(run, project):
    result = run("test", "--no-build", cwd=project)
    assert result.returncode == 2
    assert "there are no generated tests in 'generated/tests'; `opgen generate` writes them" in result.stderr
    assert result.stdout == ""


def test_a_ninja_that_does_nothing_is_a_finding_and_no_table_claims_otherwise(run, project):
    tools = project.parent / "tools"
    tools.mkdir()
    (tools / "ninja").write_text("#!/bin/sh\nexit 3\n")
    (tools / "ninja").chmod(0o755)
    result = run("build", cwd=project, env={"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"})
    assert result.returncode == 1
    assert "ninja gave up: it ended with status 3" in result.stdout
    assert "new kernel to write: kernels/cpu/twice.cpp\n" in result.stderr
    assert "compiled" not in result.stdout


@pytest.mark.parametrize(
    ("body", "arguments", "status"),
    [("assert True", [], 0), ("assert False", [], 1), ("assert True", ["-k", "nothing"], 2), ("", ["--no-such"], 2)],
)
def test_the_exit_status_of_pytest_is_mapped(run, project, body, arguments, status):
    (project / "generated/tests").mkdir(parents=True)
    (project / "generated/tests/test_x.py").write_text(f"def test_x():\n    {body or 'pass'}\n")
    assert run("test", "--no-build", "-q", *arguments, cwd=project).returncode == status


@pytest.mark.parametrize("arguments", [["--no-build"], []])
def test_tests_without_an_interpreter_are_one_sentence(run, project, arguments):
    result = run("test", *arguments, "--python", "python-of-nowhere", cwd=project)
    assert result.returncode == 2
    assert "error[OPG824] the Python interpreter 'python-of-nowhere' can't be run\n" in result.stdout
    assert result.stderr == ""


def test_a_path_for_pytest_replaces_the_whole_folder(run, project):
    (project / "generated/tests").mkdir(parents=True)
    (project / "generated/tests/test_x.py").write_text("def test_x():\n    pass\n\ndef test_z():\n    assert False\n")
    (project / "generated/tests/test_y.py").write_text("def test_y():\n    assert False\n")
    assert run("test", "--no-build", "generated/tests/test_x.py::test_x", cwd=project).returncode == 0


@pytest.mark.skipif(os.cpu_count() == 1, reason="one processor")
@pytest.mark.parametrize(("arguments", "is_spread"), [([], True), (["-n", "0"], False), (["-s"], False)])
def test_tests_run_in_several_processes_unless_arguments_say_how(run, project, arguments, is_spread):
    pytest.importorskip("xdist")
    (project / "generated/tests").mkdir(parents=True)
    body = f"def test_x():\n    assert ('PYTEST_XDIST_WORKER' in os.environ) == {is_spread}\n"
    (project / "generated/tests/test_x.py").write_text(f"import os\n\n{body}")
    assert run("test", "--no-build", *arguments, cwd=project).returncode == 0
