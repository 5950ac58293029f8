"""Functions that Triton lacks, composed of others: exact where digits must not be lost, sound for special values."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("triton", reason="triton is not installed")

pytestmark = pytest.mark.torch
MATHS = Path(__file__).parents[2] / "generated" / "nimble_ops" / "_triton_kernels"
PROGRAM = """
import math, sys
import torch, triton
import triton.language as tl

sys.path.insert(0, sys.argv[1])
from _maths import acosh, expm1, fmod, gelu, gelu_tanh, log1p, nearest


@triton.jit
def kernel(a, b, rests, rounded, angles, powers, logarithms, gelus, others, COUNT: tl.constexpr):
    place = tl.arange(0, COUNT)
    x = tl.load(a + place)
    tl.store(rests + place, fmod(x, tl.load(b + place)))
    tl.store(rounded + place, nearest(x))
    tl.store(angles + place, acosh(x))
    tl.store(powers + place, expm1(x))
    tl.store(logarithms + place, log1p(x))
    tl.store(gelus + place, gelu(tl.abs(x)))
    tl.store(others + place, gelu_tanh(tl.abs(x)))


def activation(approximate):
    return lambda a: torch.nn.functional.gelu(a.abs(), approximate=approximate)


def rest(a, b):
    return math.fmod(a, b) if math.isfinite(a) and b else math.nan


FUNCTIONS = (torch.acosh, torch.expm1, torch.log1p, activation("none"), activation("tanh"))
SPECIAL = [0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, -1e-310, 1e-40, 3e38, -3e38, -3.5, 1.0, 2.5, -0.3, 88.5]
for dtype, bits in ((torch.float32, torch.int32), (torch.float64, torch.int64)):
    limits, generator = torch.iinfo(bits), torch.Generator().manual_seed(0)
    a, b = torch.randint(limits.min, limits.max, (2, 4096), generator=generator, dtype=bits).view(dtype)
    pairs = torch.cartesian_prod(*[torch.tensor(SPECIAL, dtype=torch.float64).to(dtype)] * 2)
    a[: len(pairs)], b[: len(pairs)] = pairs.T
    results = torch.empty(7, len(a), dtype=dtype)
    kernel[(1,)](a, b, *results, len(a))
    rests, rounded, *others = results
    wanted = torch.tensor([rest(*pair) for pair in zip(a.tolist(), b.tolist())], dtype=torch.float64)
    torch.testing.assert_close(rests, wanted.to(dtype), rtol=0, atol=0, equal_nan=True)
    torch.testing.assert_close(rounded, a.round(), rtol=0, atol=0, equal_nan=True)
    assert torch.equal(rounded.signbit(), a.signbit())
    for found, function in zip(others, FUNCTIONS):
        torch.testing.assert_close(found, function(a), rtol=1e-6, atol=1e-320, equal_nan=True)
"""


def test_remainders_are_exact_and_what_has_no_value_is_nan(tmp_path):
    program = tmp_path / "program.py"  # Triton reads the source of a kernel
    program.write_text(PROGRAM, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", program, MATHS],
        env={**os.environ, "TRITON_INTERPRET": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
