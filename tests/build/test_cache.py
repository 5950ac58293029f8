"""What is kept between runs, and what undoes it."""

import os
import time

import pytest

from opgen.build.cache import Cache, default_folder, versions


def test_what_was_written_is_read_again(tmp_path):
    cache = Cache(tmp_path / "new" / "folder")
    assert cache.read("key") is None
    cache.write("key", "a text\nof lines ✓")
    assert cache.read("key") == "a text\nof lines ✓"
    assert cache.read("another key") is None
    cache.write("key", "")
    assert cache.read("key") == ""


@pytest.mark.parametrize("damage", [b"", b"x", b"\n", b"\xff" * 100])
def test_a_damaged_file_was_never_kept(tmp_path, damage):
    cache = Cache(tmp_path)
    cache.write("key", "text")
    [file] = tmp_path.iterdir()
    whole = file.read_bytes()
    for content in (damage, whole[:-1], whole + b"x", whole.replace(b"text", b"texT")):
        file.write_bytes(content)
        assert cache.read("key") is None
    cache.write("key", "text")
    assert cache.read("key") == "text"


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path):
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file" / "folder")
    cache.write("key", "text")
    assert cache.read("key") is None


def test_a_file_is_replaced_as_a_whole(tmp_path):
    cache = Cache(tmp_path)
    cache.write("key", "one")
    [file] = tmp_path.iterdir()
    with file.open("rb") as reader:
        cache.write("key", "two")
        assert reader.read().endswith(b"one")
    assert [entry.name for entry in tmp_path.iterdir()] == [file.name]


def test_old_results_are_dropped_and_nothing_else(tmp_path):
    cache = Cache(tmp_path)
    cache.write("old", "text")
    (tmp_path / "own.txt").write_text("the user's")
    for file in tmp_path.iterdir():
        os.utime(file, (1, 1))
    cache.write("new", "text")
    assert cache.read("old") is None
    assert cache.read("new") == "text"
    assert (tmp_path / "own.txt").exists()


@pytest.mark.skipif(os.name == "nt", reason="the folder is another one there")
def test_the_folder_is_the_one_that_was_named_or_the_platforms(monkeypatch, tmp_path):
    monkeypatch.setenv("OPGEN_CACHE_DIR", str(tmp_path))
    assert default_folder() == tmp_path
    monkeypatch.setenv("OPGEN_CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/caches")
    assert default_folder().as_posix() == "/var/caches/opgen"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_folder() == tmp_path / ".cache/opgen"


@pytest.mark.skipif(os.name == "nt", reason="the folder is another one there")
def test_for_a_user_without_a_home_nothing_is_kept(monkeypatch):
    for name in ("OPGEN_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # as where neither HOME nor the system knows one
    cache = Cache(default_folder())
    cache.write("key", "text")
    assert cache.read("key") is None


def test_a_touched_source_is_another_version(monkeypatch, tmp_path):
    file = tmp_path / "module.py"
    file.write_text("x = 1")
    monkeypatch.setattr("opgen.build.cache.own_files", lambda: iter([str(file)]))
    before = versions()
    assert versions() == before
    os.utime(file, (time.time(), 1))
    assert versions() != before
