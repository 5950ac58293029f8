"""The step-by-step guides, followed word for word: files are written and patched, commands run, what they print is compared."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
NEEDS = {"adopting": ["cmake", "ninja"], "stable-abi": [], "cuda": ["nvcc"], "triton": []}
BLOCK = re.compile(
    r"^```(?P<language>\w+)(?: file=(?P<file>\S+))?\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


@pytest.fixture
def shell(tmp_path):
    """Run a line of a page in a folder of its own, where `opgen` and `python` are those of the tests."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, command in {"opgen": f"{sys.executable} -m opgen", "python": sys.executable}.items():
        (programs / name).write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
        (programs / name).chmod(0o755)
    folder = tmp_path / "project"
    folder.mkdir()
    path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "NO_COLOR": "1"}

    def run(line, given=None):
        # What a page puts before a command, `PYTHONPATH=.:generated`, does not hide the opgen under test.
        line = re.sub(r"^PYTHONPATH=(\S+)", r"PYTHONPATH=\1${PYTHONPATH:+:$PYTHONPATH}", line)
        return subprocess.run(
            ["sh", "-c", line],
            cwd=folder,
            env=environment,
            input=given,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    run.folder = folder
    return run


@pytest.mark.compile
@pytest.mark.torch
@pytest.mark.parametrize("page", NEEDS)
def test_a_guide_is_true(page, shell):
    pytest.importorskip("torch")
    pytest.importorskip("triton" if page == "triton" else "torch", reason="triton is not installed")
    if missing := [program for program in NEEDS[page] if shutil.which(program) is None]:
        pytest.skip(f"{', '.join(missing)} is not installed")
    ran = 0
    for block in BLOCK.finditer((DOCS / f"{page}.md").read_text(encoding="utf-8")):
        if block["file"]:
            file = shell.folder / block["file"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block["text"], encoding="utf-8")
        elif block["language"] == "diff":
            patched = shell("git apply -p0", block["text"])
            assert patched.returncode == 0, patched.stderr
        elif block["language"] == "console":
            for line, expected in COMMAND.findall(block["text"]):
                done = shell(line)
                note = "nothing found\n" if "nothing found" in done.stderr else ""
                assert not expected or note + done.stdout == expected, f"{line}\n{done.stdout}{done.stderr}"
                assert expected or done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
                ran += 1
    assert ran
