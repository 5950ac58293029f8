"""docs/op-pages.md: its declaration is documented, the page that it shows is the one that is written, its site is built."""

import os
import re
import subprocess
import sys
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "docs" / "op-pages.md"
PAGE = FILE.read_text(encoding="utf-8")
BLOCK = re.compile(r"^````?(?P<language>\w+) file=(?P<file>\S+)\n(?P<text>.*?)^````?$", re.MULTILINE | re.DOTALL)
FILES = {block["file"]: block["text"] for block in BLOCK.finditer(PAGE)}
SHOWN = re.compile(r"(?<=^````markdown file=expected/smooth.md\n).*?(?=^````$)", re.MULTILINE | re.DOTALL)


def opgen(folder, *arguments):
    command = [sys.executable, "-m", "opgen", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)


def test_it_shows_what_is_written(tmp_path):
    (tmp_path / "ops.yaml").write_text(FILES["ops.yaml"], encoding="utf-8")
    for command, expected in re.findall(r"^\$ opgen (.*)\n(.*)$", PAGE, re.MULTILINE):
        done = opgen(tmp_path, *command.split())
        assert (done.returncode, done.stderr.strip()) == (0, expected)
    signed, _, page = (tmp_path / "docs/operators/smooth.md").read_text(encoding="utf-8").partition("\n\n")
    assert "@generated" in signed
    if os.environ.get("OPGEN_UPDATE_GOLDEN"):
        FILE.write_text(SHOWN.sub(lambda _: page, FILE.read_text(encoding="utf-8")), encoding="utf-8")
    assert SHOWN.search(FILE.read_text(encoding="utf-8"))[0] == page
    assert "(smooth.md)" in (tmp_path / "docs/operators/index.md").read_text(encoding="utf-8")


def test_a_page_of_somebody_else_is_kept(tmp_path):
    (tmp_path / "ops.yaml").write_text(FILES["ops.yaml"], encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# Mine\n", encoding="utf-8")

    done = opgen(tmp_path, "docs", "docs")

    assert done.returncode == 1
    assert "docs/index.md" in done.stdout or "index.md" in done.stdout
    assert [path.name for path in (tmp_path / "docs").iterdir()] == ["index.md"]
    assert opgen(tmp_path, "docs", "docs", "--index", "operators.md").returncode == 0
