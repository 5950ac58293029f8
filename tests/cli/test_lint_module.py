"""``opgen lint --module``: what importing a module registers, alone and joined with sources."""

import json
import sys

import pytest
from click.testing import CliRunner

from opgen.cli.group import opgen

MODULE = """
import torch

SCHEMA = "hidden(Tensor x, int n) -> Tensor"
LIB = torch.library.Library("lib", "DEF")
LIB.define("stale(Tensor(a!) x, int axis=0) -> ()")
LIB.define("fresh(Tensor! x, Tensor! y) -> ()")
LIB.define("traced(Tensor x) -> Tensor")
LIB.define(SCHEMA.replace("n)", "size)"))
torch.library.register_fake("lib::traced", lambda x: x.new_empty(3))
"""
SOURCE = """
TORCH_LIBRARY(lib, m) {
  m.def("stale(Tensor(a!) x) -> ()");
  m.def("fresh(Tensor! x, Tensor(b!) y) -> ()");
  m.def("traced(Tensor x) -> Tensor");
}
"""


@pytest.fixture
def lint(tmp_path, monkeypatch):
    """Run ``opgen lint`` in a folder with a module and a source; findings as ``(path, code)``."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "ops.cpp").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "empty.py").write_text("", encoding="utf-8")

    def call(*arguments):
        result = CliRunner().invoke(opgen, ["lint", "--format", "json", *arguments])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        found = json.loads(result.stdout)
        return result, {(one["path"], one["code"], one["message"]) for one in found}

    return call


@pytest.mark.torch
def test_a_process_is_judged_and_joined_with_its_sources(lint):
    pytest.importorskip("torch")
    alone, in_process = lint("--module", "lib")
    joined, found = lint("ops.cpp", "--module", "lib", "--fix")

    assert (alone.exit_code, joined.exit_code) == (1, 1)
    assert "read 4 operators in a live process" in alone.stderr
    hidden = {(path, code) for path, code, _ in in_process}
    assert hidden == {("<live lib::hidden>", "OPG405"), ("<live lib::hidden>", "OPG570")}
    # What the source says is judged there and once; the fake of `traced` is known from the process.
    assert {(path, code) for path, code, _ in found} == hidden | {("ops.cpp", "OPG539")}
    assert next(message for _, code, message in found if code == "OPG539") == (
        "the process has another schema: `stale(Tensor(a!) x, int axis=0) -> ()`"
    )
    assert joined.stdout.count('"fix": null') == len(found)  # there is no file to mend


@pytest.mark.torch
def test_a_module_that_cannot_be_imported_or_registers_nothing_is_a_finding(lint):
    pytest.importorskip("torch")
    result, found = lint("--module", "empty", "--module", "absent")
    assert result.exit_code == 2
    assert found == {
        ("<module empty>", "OPG199", "importing 'empty' registers no op"),
        ("<module absent>", "OPG198", "'absent' can't be imported: ModuleNotFoundError: No module named 'absent'"),
    }


@pytest.mark.skipif(sys.platform == "win32", reason="the interpreter is a shell script")
def test_a_python_without_torch_is_a_finding(lint, tmp_path):
    bare = tmp_path / "bare-python"
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n', encoding="utf-8")
    bare.chmod(0o755)
    result, found = lint("--module", "lib", "--python", str(bare))
    assert result.exit_code == 2
    assert found == {
        ("<module torch>", "OPG822", "'torch' can't be imported: ModuleNotFoundError: No module named 'torch'")
    }

    result, found = lint("--module", "lib", "--python", "no-such-python")
    assert result.exit_code == 2
    assert found == {
        ("<module lib>", "OPG198", "'lib' can't be imported: 'no-such-python' can't be run: No such file or directory")
    }
