"""README.md, followed word for word: its files are written, its commands run, what they print is compared."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
README = (PROJECT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(?P<language>\w+)(?: file=(?P<file>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def run(command: list[str], folder: Path) -> str:
    environment = {**os.environ, "NO_COLOR": "1"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    # "nothing found" and the like are progress, which a terminal shows too; the lines of ninja differ from run to run.
    progress = [line for line in done.stderr.splitlines() if re.fullmatch(r"nothing found|.* files changed", line)]
    return "\n".join([*progress, *done.stdout.splitlines()])


def without_counts(text: str) -> str:
    """How many files a library of one op has is of no interest to the reader."""
    return re.sub(r"\d+ of \d+ files", "n of n files", text.strip())


@pytest.mark.compile
@pytest.mark.torch
def test_the_readme_is_true(tmp_path):
    pytest.importorskip("torch")
    printed = ""
    for block in BLOCK.finditer(README):
        text = block["text"]
        if block["file"]:
            file = tmp_path / block["file"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        elif block["language"] == "console":
            for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
                program, *arguments = shlex.split(command)
                assert program == "opgen"
                printed = run([sys.executable, "-m", "opgen", *arguments], tmp_path)

                assert without_counts(printed) == without_counts(expected), command
        elif block["language"] == "python":
            printed = run([sys.executable, "-c", text], tmp_path)
        elif block["language"] == "output":
            assert printed.strip() == text.strip()


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\((?!https?:)([^)#]+)", BLOCK.sub("", README)))))
def test_a_link_leads_somewhere(link):
    assert (PROJECT / link).exists()
