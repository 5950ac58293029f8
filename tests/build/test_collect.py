"""Which files a run reads, and what patterns mean."""

import os
from pathlib import Path, PurePath

import pytest

from opgen.build.collect import collect, kind_of
from opgen.build.globs import excluder, matches


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("a.cpp", "a.cpp", True),
        ("a.cpp", "x/y/a.cpp", True),
        ("third_party", "x/third_party/y/a.cpp", True),
        ("*.cpp", "x/a.cpp", True),
        ("*.cpp", "x/a.cpp.txt", False),
        ("a?.cpp", "ab.cpp", True),
        ("a[bc].cpp", "ac.cpp", True),
        ("a[!bc].cpp", "ac.cpp", False),
        ("x/*.cpp", "x/a.cpp", True),
        ("x/*.cpp", "x/y/a.cpp", False),
        ("x/*.cpp", "w/x/a.cpp", False),
        ("x/**/*.cpp", "x/a.cpp", True),
        ("x/**/*.cpp", "x/y/z/a.cpp", True),
        ("x/**", "x/y/a.cpp", True),
        ("**/x/a.cpp", "x/a.cpp", True),
        ("**/x/a.cpp", "w/v/x/a.cpp", True),
        ("x/y", "x/y/z/a.cpp", True),
        ("x/y", "x/yz/a.cpp", False),
        ("/x", "x/a.cpp", True),
        ("/x", "w/x/a.cpp", False),
        ("./x/a.cpp", "x/a.cpp", True),
        ("x/", "x/a.cpp", True),
        ("[c-a].cpp", "[c-a].cpp", True),
        ("[c-a].cpp", "b.cpp", False),
        ("[[a].cpp", "[.cpp", True),
        ("[!^a].cpp", "b.cpp", True),
        ("[!^a].cpp", "^.cpp", False),
        ("[a&&b].cpp", "&.cpp", True),
        ("csrc[!x]a.cpp", "csrc/a.cpp", False),
        ("/csrc[!x]a.cpp", "csrc/a.cpp", False),
        ("a+b(c).cpp", "a+b(c).cpp", True),
    ],
)
def test_a_pattern_means_what_it_means_in_other_tools(pattern, path, expected):
    assert matches(pattern, PurePath(path)) is expected


def test_files_are_sorted_by_kind_and_each_is_read_once(tmp_path):
    names = [
        "ops.yaml",
        "other.yaml",
        "a.cpp",
        "b.cu",
        "c.h",
        "d.py",
        "e.txt",
        "sub/ops.yaml",
        "sub/f.CPP",
        "skip/g.py",
    ]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()

    sources = collect([tmp_path, tmp_path / "d.py", tmp_path / "skip/g.py"], lambda path: path.name == "skip")

    def shown(paths):
        return [path.relative_to(tmp_path).as_posix() for path in paths]

    assert shown(sources.declarations) == ["ops.yaml", "sub/ops.yaml"]
    assert shown(sources.cpp) == ["a.cpp", "b.cu", "c.h", "sub/f.CPP"]
    assert shown(sources.python) == ["d.py", "skip/g.py"]
    assert len(sources) == 8


def test_of_yaml_that_is_named_any_is_a_declaration(tmp_path):
    file = tmp_path / "other.yml"
    file.touch()
    assert collect([file]).declarations == (file,)
    assert kind_of(Path("notes.txt")) is None


def test_links_that_lead_nowhere_and_pipes_are_not_met_in_a_folder(tmp_path):
    (tmp_path / "a.cpp").touch()
    (tmp_path / ".#a.cpp").symlink_to("user@machine.1:2")
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "up").symlink_to(tmp_path, target_is_directory=True)
    os.mkfifo(tmp_path / "pipe.cpp")
    sources = collect([tmp_path])
    assert sources.cpp == (tmp_path / "a.cpp",)
    assert len(sources) == 1


def test_what_is_named_is_read_wherever_it_lies(tmp_path):
    project = tmp_path / "build" / ".hidden" / "project"
    for name in ("a.cpp", "csrc/generated/b.cpp", "csrc/c.cpp", ".d/e.cpp"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).touch()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    def found(*paths, root=project):
        patterns = (".*", "build", "csrc/generated")
        return sorted(path.name for path in collect(paths, excluder(patterns, root)).cpp)

    assert found(project) == ["a.cpp", "c.cpp"]
    assert found(project, root=elsewhere) == ["a.cpp", "b.cpp", "c.cpp"]
    assert found(elsewhere / ".." / "build" / ".hidden" / "project") == ["a.cpp", "c.cpp"]
    assert found(project / ".d", project / "csrc" / "generated") == ["b.cpp", "e.cpp"]
