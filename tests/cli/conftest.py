"""A small library, and opgen as a user runs it."""

import os
import subprocess
import sys

import pytest

OPS = """\
opgen: 1
namespace: tiny
defaults: {autograd: none}
ops:
  - func: twice(Tensor x) -> Tensor
    tensors: {x: "float32 [n]", return: "x.dtype [n]"}
    reference: x * 2
  - func: halve_(Tensor(a!) x) -> Tensor(a!)
    tensors: {x: "float32 [n]"}
    reference: x / 2
"""


@pytest.fixture(scope="session")
def ops():
    """The text of its declaration."""
    return OPS


@pytest.fixture
def run():
    """Run opgen in a process of its own; ``env`` is added to the environment, which says nothing of this pytest."""

    def call(*arguments, cwd, env=None, stdin=None):
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("OPGEN_", "PYTEST_"))}
        environment["OPGEN_NO_CACHE"] = "1"
        return subprocess.run(
            [sys.executable, "-m", "opgen", *map(str, arguments)],
            cwd=cwd,
            env={**environment, **(env or {})},
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    return call


@pytest.fixture
def project(tmp_path):
    """A folder with an ``ops.yaml``, at a path that needs quotes everywhere."""
    folder = tmp_path / "my prö$ject"
    folder.mkdir()
    (folder / "ops.yaml").write_text(OPS, encoding="utf-8")
    return folder
