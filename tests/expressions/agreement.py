"""Compare what kernels of random expressions compute with their references: ``python agreement.py FOLDER SEED OPS OUTPUTS``.

FOLDER holds the built library that ``random_ops.py SEED OPS OUTPUTS`` declares. Prints a JSON object: how many expressions
and values were compared, how many of them mean nothing, and a line for each expression that differs.

How far a result may be off is measured: the reference is computed in float64 some times over, and whatever is rounded in it
is moved by as much as rounding may move it in the kernel's precision. Where this moves a result by a good part of itself, or
out of the range of floats, no digit of it means anything.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib import import_module
from typing import Any

import torch
from random_arguments import Call, arguments, calls
from random_ops import Op, ops
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

_SUMS = {"sum", "mean"}
_ROUNDED = {
    *("add", "sub", "rsub", "mul", "div", "reciprocal", "pow", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p"),
    *("sqrt", "rsqrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh"),
    *("atanh", "erf", "erfc", "sigmoid", "silu", "gelu", "logaddexp", "prod", "logsumexp", "var"),
}
"""What is rounded, of ATen's operators; all others give numbers that were there before."""
_ZEROS = {"maximum", "minimum", "clamp", "clamp_min", "clamp_max", "relu", "amax", "amin", "sum", "mean", "fmod"}
"""What leaves open which sign a zero has."""
_SIGNS = {"neg", "abs", "copysign"}
"""What says which sign a NaN has; it is open behind everything else."""
_LARGEST = 2.0**127
"""What sums of float32 must stay below."""
_TRIES = (1.0, -1.0, None, None)
"""The sign of both in each try, and the direction of rounding; where there is none, it is another one at each place."""


class Rounding(TorchDispatchMode):
    """Moves what is rounded by as much as rounding may."""

    def __init__(self, epsilon: float, sign: float | None, generator: torch.Generator) -> None:
        """Take the relative size, the sign of what has none, and what decides where that is open."""
        super().__init__()
        self._epsilon, self._sign, self._generator = epsilon, sign, generator

    def __torch_dispatch__(self, function: Any, _: Any, args: tuple[Any, ...] = (), kwargs: Any = None) -> Any:
        """Call, and move the result."""
        name = function.overloadpacket.__name__
        given = args
        if name == "var":  # where the mean is large, what is rounded in it counts
            noise = torch.randn(args[0].shape, generator=self._generator, dtype=torch.float64)
            given = (args[0] * (1 + 8 * self._epsilon * noise), *args[1:])
        result = function(*given, **(kwargs or {}))
        if not isinstance(result, Tensor) or not result.is_floating_point() or name in _SIGNS:
            return result
        is_open = _depends_on_order(name, partial(function, **(kwargs or {})), args, result)
        if is_open is not None:
            whole = result if name in _SUMS else torch.zeros_like(result)
            other = torch.where(self._signs(result.shape) > 0, whole, torch.nan)
            result = torch.where(is_open, other, result)
        is_open = result.isnan() | (result == 0) if name in _ZEROS else result.isnan()
        result = torch.where(is_open, torch.copysign(result, self._signs(result.shape).to(result.dtype)), result)
        if name not in _ROUNDED | _SUMS | {"lift_fresh"}:
            return result
        noise = self._noise(name, partial(function, **(kwargs or {})), args, result)
        return (result.double() + noise.nan_to_num(0, 0, 0)).to(result.dtype)

    def _noise(self, name: str, function: Any, args: tuple[Any, ...], result: Tensor) -> Tensor:
        """Return what rounding may add."""
        size = function(args[0].abs(), *args[1:]) if name in _SUMS else result.abs()
        if name == "logsumexp":
            size = size + 1
        if name == "gelu":  # digits are lost in 1 + erf(x), as in ATen
            size = args[0].abs()
        noise = self._signs(result.shape) * (size.double() * self._epsilon + 2.0**-148)
        if name == "lift_fresh":  # a number that is made a tensor, which a kernel may have to round: pi, not 0.5
            noise = torch.where(result.float() == result, 0.0, noise)
        if name == "gelu":  # where all digits are lost it is 0, and times infinity NaN
            is_gone = (result.abs() <= size * self._epsilon) & (self._signs(result.shape) < 0)
            noise = torch.where(is_gone, -result.double(), noise)
        return noise

    def _signs(self, shape: torch.Size) -> Tensor:
        if self._sign is not None:
            return torch.full(shape, self._sign)
        return (torch.rand(shape, generator=self._generator) < 0.5) * 2.0 - 1.0


