"""One opgen at a time."""

import os
import subprocess
import sys
import time
from pathlib import Path

from opgen.emit import codes
from opgen.emit.workspace import exclusive

HOLD = """
import sys, time, pathlib
from opgen.emit.workspace import exclusive
with exclusive(pathlib.Path.cwd()) as problem:
    print("held", problem, flush=True)
    time.sleep(60)
"""


def holder(folder):
    process = subprocess.Popen([sys.executable, "-c", HOLD], cwd=folder, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held None\n"
    return process


def test_the_second_opgen_is_told_who_holds_the_project_and_for_how_long(tmp_path):
    with holder(tmp_path) as process:
        waits = []
        with exclusive(tmp_path, patience=0.2, on_wait=waits.append) as problem:
            assert problem.code is codes.LOCKED
            assert f"process {process.pid}, for 0 s" in problem.message
        assert len(waits) == 1
        process.kill()


def test_a_lock_of_a_killed_process_is_free(tmp_path):
    with holder(tmp_path) as process:
        process.kill()
    start = time.monotonic()
    with exclusive(tmp_path, patience=5) as problem:
        assert problem is None
        assert str(os.getpid()) in (tmp_path / "build/opgen/lock.json").read_text()
    assert time.monotonic() - start < 5


def test_the_work_folder_is_left_out_of_git(tmp_path):
    with exclusive(tmp_path):
        pass
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    status = subprocess.run(["git", "status", "--porcelain"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert status.stdout == ""


def test_a_work_folder_that_cannot_be_made_is_a_finding(tmp_path):
    (tmp_path / "build").write_text("")
    with exclusive(tmp_path) as problem:
        assert problem.code is codes.UNUSABLE
        assert "build/opgen" in problem.message


def test_a_project_that_cannot_be_made_is_named_in_full(tmp_path):
    root = tmp_path / "project"
    root.symlink_to("nowhere")
    with exclusive(root) as problem:
        assert f"'{root}'" in problem.message


def test_a_lock_that_the_system_refuses_is_a_finding(tmp_path, monkeypatch):
    (tmp_path / "build/opgen/lock").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    with exclusive(Path()) as problem:
        assert problem.code is codes.UNUSABLE
        assert problem.message == "can't use 'build/opgen/lock': is a directory"
