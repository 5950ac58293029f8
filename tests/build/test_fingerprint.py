"""Nothing to do, or something."""

import os
import time

import pytest

from opgen.build import fingerprint
from opgen.build.fingerprint import Inputs


@pytest.fixture
def inputs(tmp_path):
    for name in ("ops.yaml", "generated.py", "kernel.cpp"):
        (tmp_path / name).write_text("old")
    paths = (str(tmp_path / name) for name in ("ops.yaml", "generated.py", "kernel.cpp"))
    source, watched, expected = paths
    made = Inputs({"python": "p"}, (source,), (watched,), (expected,), "ninja")
    fingerprint.save(tmp_path, made, time.time_ns() + 1)
    return made


def test_what_was_saved_holds_until_something_changes(tmp_path, inputs):
    assert fingerprint.unchanged(tmp_path, {"python": "p"}) == inputs


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "ops.yaml").write_text("new"),
        lambda folder: (folder / "generated.py").write_text("longer"),
        lambda folder: os.utime(folder / "generated.py", (1, 1)),
        lambda folder: (folder / "generated.py").unlink(),
        lambda folder: (folder / "kernel.cpp").unlink(),
        lambda folder: (folder / "state.json").write_text("{"),
        lambda folder: (folder / "state.json").write_text("[]"),
        fingerprint.forget,
    ],
)
@pytest.mark.usefixtures("inputs")
def test_each_change_is_noticed(tmp_path, change):
    change(tmp_path)
    assert fingerprint.unchanged(tmp_path, {"python": "p"}) is None


def test_a_changed_kernel_or_an_untouched_declaration_is_left_to_ninja(tmp_path, inputs):
    (tmp_path / "kernel.cpp").write_text("new")
    os.utime(tmp_path / "ops.yaml", (1, 1))
    assert fingerprint.unchanged(tmp_path, {"python": "p"}) == inputs


@pytest.mark.usefixtures("inputs")
def test_other_options_are_another_build(tmp_path):
    assert fingerprint.unchanged(tmp_path, {"python": "q"}) is None
    assert fingerprint.unchanged(tmp_path, {"python": "p", "CXX": "clang++"}) is None


def test_a_declaration_that_was_saved_during_the_build_is_not_taken_for_built(tmp_path, inputs):
    fingerprint.forget(tmp_path)
    fingerprint.save(tmp_path, inputs, (tmp_path / "ops.yaml").stat().st_mtime_ns - 1)
    assert fingerprint.unchanged(tmp_path, {"python": "p"}) is None
