"""``opgen emit``: a step of other build systems, which depends on all that it reads and touches only what changed."""

import json
import os
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from opgen.integrations.depfile import depfile
from opgen.integrations.sources import SourcesRequest, write_sources

OPS = """\
opgen: 1
namespace: ns
package: acme.ns
include: [more.yaml]
ops:
  - {func: "one(Tensor(a!) x) -> ()", dispatch: {CPU: cpp, CUDA: cuda}}
  - {func: "two(Tensor(a!) x) -> ()", dispatch: {CPU: python}}
  - {func: "three(Tensor(a!) x) -> ()", abi: classic}
"""
MORE = '- {func: "four(int n) -> int", side_effects: true}\n'


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "a $b#c"
    folder.mkdir()
    (folder / "ops.yaml").write_text(OPS, encoding="utf-8")
    (folder / "more.yaml").write_text(f"ops:\n{MORE}", encoding="utf-8")
    return folder


def emit(folder, *options, check=True):
    command = [
        sys.executable,
        "-m",
        "opgen",
        "emit",
        "out",
        "--manifest",
        "out/m.json",
        "--stamp",
        "out/stamp",
        *options,
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0 or not check, done.stdout + done.stderr
    return done


def times(folder):
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name not in {"stamp", "stamp.d", "lock"})
    return {path.relative_to(folder).as_posix(): path.stat().st_mtime_ns for path in paths}


def test_the_manifest_says_what_is_compiled_and_installed(project):
    emit(project)
    found = json.loads((project / "out/m.json").read_text(encoding="utf-8"))
    units = f"{project}/out/generated/csrc/units"
    assert {binary["name"]: (binary["language"], binary["abi"]) for binary in found["binaries"]} == {
        "libacme_ns": ("CXX", "stable"),
        "libacme_ns_cuda": ("CUDA", "stable"),
        "libacme_ns_classic": ("CXX", "classic"),
    }
    assert found["binaries"][0]["units"] == {
        "ALL": [f"{units}/library.cpp"],
        "CPU": [f"{units}/cpu/one.cpp"],
        "CompositeExplicitAutograd": [f"{units}/composite/four.cpp"],
    }
    assert (found["place"], found["torch"]) == ("acme/ns", "2.10")
    assert found["inputs"] == [f"{project}/more.yaml", f"{project}/ops.yaml"]
    assert found["python"][f"{project}/out/generated/acme/ns/__init__.py"] == "acme/ns/__init__.py"
    assert found["python"][f"{project}/kernels/cpu/two.py"] == "acme/ns/_kernels/cpu/two.py"
    assert all(Path(path).exists() for path in [*found["outputs"], *found["python"], found["schema_hash"]])
    assert not any(part in path for path in found["outputs"] for part in ("/tests/", "/docs/"))
    assert all(
        'run "opgen emit".' in Path(path).read_text().partition("\n")[0]
        for path in found["outputs"]
        if path.endswith(".cpp")
    )


def test_skeletons_go_to_the_project_and_nothing_else_does(project):
    done = emit(project)
    assert re.findall(r"new kernel to write: (\S+)", done.stderr) == [
        "kernels/composite/four.cpp",
        "kernels/cpu/one.cpp",
        "kernels/cpu/three.cpp",
        "kernels/cpu/two.py",
        "kernels/cuda/one.cu",
    ]
    assert sorted(path.name for path in project.iterdir()) == ["build", "kernels", "more.yaml", "ops.yaml", "out"]
    assert emit(project).stderr == ""


def test_what_stays_is_not_touched_and_what_goes_is_removed(project):
    emit(project)
    before = times(project / "out")
    (project / "more.yaml").write_text(f"ops:\n{MORE.replace('four', 'five')}", encoding="utf-8")
    emit(project)
    after = times(project / "out")
    assert {name for name in before.keys() ^ after.keys() if name.endswith(".cpp")} == {
        "generated/csrc/units/composite/four.cpp",
        "generated/csrc/units/composite/five.cpp",
    }
    assert before["generated/csrc/units/cpu/one.cpp"] == after["generated/csrc/units/cpu/one.cpp"]
    assert before["schema_hash.h"] != after["schema_hash.h"]
    emit(project)
    assert times(project / "out") == after


def test_a_second_generated_folder_beside_the_declaration_is_left_alone(project):
    subprocess.run([sys.executable, "-m", "opgen", "generate", "-q"], cwd=project, check=True)
    before = times(project / "generated")
    (project / "generated/acme/ns/ops.py").write_text("# by hand\n", encoding="utf-8")
    emit(project)
    assert times(project / "generated").keys() == before.keys()


def test_the_stamp_is_new_though_nothing_was_written_and_missing_where_there_is_a_mistake(project):
    emit(project)
    os.utime(project / "out/stamp", (1, 1))
    emit(project)
    assert (project / "out/stamp").stat().st_mtime > 1
    (project / "out/stamp").unlink()
    (project / "more.yaml").write_text("ops:\n- {func: broken}\n", encoding="utf-8")
    failed = emit(project, check=False)
    assert (failed.returncode, "error[OPG" in failed.stdout) == (1, True)
    assert not (project / "out/stamp").exists()


def test_make_reads_the_depfile(project):
    emit(project)
    rule = "out/stamp:\n\t@echo stale\n-include out/stamp.d\n"
    (project / "Makefile").write_text(
        rule.replace("out/stamp:", f"{project}/out/stamp:".replace("$", "$$").replace(" ", "\\ ").replace("#", "\\#")),
        encoding="utf-8",
    )

    def made():
        command = ["make", "-s", f"{project}/out/stamp"]
        return subprocess.run(command, cwd=project, capture_output=True, text=True, check=True).stdout

    assert "stale" not in made()
    os.utime(project / "more.yaml")
    assert "stale" in made()


def test_a_declaration_that_is_saved_meanwhile_is_newer_than_the_stamp(tmp_path):
    file, stamp = tmp_path / "ops.yaml", tmp_path / "out" / "stamp"
    file.write_text("opgen: 1\nnamespace: ns\nops: [{func: f(int n) -> int}]\n", encoding="utf-8")
    request = SourcesRequest(file, tmp_path / "out", stamp=stamp)
    os.utime(file, ns=(request.started + 1, request.started + 1))

    write_sources(request, print)
    assert stamp.stat().st_mtime_ns < file.stat().st_mtime_ns
    write_sources(replace(request, started=time.time_ns()), print)
    assert stamp.stat().st_mtime_ns > file.stat().st_mtime_ns


def test_a_depfile_escapes_as_compilers_do():
    assert (
        depfile("a b", ["c$d", "e#f", r"g\h", r"i\ j"]) == "a\\ b: \\\n  c$$d \\\n  e\\#f \\\n  g\\h \\\n  i\\\\\\ j\n"
    )


def test_cmake_dir_is_where_the_package_is():
    done = subprocess.run([sys.executable, "-m", "opgen", "--cmake-dir"], capture_output=True, text=True, check=True)
    assert (Path(done.stdout.strip()) / "opgenConfig.cmake").is_file()


def test_the_projects_own_folder_is_left_to_generate(project):
    command = [sys.executable, "-m", "opgen", "emit", "."]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "where `opgen generate` writes" in done.stderr
    assert not (project / "generated").exists()
