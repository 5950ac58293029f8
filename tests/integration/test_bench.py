"""``opgen bench`` on the library of docs/speed.md, with a family and formulas beside it: what it shows, and what it calls."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.build.toolchain import Toolchain, find_toolchain

torch = pytest.importorskip("torch")
pytestmark = [
    pytest.mark.torch,
    pytest.mark.compile,
    pytest.mark.usefixtures("unoptimised"),
    pytest.mark.skipif(
        not isinstance(find_toolchain(None, (2, 10)), Toolchain), reason="no C++ compiler, ninja or torch to build with"
    ),
]

PAGE = (Path(__file__).parents[2] / "docs/speed.md").read_text(encoding="utf-8")
# `flip` can't read what it has written, so its in-place form needs a temporary, by hand too.
MORE = """\
  - func: flip(Tensor x) -> Tensor
    autogen: [flip_, flip.out]
    tensors: {x: "float32 [2*n] contiguous", return: "float32 [2*n]"}
    reference: x.flip(0)
    autograd: {x: grad.flip(0)}
  - func: nothing(Tensor x) -> Tensor
    tensors: {x: "float32 [n]", return: "float32 [n]"}
    dispatch: {CPU: python}
    autograd: none
"""
FLIP = """\
#include <router_ops/support.h>

namespace router::cpu {

inline void flip(const Tensor& x, Tensor& out) {
  const float* from = x.const_data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); ++i) out.mutable_data_ptr<float>()[i] = from[x.numel() - 1 - i];
}

}  // namespace router::cpu
"""
SAME = """
import sys
sys.path.insert(0, "generated")
import torch, router_ops
torch.ops.load_library("build/opgen/by_hand/libby_hand.so")
ours, hand = torch.ops.router, torch.ops.router_by_hand
x, order = torch.arange(12.0).view(4, 3), torch.tensor([2, 0, 3, 1])
assert torch.equal(hand.route(x, order, 0, 2.0, True), ours.route(x, order, 0, 2.0, True))
assert torch.equal(hand.route(x, order, 1, 2.0, True), x[order] * 2)  # it trusts every call: no check stands in front
row = torch.arange(4.0)
assert hand.flip(row).tolist() == hand.flip.out(row, out=torch.empty(4)).tolist() == [3, 2, 1, 0]
assert hand.flip_(row) is row and row.tolist() == [3, 2, 1, 0] and row._version == 0
"""


def opgen(folder, *arguments):
    command = [sys.executable, "-m", "opgen", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """The folder of the library, what the command said, and its figures."""
    folder = tmp_path_factory.mktemp("bench")
    for path, text in re.findall(r"^```\w+ file=(\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text + (MORE if path == "ops.yaml" else ""), encoding="utf-8")
    (folder / "kernels/cpu/flip.cpp").write_text(FLIP, encoding="utf-8")
    done = opgen(folder, "bench", "--turns", "3", "--json", "figures.json")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder, done.stdout, json.loads((folder / "figures.json").read_text(encoding="utf-8"))


def without_figures(text):
    return re.sub(r" +", " ", re.sub(r"\d+\.\d\d", "#", text))


def test_the_page_shows_the_table(measured):
    shown = re.search(r"^\$ opgen bench\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[1]
    wanted = [line for line in without_figures(shown).splitlines() if line.startswith(("op ", "router::route"))]
    assert len(wanted) == 3
    assert set(wanted) <= set(without_figures(measured[1]).splitlines())


def test_many_arguments_and_tiny_work_are_measured_beside_the_same_by_hand_without_python(measured):
    calls = {(call["op"], call["mode"]): call for call in measured[2]["calls"]}
    for mode in ("no_grad", "grad"):
        call = calls["router::route", mode]
        assert call["ours"] > 0
        assert call["by_hand"] > 0
        assert call["spread"][0] <= call["ratio"] <= call["spread"][1]
        assert call["python"] == []


def test_formulas_are_python_and_named(measured):
    _, shown, figures = measured
    (ran,) = (call["python"] for call in figures["calls"] if (call["op"], call["mode"]) == ("router::flip", "grad"))
    assert any("router_ops/_autograd.py" in function for function in ran)
    assert "Python runs in calls of router::flip" in shown


def test_what_is_not_measured_has_a_reason(measured):
    assert measured[2]["left_out"] == [{"op": "router::nothing", "reason": "its kernel for the CPU is in Python"}]
    assert "router::nothing was not measured: its kernel for the CPU is in Python\n" in measured[1]


def test_by_hand_the_same_kernels_are_called_and_trust_the_caller(measured):
    done = subprocess.run([sys.executable, "-c", SAME], cwd=measured[0], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_an_op_that_is_not_there_is_wrong_usage(measured):
    done = opgen(measured[0], "bench", "rout")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no op 'rout'; did you mean 'route'?" in done.stderr
