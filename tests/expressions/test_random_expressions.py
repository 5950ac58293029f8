"""Random expressions: what kernels compute beside the reference in PyTorch, special values included.

``OPGEN_RANDOM_EXPRESSIONS`` says how many, ``OPGEN_RANDOM_SEED`` which.
"""

import importlib.util
import os
import sys
from importlib import import_module
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

pytestmark = [pytest.mark.compile, pytest.mark.torch]

_SPEC = importlib.util.spec_from_file_location("random_expressions", Path(__file__).with_name("random_expressions.py"))
random_expressions = importlib.util.module_from_spec(_SPEC)
sys.modules["random_expressions"] = random_expressions
_SPEC.loader.exec_module(random_expressions)

COUNT = int(os.environ.get("OPGEN_RANDOM_EXPRESSIONS", "48"))
SEED = int(os.environ.get("OPGEN_RANDOM_SEED", "1"))
OUTPUTS = 24  # of an op, so that many expressions cost one compilation
OPS = -(-COUNT // OUTPUTS)

FLOATS = [float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 1e-45, -1e-40, 3e38, 1.2e-38, 1.0, -1.0, 0.5, 2.5, -3.5]
INTS = [-(2**63), 2**63 - 1, 0, -1, 1, 2, 7]


@pytest.fixture(scope="module")
def package(built):
    built("randomly_ops", random_expressions.library(SEED, OPS, OUTPUTS), called=False)
    return import_module("randomly_ops")


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize("number", range(OPS))
def test_kernels_compute_what_the_reference_does(number):
    op = getattr(torch.ops.randomly, f"e{number}").default
    reference = getattr(import_module("randomly_ops._expressions"), f"e{number}")
    texts = reference.__doc__.split("\n\n", 1)[1].strip().splitlines()
    generator = torch.Generator().manual_seed(number)
    wrong = []
    for w in (None, torch.ones(37)):
        arguments = [*_tensors(number, generator), w, 0.75, 3]
        found = op(*arguments)
        exact = reference(*(_exact(argument) for argument in arguments))
        for text, got, wanted, truth in zip(texts, found, reference(*arguments), exact, strict=True):
            differs = _differs(got, wanted, truth)
            if differs.any():
                place = tuple(int(index) for index in differs.nonzero()[0])
                values = [_at(argument, place) for argument in arguments]
                wrong.append(f"{text.strip()}: {got[place]} for {wanted[place]} ({truth[place]}) at {place}: {values}")
    assert not wrong, "\n".join(wrong)


def _tensors(number, generator, m=19, n=37):
    """Arguments whose dtypes are those that the op takes: special values beside ordinary ones, in odd strides."""
    shapes = {"x": (m, n), "y": (m, n), "r": (n,), "c": (m,), "i": (m, n), "j": (n,), "b": (m, n)}
    for name, shape in shapes.items():
        dtype = getattr(torch, random_expressions.dtypes(SEED, number)[name])
        flat = (2 * n * m,)
        if dtype == torch.bool:
            values = torch.rand(flat, generator=generator) < 0.5
        elif dtype.is_floating_point:
            values = torch.randn(flat, generator=generator, dtype=torch.float64) * 3
            special = torch.tensor(FLOATS, dtype=torch.float64)
            values = _mixed(values, special, generator).to(dtype)
        else:
            limits = torch.iinfo(dtype)
            special = torch.tensor([min(max(each, limits.min), limits.max) for each in INTS])
            values = torch.randint(max(-100, limits.min), 100, flat, generator=generator)
            values = _mixed(values, special, generator).to(dtype)
        count = 1
        for size in shape:
            count *= size
        yield (
            values[: 2 * count].reshape(*shape[:-1], 2 * shape[-1])[..., ::2]
            if name in "xj"
            else values[:count].reshape(shape)
        )


def _mixed(values, special, generator):
    chosen = torch.randint(len(special), values.shape, generator=generator)
    return torch.where(torch.rand(values.shape, generator=generator) < 0.3, special[chosen], values)


def _exact(argument):
    """The same argument in float64; one that is float64, a little off. What this changes a result by, rounding may, too."""
    if not (isinstance(argument, torch.Tensor) and argument.is_floating_point()):
        return argument
    return argument * (1 + 2**-50) if argument.dtype == torch.float64 else argument.to(torch.float64)


def _at(argument, place):
    if not isinstance(argument, torch.Tensor):
        return argument
    lacks = 2 - argument.dim()
    if lacks and argument.shape[0] != 37:
        return argument[place[0]].item()
    return argument[place[lacks:]].item()


def _differs(got, wanted, truth):
    """Where a result is neither equal nor off by what rounding may make of it: the reference itself is off by so much."""
    if not got.is_floating_point():
        return (got != wanted) & (wanted == truth)
    got, wanted, truth = (each.to(torch.float64) for each in (got, wanted, truth))
    relative = 5e-4  # acos(erf(3)) magnifies so much; how exact the functions are is no matter of this test
    is_lost = (wanted - truth).abs() > 0.05 * wanted.abs()
    is_lost |= ~torch.isfinite(wanted) != ~torch.isfinite(truth)  # of the float's range, or in between
    off = (wanted - truth).abs()
    allowed = relative * wanted.abs() + 1e-37 + 16 * off.nan_to_num(0, 0, 0)
    same = (got == wanted) | (got.isnan() & wanted.isnan())
    near_limit = truth.abs() > 1e38
    return ~(same | ((got - wanted).abs() <= allowed) | is_lost | near_limit)
