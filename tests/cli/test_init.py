"""``opgen init``: a library that builds and tests at once, and nothing overwritten."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

FILES = {
    ".github/workflows/ci.yml",
    ".gitignore",
    ".pre-commit-config.yaml",
    "README.md",
    "kernels/cpu/store_rows.cpp",
    "kernels/cpu/unit_rows.cpp",
    "ops.schema.json",
    "ops.yaml",
    "pyproject.toml",
    "references.py",
}


def files_of(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_library_is_named_after_its_folder_and_lints_clean(run, tmp_path):
    made = run("init", "My Kernels-2", cwd=tmp_path)
    folder = tmp_path / "My Kernels-2"

    assert (made.returncode, made.stdout) == (0, "")
    assert made.stderr == "10 files written; next: cd 'My Kernels-2' && opgen build && opgen test\n"
    assert files_of(folder) == FILES
    declaration = yaml.safe_load((folder / "ops.yaml").read_text(encoding="utf-8"))
    assert (declaration["namespace"], declaration["package"]) == ("my_kernels_2", "my_kernels_2_ops")
    linted = run("lint", cwd=folder)
    assert linted.returncode == 0, linted.stdout
    assert run("fmt", "--check", cwd=folder).returncode == 0


def test_the_first_line_names_the_json_schema_that_is_written_beside(run, tmp_path):
    run("init", "mylib", cwd=tmp_path)
    first, _, _ = (tmp_path / "mylib/ops.yaml").read_text(encoding="utf-8").partition("\n")

    comment, _, named = first.partition("$schema=")
    assert comment == "# yaml-language-server: "
    assert (tmp_path / "mylib" / named).read_text(encoding="utf-8") == run("json-schema", cwd=tmp_path).stdout
    assert json.loads(run("json-schema", "configuration", cwd=tmp_path).stdout)["title"] == "opgen"


def test_this_folder_may_be_made_one(run, tmp_path):
    folder = tmp_path / "kernels"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine", encoding="utf-8")

    made = run("init", "--name", "fast", cwd=folder)

    assert made.stderr == "10 files written; next: opgen build && opgen test\n"
    assert files_of(folder) == {*FILES, "notes.txt"}
    assert "namespace: fast " in (folder / "ops.yaml").read_text(encoding="utf-8")


def test_nothing_is_overwritten_and_nothing_written_beside(run, tmp_path):
    folder = tmp_path / "mylib"
    folder.mkdir()
    (folder / "README.md").write_text("mine", encoding="utf-8")
    (folder / "ops.yaml").write_text("mine", encoding="utf-8")

    refused = run("init", "mylib", cwd=tmp_path)

    assert refused.returncode == 2
    assert "'mylib' already holds 'README.md', 'ops.yaml'; choose another folder" in refused.stderr
    assert files_of(folder) == {"README.md", "ops.yaml"}
    assert (folder / "README.md").read_text(encoding="utf-8") == "mine"


def test_a_file_in_the_way_of_a_folder_is_a_finding(run, tmp_path):
    folder = tmp_path / "mylib"
    folder.mkdir()
    (folder / "kernels").write_text("mine", encoding="utf-8")

    refused = run("init", "mylib", cwd=tmp_path)

    assert refused.returncode == 1
    assert "error[OPG803]" in refused.stdout
    assert files_of(folder) == {"kernels"}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("2fast", "is not a letter followed by"),
        ("a-b", "is not a letter followed by"),
        ("a\nb", "is not a letter followed by"),
        ("", "is not a letter followed by"),
        ("class", "is a keyword"),
        ("aten", "is PyTorch's own"),
        ("std", "is a C++ namespace"),
    ],
)
def test_a_name_that_no_library_can_have_is_refused(run, tmp_path, name, reason):
    refused = run("init", "mylib", "--name", name, cwd=tmp_path)

    assert refused.returncode == 2
    assert reason in refused.stderr
    assert "--name" in refused.stderr
    assert not (tmp_path / "mylib").exists()


def test_the_workflow_and_the_hooks_run_commands_that_exist(run, tmp_path):
    run("init", "mylib", cwd=tmp_path)
    workflow = yaml.safe_load((tmp_path / "mylib/.github/workflows/ci.yml").read_text(encoding="utf-8"))
    hooks = yaml.safe_load((tmp_path / "mylib/.pre-commit-config.yaml").read_text(encoding="utf-8"))
    commands = [step["run"] for step in workflow["jobs"]["test"]["steps"] if "run" in step]
    commands += [hook["entry"] for repository in hooks["repos"] for hook in repository["hooks"]]

    used = {command for command in commands if command.startswith("opgen ")}
    assert used == {
        "opgen fmt",
        "opgen fmt --check",
        "opgen lint",
        "opgen generate --check",
        "opgen build",
        "opgen test",
    }
    for command in used:
        assert run(*command.split()[1:], "--help", cwd=tmp_path).returncode == 0


@pytest.mark.compile
@pytest.mark.torch
def test_a_new_library_builds_passes_its_tests_and_is_installed(run, tmp_path):
    pytest.importorskip("torch")
    run("init", "my lib", cwd=tmp_path)
    folder = tmp_path / "my lib"

    built = run("build", cwd=folder)
    assert built.returncode == 0, built.stdout + built.stderr
    for op in ("store_rows", "unit_rows", "unit_rows.out", "unit_rows_"):
        assert re.search(rf"^my_lib::{re.escape(op)} .*compiled, tested", built.stdout, re.MULTILINE), built.stdout
    assert run("generate", "--check", cwd=folder).returncode == 0

    tested = run("test", "-q", cwd=folder)
    assert tested.returncode == 0, tested.stdout + tested.stderr

    site = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    done = subprocess.run([*install, "--target", str(site), str(folder)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    code = "import torch, my_lib_ops; print(my_lib_ops.unit_rows(torch.tensor([3.0, 4.0])).tolist())"
    used = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert used.stdout.strip() == "[0.6000000238418579, 0.800000011920929]"
