"""Who is waited for before compilers are started."""

import errno
import subprocess
import sys

import pytest

from opgen.build.orphans import after_orphans, orphans_at_work
from opgen.emit.workspace import work_folder

if sys.platform == "win32":
    pytest.skip("Windows knows no such locks", allow_module_level=True)


def test_a_server_that_a_launcher_leaves_behind_is_not_waited_for(tmp_path):
    work_folder(tmp_path)
    with after_orphans(tmp_path) as inherited:
        server = subprocess.Popen(["sleep", "60"], pass_fds=inherited)
    waiting = "import sys, pathlib; from opgen.build.orphans import after_orphans as a; a(pathlib.Path(sys.argv[1])).__enter__()"
    try:
        subprocess.run([sys.executable, "-c", waiting, tmp_path], timeout=30, check=True)
    finally:
        server.kill()
        server.wait()


def test_compilers_at_work_are_noticed_and_what_was_started_later_is_not(tmp_path):
    assert not orphans_at_work(tmp_path)
    work_folder(tmp_path)
    with after_orphans(tmp_path) as inherited:
        assert orphans_at_work(tmp_path)
        server = subprocess.Popen(["sleep", "60"], pass_fds=inherited)
    try:
        assert not orphans_at_work(tmp_path)
    finally:
        server.kill()
        server.wait()


def test_a_file_system_without_locks_is_no_obstacle(tmp_path, monkeypatch):
    def refuse(_file, _operation):
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    work_folder(tmp_path)
    (tmp_path / "build/opgen/compilers.lock").touch()
    assert not orphans_at_work(tmp_path)
    with after_orphans(tmp_path) as inherited:
        assert inherited
