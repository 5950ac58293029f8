"""Kernels from expressions, beside PyTorch's own operators and what ``torch.compile`` makes of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.comparison import Comparison, Plan, Row
from benchmarks.process import opgen, run

_OPS = """\
opgen: 1
namespace: bench
defaults: {autograd: none}
ops:
  - func: silu_and_mul(Tensor x) -> Tensor
    tensors: {x: "float [*batch, 2*d]", return: "x.dtype [*batch, d]"}
    pointwise: silu(x[..., :d]) * x[..., d:]
  - func: residual_gelu(Tensor x, Tensor y, float alpha) -> Tensor
    tensors: {x: "float [*batch, n]", y: "x.dtype [*batch, n]", return: "x.dtype [*batch, n]"}
    pointwise: gelu_tanh(x * alpha + y)
  - func: softmax(Tensor x) -> Tensor
    tensors: {x: "float [*batch, n]", return: "x.dtype [*batch, n]"}
    reduce: {m: "max(x, n)", s: "sum(exp(x - m), n)"}
    pointwise: exp(x - m) / s
  - func: rms_norm(Tensor x, Tensor weight, float eps) -> Tensor
    tensors: {x: "float [*batch, n]", weight: "x.dtype [n]", return: "x.dtype [*batch, n]"}
    reduce: {s: "mean(x * x, n)"}
    pointwise: x * rsqrt(s + eps) * weight
"""
_PYTHON = "dispatch: {CPU: python}\n    tensors:"
_AT_LEAST = {"ATen": 1.0, "torch.compile": 0.95}
"""The speed that is wanted of what is pointwise, in terms of the peer's."""
_OF_REDUCTIONS = 0.9


def measure(plan: Plan) -> Iterator[Comparison]:
    """Build a library, and measure in a process of its own, all sides in turns."""
    declarations = _OPS.replace("tensors:", _PYTHON) if plan.tiny else _OPS
    (plan.folder / "ops.yaml").write_text(declarations, encoding="utf-8")
    run(opgen("build"), plan.folder)
    for name, sides in _measured(plan).items():
        is_strided = "strided" in sides
        ours = tuple(sides.pop("ours"))
        for peer, peers in sides.items():
            if is_strided:
                yield Comparison(name, "of every other element", "contiguous", "µs", tuple(peers), ours, wanted=2)
                continue
            is_pointwise = not name.startswith(("softmax", "rms_norm"))
            least = _AT_LEAST[peer] if is_pointwise else _OF_REDUCTIONS
            yield Comparison(name, "opgen", peer, "µs", ours, tuple(peers), wanted=1 / least)


def _measured(plan: Plan) -> dict[str, dict[str, list[float]]]:
    """Return microseconds by line and side."""
    # Results of 64 MiB would be new pages in every call, which take longer than any kernel.
    reuse = {"MALLOC_MMAP_THRESHOLD_": str(2**32), "MALLOC_TRIM_THRESHOLD_": str(2**33), "MALLOC_TOP_PAD_": str(2**30)}
    script = Path(__file__).parents[1] / "expressions.py"
    arguments = [str(plan.runs), "processor" if plan.processor else "wall", "tiny" if plan.tiny else "whole"]
    done = subprocess.run(  # noqa: S603 - this Python, with a module of this package
        [sys.executable, str(script), *arguments],
        cwd=plan.folder,
        env={**os.environ, **({} if plan.tiny else reuse)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{script.name} failed: {done.stderr}")
    measured: dict[str, dict[str, list[float]]] = json.loads(done.stdout.splitlines()[-1])
    return measured


ROW = Row("expressions", measure, is_long=True, table="expressions")
