"""Generated Python is as a formatter and a strict type checker want it, whatever names and texts a library brings."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def contracts(tmp_path_factory, case_project):
    return case_project(tmp_path_factory.mktemp("contracts"), "contracts")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory, case_project):
    return case_project(tmp_path_factory.mktemp("hostile"), "hostile")


@pytest.fixture(params=["contracts", "hostile"])
def generated(request):
    return request.getfixturevalue(request.param)


def run(name, *arguments, folder):
    """Run a tool that stands beside the interpreter, or on the path."""
    tool = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if tool is None:
        pytest.skip(f"{name} is not installed")
    result = subprocess.run([tool, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_formatter_would_change_nothing(generated):
    run("ruff", "format", "--diff", "generated", folder=generated.folder)


def test_the_linter_finds_no_mistake_and_no_unsorted_import(generated):
    rules = "E4,E7,E9,F,I,UP"
    settings = ("--isolated", "--target-version", "py310", "--line-length", "120")  # its own ones leave linting out
    run("ruff", "check", *settings, "--select", rules, "generated", folder=generated.folder)


def test_a_project_that_selects_every_rule_sees_none_broken_in_generated_code(generated):
    run("ruff", "check", "--select", "ALL", "generated", folder=generated.folder)


def test_a_strict_type_checker_finds_nothing_in_the_package(hostile, type_check):
    assert type_check("-p", hostile.package, folder=hostile.folder / "generated") == []


def test_a_strict_type_checker_finds_nothing_in_the_tests(contracts, type_check):
    assert type_check(".", folder=contracts.folder / "generated/tests", MYPYPATH=".") == []
