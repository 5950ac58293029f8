"""``opgen build --watch``: it builds when it starts and after each save, and ends by Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from queue import Queue

import click
import pytest

from opgen.cli import watch

WAIT = 60  # seconds


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("ops.yaml", True),
        ("ops/norms.yaml", True),
        ("kernels/cpu/build.cpp", True),
        ("kernels/cuda/norm.cuh", True),
        ("opgen-templates/cpp/unit.cpp.j2", True),
        ("kernels/cpu/.norm.cpp", False),
        ("kernels/cpu/norm.cpp~", False),
        ("kernels/cpu/__pycache__/norm.py", False),
        ("generated/csrc/units/library.cpp", False),
        ("build/opgen/build.ninja.h", False),
        (".git/config.toml", False),
        ("../other/ops.yaml", False),
    ],
)
def test_what_a_build_may_read_is_watched_and_what_it_writes_is_not(path, expected):
    root = Path("/projects/mine")
    assert watch.is_source(Path(os.path.normpath(root / path)), root) is expected


def test_without_watchfiles_it_says_how_to_get_it(monkeypatch, project):
    monkeypatch.setattr(watch, "find_spec", lambda _: None)
    with pytest.raises(click.UsageError, match=r'--watch needs watchfiles: pip install "opgen\[watch\]"'):
        next(watch.saves(project))


def test_a_save_builds_again_and_ctrl_c_ends_it(project):
    pytest.importorskip("watchfiles")
    declaration = project / "ops.yaml"
    good = declaration.read_text(encoding="utf-8")
    declaration.write_text(good.replace("Tensor x", "Tesnor x"), encoding="utf-8")  # so nothing is compiled here
    with subprocess.Popen(
        [sys.executable, "-m", "opgen", "build", "--watch"],
        cwd=project,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        # A shell starts what it puts in the background with Ctrl-C switched off, and so this test, perhaps.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - nothing else runs here
    ) as process:
        lines = Queue()
        threading.Thread(target=lambda: [lines.put(line) for line in process.stdout], daemon=True).start()

        def until(words):
            seen = ""
            while words not in seen:
                seen += lines.get(timeout=WAIT)
            return seen

        assert "unknown type 'Tesnor'" in until("waiting for changes; Ctrl-C ends it")
        (project / "generated").mkdir()
        (project / "generated" / "written.cpp").write_text("", encoding="utf-8")
        declaration.write_text(good.replace("Tensor x", "Tenser x"), encoding="utf-8")
        again = until("waiting for changes")
        assert "\nchanged: ops.yaml\n" in again
        assert "unknown type 'Tenser'" in again
        process.send_signal(signal.SIGINT)
        assert process.wait(WAIT) == 130
    assert until("interrupted") == "\ninterrupted\n"
