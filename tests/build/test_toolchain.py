"""What a machine has and lacks, without importing torch."""

import subprocess
import sys
import textwrap

import pytest

from opgen.build import codes
from opgen.build.toolchain import (
    Torch,
    find_compiler,
    find_flags,
    find_launcher,
    find_ninja,
    find_python,
    find_test_python,
    find_toolchain,
    find_torch,
)
from opgen.diagnostics import Diagnostic


def program(folder, name):
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def torch_package(folder, text):
    (folder / "torch").mkdir(parents=True)
    (folder / "torch/__init__.py").write_text("raise SystemExit('torch was imported')\n")
    (folder / "torch/version.py").write_text(text)


@pytest.fixture
def empty_machine(tmp_path, monkeypatch):
    """Nothing in PATH, nothing beside the interpreter."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr("sysconfig.get_path", lambda _: str(tmp_path / "scripts"))
    return tmp_path


@pytest.mark.usefixtures("empty_machine")
def test_everything_missing_is_said_at_once_each_in_one_sentence_with_its_remedy(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    found = find_toolchain(None, (2, 10))
    assert [finding.code for finding in found] == [codes.NO_COMPILER, codes.NO_NINJA, codes.NO_TORCH]
    assert all("\n" not in finding.message and finding.help for finding in found)
    assert "pip install torch" in found[2].help


@pytest.mark.usefixtures("empty_machine")
def test_a_missing_interpreter_is_said_once():
    found = find_toolchain("python-of-nowhere", (2, 10))
    assert [finding.code for finding in found] == [codes.NO_COMPILER, codes.NO_NINJA, codes.NO_PYTHON]


def test_the_compiler_is_gxx_then_clang(empty_machine):
    clang = program(empty_machine / "bin", "clang++")
    assert find_compiler() == (clang,)
    gcc = program(empty_machine / "bin", "g++")
    assert find_compiler() == (gcc,)


def test_cxx_wins_and_may_have_words_after_the_program(empty_machine, monkeypatch):
    program(empty_machine / "bin", "g++")
    ccache = program(empty_machine / "bin", "ccache")
    monkeypatch.setenv("CXX", "ccache g++ -m64")
    assert find_compiler() == (ccache, "g++", "-m64")


@pytest.mark.parametrize("stated", ["ccache -v two\\ words", "ccache;-v;two words"], ids=["shell", "CMake"])
def test_a_launcher_may_have_words_after_the_program(empty_machine, stated):
    ccache = program(empty_machine / "bin", "ccache")
    assert find_launcher(stated) == (ccache, "-v", "two words")


def test_programs_are_found_from_the_working_folder_whichever_folder_they_are_run_in(empty_machine, monkeypatch):
    gcc = program(empty_machine / "bin", "g++")
    monkeypatch.chdir(empty_machine)
    monkeypatch.setenv("CXX", "bin/g++")
    assert (find_compiler(), find_launcher("./bin/g++"), find_python("bin/g++")) == ((gcc,), (gcc,), gcc)


@pytest.mark.parametrize("stated", ["nothing-here", "'unbalanced"])
@pytest.mark.usefixtures("empty_machine")
def test_a_wrong_launcher_is_named(stated):
    found = find_launcher(stated)
    assert isinstance(found, Diagnostic)
    assert (found.code, found.message) == (codes.NO_LAUNCHER, f"the compiler launcher '{stated}' can't be run")


@pytest.mark.parametrize("value", ["nothing-here", "'unbalanced"])
def test_a_wrong_cxx_is_named_and_nothing_else_is_taken(empty_machine, monkeypatch, value):
    program(empty_machine / "bin", "g++")
    monkeypatch.setenv("CXX", value)
    found = find_compiler()
    assert isinstance(found, Diagnostic)
    assert value in found.message


def test_flags_are_split_as_a_shell_would_and_an_open_quotation_is_a_finding(monkeypatch):
    monkeypatch.setenv("CXXFLAGS", "-DNAME='a b' -g")
    monkeypatch.setenv("NVCCFLAGS", "-Xcompiler '-a -b'")
    monkeypatch.delenv("LDFLAGS", raising=False)
    assert find_flags() == {
        "CXXFLAGS": ("-DNAME=a b", "-g"),
        "LDFLAGS": (),
        "NVCCFLAGS": ("-Xcompiler", "-a -b"),
    }
    monkeypatch.setenv("LDFLAGS", '-L"/opt')
    assert find_flags().message == "LDFLAGS can't be split into words: no closing quotation"
    assert codes.BAD_FLAGS in {finding.code for finding in find_toolchain(None, (2, 10))}


@pytest.mark.parametrize("text", ["#!/bin/sh\nexit 1\n", "neither a script nor a binary\n"])
def test_a_program_that_is_no_python_is_named(tmp_path, text):
    other = tmp_path / "python"
    other.write_text(text)
    other.chmod(0o755)
    for found in (find_torch(str(other)), *find_test_python(str(other))):
        assert found.code is codes.NO_PYTHON
        assert found.message == f"'{other}' can't be run as a Python interpreter"


def test_what_the_generated_tests_need_is_looked_for_all_at_once(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert [finding.code for finding in find_test_python(None)] == [codes.NO_TORCH, codes.NO_PYTEST]


def test_the_ninja_of_pip_is_found_beside_the_interpreter(empty_machine):
    ninja = program(empty_machine / "scripts", "ninja")
    assert find_ninja() == ninja


def test_torch_is_found_by_its_files_in_another_interpreter(tmp_path, monkeypatch):
    torch_package(tmp_path, "__version__ = '2.12.1+cu130'\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    other = tmp_path / "python"
    other.symlink_to(sys.executable)
    assert find_torch(str(other)) == Torch(tmp_path / "torch", "2.12.1+cu130", (2, 12))


@pytest.mark.parametrize("text", ["", "version = 3\n"])
def test_a_folder_called_torch_without_a_version_is_no_torch(tmp_path, monkeypatch, text):
    torch_package(tmp_path, text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "torch", raising=False)  # that of another test is found first
    found = find_torch(sys.executable)
    assert isinstance(found, Diagnostic)
    assert found.code is codes.NO_TORCH


def test_a_torch_older_than_the_floor_is_refused_with_both_versions(tmp_path, monkeypatch):
    torch_package(tmp_path, "__version__ = '2.9.1'\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "torch", raising=False)  # that of another test is found first
    found = find_toolchain(None, (2, 10))
    assert isinstance(found, tuple)
    [finding] = [finding for finding in found if finding.code is codes.OLD_TORCH]
    assert finding.message == "torch 2.9.1 is installed, but ops.yaml asks for 2.10"


def test_looking_for_torch_does_not_import_it():
    script = textwrap.dedent("""
        import sys
        from opgen.build.toolchain import find_toolchain
        found = find_toolchain(None, (2, 10))
        assert "torch" not in sys.modules
        print(type(found).__name__)
    """)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() in {"Toolchain", "tuple"}


def test_this_interpreter_is_the_default():
    assert find_python(None) == sys.executable
    assert isinstance(find_python("no-such-python"), Diagnostic)
