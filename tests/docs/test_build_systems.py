"""The page about build systems: its files are those of the examples, its options exist, and its commands are run."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.cli.group import opgen

PROJECT = Path(__file__).parents[2]
PAGE = (PROJECT / "docs/build-systems.md").read_text(encoding="utf-8")
FILES = re.findall(r"```\w+ file=(\S+)\n(.*?)```", PAGE, re.DOTALL)
OPTIONS = re.findall(r"`opgen (\w+)([^`]*)`", PAGE)
LINKS = re.findall(r"\]\(([^)#]+)", PAGE)


@pytest.mark.parametrize(("name", "text"), FILES, ids=[name for name, _ in FILES])
def test_a_file_of_the_page_is_that_of_the_example(name, text):
    assert (PROJECT / name).read_text(encoding="utf-8") == text


def test_the_signature_is_that_of_the_function():
    (shown,) = re.findall(r"```cmake signature\n(.*?)```", PAGE, re.DOTALL)
    source = (PROJECT / "codegen/opgen/integrations/cmake/opgenLibrary.cmake").read_text(encoding="utf-8")
    assert source.startswith("".join(f"# {line}\n" for line in shown.splitlines()))


@pytest.mark.parametrize(("verb", "words"), OPTIONS)
def test_every_option_of_a_command_exists(verb, words):
    known = {name for parameter in opgen.get_command(None, verb).params for name in parameter.opts}
    assert {word for word in words.split() if word.startswith("-")} <= known


def test_the_table_of_options_names_their_variables():
    parameters = {name: parameter for parameter in opgen.get_command(None, "build").params for name in parameter.opts}
    rows = re.findall(r"^\| `(--\w+)[^|]*\| ([^|]*) \|", PAGE, re.MULTILINE)
    assert rows
    for option, variables in rows:
        envvar = parameters[option].envvar
        assert variables.replace("`", "").split(", ") == ([envvar] if isinstance(envvar, str) else envvar)


@pytest.mark.parametrize("link", LINKS)
def test_a_link_leads_somewhere(link):
    assert (PROJECT / "docs" / link).exists()


def test_the_commands_of_the_page_are_run(tmp_path):
    shutil.copytree(PROJECT / "examples/cmake-ninja", tmp_path / "signals", ignore=shutil.ignore_patterns("build"))
    shims = tmp_path / "bin"
    shims.mkdir()
    for name, command in {"opgen": f"{sys.executable} -m opgen", "python": sys.executable}.items():
        (shims / name).write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
        (shims / name).chmod(0o755)
    environment = {**os.environ, "PATH": f"{shims}{os.pathsep}{os.environ['PATH']}"}
    (block,) = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    for command, expected in re.findall(r"^\$ ([^\n]+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        done = subprocess.run(
            ["sh", "-c", command], cwd=tmp_path / "signals", env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout == expected