def _depends_on_order(name: str, function: Any, args: tuple[Any, ...], result: Tensor) -> Tensor | None:
    """Return where a part of what is added or multiplied may be no float, though the whole is one, or infinite."""
    if name == "var":  # of few elements 0 is divided by 0, or what rounding makes of it
        return (args[0].abs().sum(args[1], keepdim=True) > _LARGEST) | ~result.isfinite()
    if name == "prod":
        return function(args[0].abs().clamp(min=1), *args[1:]) > _LARGEST  # type: ignore[no-any-return]  # of a function of ATen
    if name in _SUMS:
        finite = torch.where(args[0].isfinite(), args[0].abs(), 0.0)
        terms = args[0].numel() / max(result.numel(), 1) if name == "mean" else 1
        return function(finite, *args[1:]) * terms > _LARGEST  # type: ignore[no-any-return]  # of a function of ATen
    return None


@dataclass
class Report:
    """What came of it."""

    expressions: int = 0
    values: int = 0
    meaningless: int = 0
    refused: int = 0
    wrong: list[str] = field(default_factory=list)


def in_triton() -> bool:
    """Whether the kernels are Triton's, whose functions of float64 are composed of few."""
    return "TRITON_INTERPRET" in os.environ


def round_in_triton() -> None:
    """Make Triton's interpreter convert from and to bfloat16 as GPUs do: it cuts off, and loses what is subnormal."""
    import numpy  # noqa: ICN001, PLC0415 - only where Triton is
    from triton.language import bfloat16, float32  # noqa: PLC0415 - likewise
    from triton.runtime import interpreter  # noqa: PLC0415 - likewise

    cut_off = interpreter._convert_float

    def convert(data: Any, from_dtype: Any, to_dtype: Any, rounding: Any) -> Any:
        if (from_dtype, to_dtype) == (bfloat16, float32):
            return data.astype(numpy.uint32) << 16
        if (from_dtype, to_dtype) != (float32, bfloat16):
            return cut_off(data, from_dtype, to_dtype, rounding)
        rounded = torch.from_numpy(numpy.ascontiguousarray(data)).to(torch.bfloat16)
        return rounded.view(torch.int16).numpy().view(numpy.uint16).reshape(data.shape)

    interpreter._convert_float = convert


def compare(seed: int, count: int, outputs: int, *, small: bool) -> Report:
    """Call every op."""
    report = Report()
    references = import_module("randomly_ops._expressions")
    for number, op in enumerate(ops(seed, count, outputs)):
        report.expressions += len(op.expressions)
        wrong: dict[str, str] = {}
        generator = torch.Generator().manual_seed(number)
        for call in calls(number, small=small):
            for name, text in _found(op, call, getattr(references, op.name), generator, report):
                wrong.setdefault(name, f"{op.name}.{name}: {op.expressions.get(name)}: {text}")
        report.wrong += wrong.values()
    return report


def _found(op: Op, call: Call, reference: Any, generator: torch.Generator, report: Report) -> Iterator[tuple[str, str]]:
    """Yield what differs, by name; an error says nothing of other ops."""
    try:
        yield from _differences(op, call, reference, generator, report)
    except Exception as error:  # noqa: BLE001 - whatever a backend raises
        if "without overflow" not in str(error):  # PyTorch refuses a number that a dtype does not hold
            yield "", f"{error!r}, {call}"


