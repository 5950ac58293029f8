"""docs/status.md: its files are written, its commands print what it says."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "docs" / "status.md"
PAGE = FILE.read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(?P<language>\w+)(?: file=(?P<file>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
STATUSES = [0, 0, 1]


def test_its_commands_print_what_it_says(tmp_path):
    statuses = []
    for block in BLOCK.finditer(PAGE):
        if block["file"]:
            file = tmp_path / block["file"]
            file.parent.mkdir(exist_ok=True)
            file.write_text(block["text"], encoding="utf-8")
        elif block["language"] == "console":
            command, _, expected = block["text"].removeprefix("$ ").partition("\n")
            done = subprocess.run(
                [sys.executable, "-m", *shlex.split(command)],
                cwd=tmp_path,
                env={**os.environ, "NO_COLOR": "1"},
                capture_output=True,
                text=True,
                encoding="utf-8",
                check=False,
            )
            if os.environ.get("OPGEN_UPDATE_GOLDEN"):
                text = FILE.read_text(encoding="utf-8")
                FILE.write_text(text.replace(block["text"], f"$ {command}\n{done.stdout}"), encoding="utf-8")
            else:
                assert done.stdout == expected, done.stderr
            statuses.append(done.returncode)
    assert statuses == STATUSES
