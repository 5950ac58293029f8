"""Generated ops do what ATen's do in every situation, or differ on purpose; `docs/aten-parity.md` is the outcome."""

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from filelock import FileLock

from opgen.build.toolchain import Toolchain, find_toolchain

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "aten-parity.md"
NAMES = {"stable": "twins", "classic": "classic_twins"}
ROW = re.compile(r"^\| (\w.*?) \| (.*) \|$", re.MULTILINE)


def rows(page):
    """The rows of the tables of situations: name -> entries."""
    return dict(ROW.findall(page.partition("\n## ")[2]))


ROWS = rows(PAGE.read_text(encoding="utf-8"))

pytestmark = [
    pytest.mark.compile,
    pytest.mark.torch,
    pytest.mark.skipif(
        not isinstance(find_toolchain(None, (2, 10)), Toolchain), reason="no C++ compiler, ninja or torch to build with"
    ),
]


def run(*command, cwd):
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=cwd,
        env={**os.environ, "CXXFLAGS": "-O0"},  # an optimiser would take longer than all calls
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def write_library(folder, abi):
    """Copy declaration and kernels; one process can't hold a namespace twice, so each ABI has its own."""
    for path in (HERE / "ops.yaml", *(HERE / "kernels").rglob("*.*")):
        text = path.read_text(encoding="utf-8").replace("twins", NAMES[abi])
        target = folder / path.relative_to(HERE)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text.replace("opgen: 1\n", f"opgen: 1\nabi: {abi}\n"), encoding="utf-8")


@pytest.fixture(scope="session")
def observations(tmp_path_factory):
    """A file with what is seen of ATen and of both builds; made once, however many processes run the tests."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "twins"
    folder.mkdir(exist_ok=True)
    file = folder / "observations.json"
    with FileLock(folder / "lock"):
        if not file.is_file():
            for abi in NAMES:
                write_library(folder / abi, abi)
                run("-m", "opgen", "build", cwd=folder / abi)
            subjects = {abi: (f"{name}_ops", folder / abi / "generated") for abi, name in NAMES.items()}
            commands = {"aten": ("observe.py", "aten")}
            commands |= {abi: ("observe.py", *subject) for abi, subject in subjects.items()}
            with ThreadPoolExecutor(2) as pool:
                seen = dict(
                    zip(commands, pool.map(lambda command: run(*command, cwd=HERE), commands.values()), strict=True)
                )
            file.write_text(json.dumps({name: json.loads(text) for name, text in seen.items()}), encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def page(observations):
    text = run("page.py", observations, cwd=HERE)
    if os.environ.get("OPGEN_UPDATE_GOLDEN"):
        PAGE.write_text(text, encoding="utf-8")
    return text


@pytest.mark.parametrize("situation", ROWS)
def test_every_form_equals_aten_or_differs_on_purpose(page, situation):
    assert rows(page)[situation] == ROWS[situation]


def test_the_page_shows_what_is_observed(page):
    assert page == PAGE.read_text(encoding="utf-8")


def test_no_difference_is_left_unexplained():
    words = {"", *re.findall(r"^\*\*(.*)\.\*\* ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)}
    entries = {entry for row in ROWS.values() for entry in row.split(" | ")}
    assert {entry.strip() for entry in entries if not entry.startswith("=")} <= words