def _differences(
    op: Op, call: Call, reference: Any, generator: torch.Generator, report: Report
) -> Iterator[tuple[str, str]]:
    tensors = arguments(op, call, generator)
    kernel = getattr(torch.ops.randomly, op.name)
    if _is_refused(op, call):
        report.refused += 1
        for what, each in (("reference", reference), ("kernel", kernel)):
            if not _refuses(each, (*tensors, *call.numbers)):
                yield what, f"no elements, and no refusal, {call}"
        return
    names = [name for name in op.dims if name == "z" or name.startswith("o")]
    wanted = reference(*tensors, *call.numbers)
    wide = [each.double() if isinstance(each, Tensor) and each.is_floating_point() else each for each in tensors]
    epsilon = (2.0**-40 if in_triton() else 2.0**-52) if "float64" in op.dtypes.values() else 2.0**-23
    truth = reference(*wide, *call.numbers)
    moved = [_moved(reference, (*wide, *call.numbers), epsilon, sign, generator) for sign in _TRIES]
    results = kernel(*tensors, *call.numbers)
    results = (results,) if isinstance(results, Tensor) else results
    found = [*([tensors[0]] if "z" in names else []), *results]
    more: list[tuple[Tensor, ...]] = []
    for place, (name, got) in enumerate(zip(names, found, strict=True)):
        exact, others = truth[place], [each[place] for each in moved]
        if got.shape != wanted[place].shape or got.dtype != wanted[place].dtype:
            yield name, f"{got.dtype} {[*got.shape]} for {wanted[place].dtype} {[*wanted[place].shape]}"
            continue
        differs, lost = _differs(got, wanted[place], exact, others, epsilon)
        if differs.any():  # few tries may have moved nothing
            more = more or [_moved(reference, (*wide, *call.numbers), epsilon, None, generator) for _ in range(40)]
            differs, lost = _differs(got, wanted[place], exact, [*others, *(each[place] for each in more)], epsilon)
        report.values += got.numel()
        report.meaningless += int(lost.sum())
        if differs.any():
            at = tuple(int(index) for index in differs.nonzero()[0])
            yield name, f"{got[at]} for {wanted[place][at]} ({exact[at]}) at {at} of {[*got.shape]}, {call}"


def _moved(
    reference: Any, given: tuple[Any, ...], epsilon: float, sign: float | None, generator: torch.Generator
) -> tuple[Tensor, ...]:
    """Return what the reference computes where rounding moves what it may."""
    with Rounding(epsilon, sign, generator):
        return reference(*given)  # type: ignore[no-any-return]  # several outputs


def _is_refused(op: Op, call: Call) -> bool:
    """Whether something has to be the largest, the smallest or its place among no elements."""
    is_asked = any(re.match(r"(arg)?(max|min)\(", text) for text in op.reduce.values())
    sizes = (call.sizes[dim] for dim in op.reduced)
    return is_asked and any(0 in size if isinstance(size, tuple) else size == 0 for size in sizes)


def _refuses(function: Any, given: tuple[Any, ...]) -> bool:
    try:
        function(*given)
    except (IndexError, RuntimeError):
        return True
    return False


def _differs(got: Tensor, wanted: Tensor, truth: Tensor, moved: list[Tensor], epsilon: float) -> tuple[Tensor, Tensor]:
    """Return where a result is off by more than rounding, and where it means nothing."""
    if not got.is_floating_point():
        lost = torch.stack([each != truth for each in (wanted, *moved)]).any(0)
        return (got != wanted) & ~lost, lost
    limit, own = torch.finfo(got.dtype).max, torch.finfo(got.dtype).eps
    got, wanted, truth = got.double(), wanted.double(), truth.double()
    spread = torch.stack([(each.double() - truth).abs() for each in moved]).amax(0)
    spread = torch.maximum(spread, (wanted - truth).abs())
    lost = (spread > 0.02 * truth.abs()) & (spread > 0)
    for each in (wanted, *moved):
        lost |= torch.isfinite(each.double()) != torch.isfinite(truth)
        lost |= each.double().isnan() != truth.isnan()
    lost |= (truth.abs() > limit * 0.999) & torch.isfinite(truth)
    allowed = 8 * spread.nan_to_num(0, 0, 0) + (4 * epsilon + own) * wanted.abs() + 2.0**-126
    same = (got == wanted) | (got.isnan() & wanted.isnan()) | ((got - wanted).abs() <= allowed)
    return ~(same | lost), lost


if __name__ == "__main__":
    folder, *numbers = sys.argv[1:]
    sys.path.insert(0, f"{folder}/generated")
    import_module("randomly_ops")
    torch.set_num_threads(1)
    if in_triton():
        round_in_triton()
    *asked, is_small = map(int, numbers)
    found = compare(*asked, small=bool(is_small))  # type: ignore[call-arg,misc]  # three of them
    print(json.dumps(asdict(found)))  # noqa: T201 - it is what is asked for
