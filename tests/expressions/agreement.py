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
_TRIES = 3


class Rounding(TorchDispatchMode):
    """Moves what is rounded by as much as rounding may."""

    def __init__(self, epsilon: float, generator: torch.Generator) -> None:
        """Take the relative size, and what decides about directions."""
        super().__init__()
        self._epsilon, self._generator = epsilon, generator

    def __torch_dispatch__(self, function: Any, _: Any, args: tuple[Any, ...] = (), kwargs: Any = None) -> Any:
        """Call, and move the result."""
        result = function(*args, **(kwargs or {}))
        name = function.overloadpacket.__name__
        if not isinstance(result, Tensor) or not result.is_floating_point():
            return result
        if name in _ZEROS:
            result = torch.where(result == 0, result * self._signs(result.shape), result)
        if name not in _ROUNDED | _SUMS:
            return result
        size = function(args[0].abs(), *args[1:], **(kwargs or {})) if name in _SUMS else result.abs()
        if name == "logsumexp":
            size = size + 1
        noise = self._signs(result.shape) * (size.double() * self._epsilon + 2.0**-148)
        return (result.double() + noise.nan_to_num(0, 0, 0)).to(result.dtype)

    def _signs(self, shape: torch.Size) -> Tensor:
        return (torch.rand(shape, generator=self._generator) < 0.5) * 2.0 - 1.0


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
    except (RuntimeError, TypeError, IndexError) as error:
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
    moved = []
    for _ in range(_TRIES):
        with Rounding(epsilon, generator):
            moved.append(reference(*wide, *call.numbers))
    results = kernel(*tensors, *call.numbers)
    results = (results,) if isinstance(results, Tensor) else results
    found = [*([tensors[0]] if "z" in names else []), *results]
    for place, (name, got) in enumerate(zip(names, found, strict=True)):
        exact, others = truth[place], [each[place] for each in moved]
        if got.shape != wanted[place].shape or got.dtype != wanted[place].dtype:
            yield name, f"{got.dtype} {[*got.shape]} for {wanted[place].dtype} {[*wanted[place].shape]}"
            continue
        differs, lost = _differs(got, wanted[place], exact, others, epsilon)
        report.values += got.numel()
        report.meaningless += int(lost.sum())
        if differs.any():
            at = tuple(int(index) for index in differs.nonzero()[0])
            yield name, f"{got[at]} for {wanted[place][at]} ({exact[at]}) at {at} of {[*got.shape]}, {call}"


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
        lost = wanted != truth
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
