"""Ninja files: paths that need escapes, and what is read back from a run."""

import shutil
import subprocess

import pytest

from opgen.build import ninja
from opgen.build.ninja import NINJA_FILE
from opgen.build.run_ninja import is_up_to_date, remove_dead_outputs, run_ninja
from opgen.build.toolchain import find_ninja

NINJA = find_ninja()
pytestmark = pytest.mark.skipif(not isinstance(NINJA, str), reason="ninja is not installed")

NAMES = ["plain.txt", "with space.txt", "a:b.txt", "$HOME.txt", "ünï.txt", "it's.txt", "semi;colon & more.txt"]


def project(folder, statements):
    (folder / "build/opgen").mkdir(parents=True, exist_ok=True)
    (folder / NINJA_FILE).write_text("\n".join(statements), encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_a_path_is_built_and_known_again_whatever_its_name(tmp_path, name):
    root = tmp_path / f"in {name}"
    root.mkdir()
    (root / name).write_text("content")
    copy = ninja.rule("copy", "cp $in $out", description="$in")
    project(root, [copy, ninja.build(f"out/{name}", "copy", [name], implicit=[name])])
    steps = []
    run = run_ninja(NINJA, root, None, steps.append)
    assert (len(steps), run.outcomes, run.complaint) == (1, (), "")
    assert (root / "out" / name).read_text() == "content"
    assert is_up_to_date(NINJA, root)


def test_a_path_with_a_line_break_is_a_bug():
    with pytest.raises(ValueError, match="line break"):
        ninja.path("a\nb")


@pytest.mark.parametrize("word", ["two words", "$dollar", "back\\slash", "'single'", '-DX="text"', "`date`", "$(date)"])
def test_a_word_of_a_command_arrives_as_it_was(tmp_path, word):
    project(tmp_path, [ninja.rule("say", f"printf %s {ninja.command(word)} > $out"), ninja.build("out", "say", [])])
    run_ninja(NINJA, tmp_path, None, lambda _: None)
    assert (tmp_path / "out").read_text() == word


def test_one_failure_does_not_hide_another_and_output_stays_with_its_command(tmp_path):
    shell = ninja.rule("shell", "sh $in && touch $out", description="$what")
    scripts = {"a.sh": "echo first; exit 1", "$b c.sh": "true", "d.sh": "echo third >&2; exit 3", "e.sh": "echo mild"}
    for name, text in scripts.items():
        (tmp_path / name).write_text(text)
    builds = [ninja.build(f"{name}.done", "shell", [name], what=ninja.text(name)) for name in scripts]
    project(tmp_path, [shell, *builds, ninja.build("all.done", "shell", [f"{name}.done" for name in scripts])])
    steps = []
    run = run_ninja(NINJA, tmp_path, 1, steps.append)
    outcomes = {(outcome.what, outcome.failed, outcome.output) for outcome in run.outcomes}
    assert outcomes == {("a.sh", True, "first\n"), ("d.sh", True, "third\n"), ("e.sh", False, "mild\n")}
    assert {step.what for step in steps} == set(scripts)
    assert steps[-1].total == 5
    assert not (tmp_path / "all.done").exists()
    assert not is_up_to_date(NINJA, tmp_path)


def test_ninjas_own_complaint_is_kept(tmp_path):
    project(tmp_path, [ninja.rule("copy", "cp $in $out"), ninja.build("out", "copy", ["missing"])])
    steps = []
    run = run_ninja(NINJA, tmp_path, None, steps.append)
    assert steps == []
    assert "'missing', needed by 'out'" in run.complaint


def test_a_ninja_that_fails_in_silence_is_no_success_and_one_that_is_gone_knows_nothing(tmp_path):
    project(tmp_path, [])
    silent = tmp_path / "ninja"
    silent.write_text("#!/bin/sh\nexit 3\n")
    silent.chmod(0o755)
    assert run_ninja(str(silent), tmp_path, None, lambda _: None).complaint == "it ended with status 3"
    silent.unlink()
    assert not is_up_to_date(str(silent), tmp_path)


def test_what_an_earlier_file_built_is_removed(tmp_path):
    touch = ninja.rule("touch", "touch $out")
    project(
        tmp_path, ["builddir = build/opgen\n", touch, ninja.build("old", "touch", []), ninja.build("new", "touch", [])]
    )
    run_ninja(NINJA, tmp_path, None, lambda _: None)
    project(tmp_path, ["builddir = build/opgen\n", touch, ninja.build("new", "touch", [])])
    remove_dead_outputs(NINJA, tmp_path)
    assert not (tmp_path / "old").exists()
    assert (tmp_path / "new").exists()


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
@pytest.mark.compile
def test_headers_are_followed_through_spaces_and_dollars(tmp_path):
    root = tmp_path / "a b"
    folder = root / "head ers$"
    folder.mkdir(parents=True)
    (folder / "x y.h").write_text("#define VALUE 1\n")
    (root / "unit one.cpp").write_text('#include "x y.h"\nint value = VALUE;\n')
    command = f"g++ {ninja.command('-I', 'head ers$')} -MMD -MF $out.d -c $in -o $out"
    compile_ = ninja.rule("compile", command, deps="gcc", depfile="$out.d")
    project(root, [compile_, ninja.build("build/opgen/unit one.o", "compile", ["unit one.cpp"])])
    assert run_ninja(NINJA, root, None, lambda _: None).outcomes == ()
    assert is_up_to_date(NINJA, root)
    (folder / "x y.h").write_text("#define VALUE 2  // longer\n")
    assert not is_up_to_date(NINJA, root)
    subprocess.run([NINJA, "-f", NINJA_FILE], cwd=root, check=True, capture_output=True)
    assert is_up_to_date(NINJA, root)
