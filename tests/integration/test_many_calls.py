"""A package is safe in threads and processes, and calls leave nothing behind; OPGEN_CALLS=1000000 calls each contract so often."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.build.toolchain import Toolchain, find_toolchain

pytest.importorskip("torch")
pytestmark = [
    pytest.mark.compile,
    pytest.mark.torch,
    pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc"),
    pytest.mark.skipif(
        not isinstance(find_toolchain(None, (2, 10)), Toolchain), reason="no C++ compiler, ninja or torch to build with"
    ),
]

SCRIPT = Path(__file__).with_name("many_calls.py")
COUNT = int(os.environ.get("OPGEN_CALLS", "3000"))
OPS = """\
opgen: 1
namespace: many
defaults: {autograd: none}
ops:
  - func: scaled(Tensor x, float by) -> Tensor
    autogen: [scaled_, scaled.out]
    tensors: {x: "float32 [n]", return: "x.dtype [n]"}
    pointwise: x * by
    autograd: derived
  - func: scale_into(Tensor! out, Tensor x, float by) -> ()
    tensors: {x: "float32 [n]", out: "x.dtype [n]"}
    pointwise: {out: x * by}
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What the script found, in a process whose memory is its own."""
    folder = tmp_path_factory.mktemp("many")
    (folder / "ops.yaml").write_text(OPS, encoding="utf-8")
    flags = "-DMANY_OPS_ONE_VERSION"  # loops are compiled once, not for each instruction set
    built = subprocess.run(
        [sys.executable, "-m", "opgen", "build"],
        cwd=folder,
        env={**os.environ, "CXXFLAGS": flags},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    command = [sys.executable, str(SCRIPT), str(folder / "generated"), str(COUNT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_it_may_be_imported_from_many_threads_at_once(found):
    assert found["imported in threads"] == []
    assert found["packages"] == 1


def test_it_may_be_called_from_many_threads_at_once(found):
    assert found["called in threads"] == []


@pytest.mark.parametrize("how", ["imported in a fork", "called in a fork", "called in a spawned process"])
def test_it_works_in_other_processes(found, how):
    assert found[how] == 0


def test_calls_leave_nothing_behind(found):
    assert {name: kib for name, kib in found["growth"].items() if kib >= 1024} == {}
    assert len(found["growth"]) == 6
