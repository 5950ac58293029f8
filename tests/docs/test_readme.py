"""README.md and docs/tutorial.md, followed word for word: files are written, commands run, what they print is compared."""

import os
import platform
import re
import shlex
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
PAGES = {name: (PROJECT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/tutorial.md")}
BLOCK = re.compile(r"^```(?P<language>\w+)(?: file=(?P<file>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def run(command: list[str], folder: Path) -> str:
    environment = {**os.environ, "NO_COLOR": "1"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    # "nothing found" and the like are progress, which a terminal shows too; the lines of ninja differ from run to run.
    progress = [
        line
        for line in done.stderr.splitlines()
        if re.fullmatch(r"nothing found|.* files (?:written|changed)|new kernel.*", line)
    ]
    return "\n".join([*progress, *done.stdout.splitlines()])


def run_line(program: str, arguments: list[str], folder: Path) -> str:
    """Run a line of a page as a shell would, with the programs of the tests; a new environment has their packages."""
    if (program, *arguments[:2]) == ("python", "-m", "venv"):
        venv.create(folder / arguments[2], with_pip=False)
        (site,) = folder.glob(f"{arguments[2]}/lib/python*/site-packages")
        (site / "outer.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
        return ""
    arguments = [each for one in arguments for each in (map(str, folder.glob(one)) if "*" in one else [one])]
    environment, _, program = program.rpartition("/bin/")
    python = f"{environment}/bin/python" if environment else sys.executable
    if environment and program == "pip":
        return run([sys.executable, "-m", "pip", "--python", python, *arguments, "--no-deps", "--no-index"], folder)
    assert program in {"opgen", "pip"} or environment
    return run([python, *([] if program == "python" else ["-m", program]), *arguments], folder)


def without_machine(text: str) -> str:
    """Leave out what is of no interest to the reader, and differs by machine or with each release."""
    text = re.sub(r"(?m)^\d+ files", "n files", text.strip())
    text = re.sub(r"linux_\w+", "linux_m", text)
    return re.sub(r"(?m)^  (system  linux_m|needs   libtorch_cpu.so|torch   >=2.10: ).*", r"  \1", text)


@pytest.mark.compile
@pytest.mark.torch
@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_true(page, tmp_path):
    pytest.importorskip("torch")
    printed = ""
    for block in BLOCK.finditer(PAGES[page]):
        text = block["text"]
        if block["file"]:
            file = tmp_path / block["file"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        elif block["language"] == "console":
            for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
                program, *arguments = shlex.split(command.replace("linux_x86_64", f"linux_{platform.machine()}"))
                printed = run_line(program, arguments, tmp_path)
                assert without_machine(printed) == without_machine(expected), command
        elif block["language"] == "python":
            printed = run([sys.executable, "-c", text], tmp_path)
        elif block["language"] == "output":
            assert printed.strip() == text.strip()


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\((?!https?:)([^)#]+)", BLOCK.sub("", PAGES["README.md"])))))
def test_a_link_leads_somewhere(link):
    assert (PROJECT / link).exists()
