"""The hooks for pre-commit, run by pre-commit in a repository of their own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from opgen.cli.group import opgen as group

ROOT = Path(__file__).parents[2]
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
OPS = "opgen: 1\nnamespace: lib\ndefaults: {autograd: none}\nops:\n  - func: f(Tensor! x, int y=1) -> ()\n"


@pytest.fixture
def repository(tmp_path):
    """A git repository that uses all hooks, with opgen as it is installed here instead of from the network."""
    pytest.importorskip("pre_commit")
    if shutil.which("git") is None:
        pytest.skip("there is no git")
    local = [
        {key: value for key, value in hook.items() if key != "minimum_pre_commit_version"} for hook in HOOKS.values()
    ]
    for hook in local:
        hook["language"] = "system"
        hook["entry"] = f"{sys.executable} -m {hook['entry']}"
    config = {"repos": [{"repo": "local", "hooks": local}]}
    (tmp_path / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    (tmp_path / "ops.yaml").write_text(OPS, encoding="utf-8")

    def run(*command):
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "OPGEN_"))}
        environment |= {"PRE_COMMIT_HOME": str(tmp_path / ".cache"), "HOME": str(tmp_path)}
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    run("git", "init", "-q")
    run.path = tmp_path
    return run


def test_all_hooks_pass_on_a_library_in_order_and_fail_on_one_that_is_not(repository):
    pre_commit = (sys.executable, "-m", "pre_commit", "run", "--all-files")
    assert repository(sys.executable, "-m", "opgen", "generate").returncode == 0
    repository("git", "add", "ops.yaml", ".pre-commit-config.yaml", "generated")
    result = repository(*pre_commit)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.count("Passed") == len(HOOKS)

    (repository.path / "ops.yaml").write_text(OPS.replace("y=1", "y=1, int z=2"), encoding="utf-8")
    result = repository(*pre_commit, "opgen-generate-check")
    assert result.returncode == 1
    assert "update generated/" in result.stdout

    (repository.path / "ops.yaml").write_text(OPS.replace("y=1", "y=1.5"), encoding="utf-8")
    result = repository(*pre_commit, "opgen-lint")
    assert result.returncode == 1
    assert "ops.yaml:5:" in result.stdout
    assert "OPG400" in result.stdout

    (repository.path / "ops.yaml").write_text(OPS.replace("int y", "int  y"), encoding="utf-8")
    result = repository(*pre_commit, "opgen-fmt")
    assert result.returncode == 1
    assert "files were modified by this hook" in result.stdout
    assert (repository.path / "ops.yaml").read_text(encoding="utf-8") == OPS


@pytest.mark.parametrize("hook", HOOKS.values(), ids=HOOKS)
def test_a_hook_has_all_that_pre_commit_asks_for(hook):
    assert {"id", "name", "entry", "language", "pass_filenames"} <= hook.keys()
    program, verb, *options = hook["entry"].split()
    assert program == "opgen"
    command = group.get_command(None, verb)
    known = {name for parameter in command.params for name in parameter.opts}
    assert set(options) <= known
