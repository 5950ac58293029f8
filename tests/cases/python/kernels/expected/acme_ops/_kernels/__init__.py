"""The kernels that are written in Python, each behind the checks of its contract.

`opgen build` copies the authors' files here; they are imported at the first call.
"""

# mypy: disable-error-code="no-untyped-call"
# torch.library carries few annotations.

from __future__ import annotations

import functools
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from .._checks import Checker
from .._private import below_autograd as _below_autograd
from .._schemas import DEFINED, LIBRARIES
from .._tracing import write as _write
from .._tracing import write_out as _write_out

for _file in (
    "cpu/add_out.py",
    "cpu/add_.py",
    "cpu/lookup.py",
    "cpu/scale.py",
    "cuda/scale.py",
    "composite/twice.py",
):
    if not (Path(__file__).parent / _file).is_file():
        raise ImportError(f"{__package__}: a kernel is missing, looked for {_file}: run `opgen build`")


@functools.cache
def _find(module: str, function: str) -> Any:
    """Return a function; a module that begins with a dot is one of the copies."""
    return functools.reduce(getattr, function.split("."), import_module(module, __name__))


def _refuse_result(op: str, result: Any, **filled: Any) -> None:
    """Refuse a kernel that returns tensors of its own: what it was to fill would reach the caller as it was allocated."""
    for one in result if isinstance(result, (list, tuple)) else [result]:
        if one is not None and all(one is not output for output in filled.values()):
            raise RuntimeError(
                f"{op}: the kernel returned {type(one).__name__}, which nobody gets: it has to write into "
                f"{', '.join(filled)}, or is to be declared with `allocates: true`"
            )


def _refuse_overlap(op: str, same_is_fine: bool, operands: list[tuple[str, Any, bool, bool]]) -> str:
    """Refuse to write an argument whose elements share memory, or that shares memory with another one, as ATen does.

    Each operand is a name, what was passed, whether it is written and whether its author says that it may overlap. As in
    ATen (`get_overlap_status` in aten/src/ATen/MemoryOverlap.cpp), tensors with gaps, such as two slices of one buffer,
    pass unless they are the very same elements. `same_is_fine`: the tensor that is written may be read as well.

    Return what memory something read and something written have in common, "none", "all" or "part", where that is not
    refused; two slices of one buffer may have a part in common.
    """
    found = {"none"}
    given: list[tuple[str, Tensor, bool, bool]] = []
    for name, value, written, may_overlap in operands:
        values = value if isinstance(value, (list, tuple)) else [value]
        given += [(name, x, written, may_overlap) for x in values if x is not None and x.numel() > 0]
    for name, x, written, _ in given:
        if written and any(size > 1 and stride == 0 for size, stride in zip(x.shape, x.stride())):
            raise RuntimeError(
                f"{op}: argument '{name}': unsupported operation: more than one element of the written-to tensor refers "
                "to a single memory location. Please clone() the tensor before performing the operation."
            )
    for place, (name, x, written, may_overlap) in enumerate(given):
        for other_name, y, other_written, other_may_overlap in given[place + 1 :]:
            if not (written or other_written) or (may_overlap and other_may_overlap):
                continue
            if x.data_ptr() >= _end(y) or y.data_ptr() >= _end(x):
                continue
            same = (x.data_ptr(), x.shape, x.stride()) == (y.data_ptr(), y.shape, y.stride())
            both = written and other_written
            is_refused = both or not same_is_fine if same else _is_dense(x) and _is_dense(y)
            if is_refused:
                raise RuntimeError(
                    f"{op}: arguments '{name}' and '{other_name}': unsupported operation: some elements of the input "
                    "tensor and the written-to tensor refer to a single memory location. Please clone() the tensor "
                    "before performing the operation."
                )
            if not both:
                found.add("all" if same else "part")
    return max(found, key=("none", "all", "part").index)


def _is_dense(x: Tensor) -> bool:
    return 1 + _reach(x) == x.numel()


def _end(x: Tensor) -> int:
    return x.data_ptr() + (1 + _reach(x)) * x.element_size()


def _reach(x: Tensor) -> int:
    return sum((size - 1) * stride for size, stride in zip(x.shape, x.stride()))


def cpu_add_out(x: Tensor, y: Tensor, *, out: Tensor) -> Tensor:
    check = Checker("acme::add.out")
    check.rank(x, "x", 1, "[n]")
    check.rank(y, "y", 1, "[n]")
    check.rank(out, "out", 1, "[n]")
    check.dtype(x, "x", torch.float32)
    check.dtype(y, "y", torch.float32)
    check.dtype(out, "out", torch.float32)
    check.same_device(y, "y", x, "x")
    check.same_device(out, "out", x, "x")
    n = x.size(0)
    check.size(y, "y", 0, n, "n, as in x.size(0)")
    check.size(out, "out", 0, n, "n, as in x.size(0)")
    _refuse_overlap("acme::add.out", False, [("x", x, False, False), ("y", y, False, False), ("out", out, True, False)])
    _write_out("add", [out], [x, y])
    with _below_autograd():
        _find(".cpu.add_out", "add_out")(x, y, out)
    return out


def cpu_add_(x: Tensor, y: Tensor, len_: Tensor | None = None) -> Tensor:
    check = Checker("acme::add_")
    check.rank(x, "x", 1, "[n]")
    check.rank(y, "y", 1, "[n]")
    check.rank(len_, "len", 1, "[n]")
    check.dtype(x, "x", torch.float16, torch.bfloat16, torch.float32, torch.float64)
    check.dtype(len_, "len", torch.int64)
    check.same_dtype(y, "y", x, "x")
    check.same_device(y, "y", x, "x")
    check.same_device(len_, "len", x, "x")
    n = x.size(0)
    check.size(y, "y", 0, n, "n, as in x.size(0)")
    check.size(len_, "len", 0, n, "n, as in x.size(0)")
    _refuse_overlap("acme::add_", True, [("x", x, True, False), ("y", y, False, False), ("len", len_, False, False)])
    _write("acme::add_", [x], [y, len_])
    with _below_autograd():
        _find(".cpu.add_", "add_")(x, y, len_)
    return x


def cpu_lookup(table: Any, keys: Tensor) -> Tensor:
    check = Checker("acme::lookup")
    check.rank(keys, "keys", 1, "[n]")
    check.dtype(keys, "keys", torch.int64)
    n = keys.size(0)
    out = torch.empty((n,), dtype=torch.float32, device=keys.device)
    with _below_autograd():
        _refuse_result("acme::lookup", _find(".cpu.lookup", "lookup")(table, keys, out), out=out)
    return out


def cpu_positive(x: Tensor) -> tuple[Tensor, Tensor]:
    check = Checker("acme::positive")
    check.rank(x, "x", 1, "[n]")
    check.dtype(x, "x", torch.float32)
    n = x.size(0)
    with _below_autograd():
        values, places = _find("acme_kernels", "Positive.find")(x)
    check.output(values, "values", "[?found <= n]", (None,), torch.float32, x.device)
    check.output_layout(values, "values", "a contiguous tensor", torch.contiguous_format)
    found = values.size(0)
    check.output_at_most("values", "found", found, n, "n")
    check.output(places, "places", "[?found]", (found,), torch.int64, x.device)
    check.output_layout(places, "places", "a contiguous tensor", torch.contiguous_format)
    return values, places


def cpu_scale(x: Tensor, by: float) -> Tensor:
    check = Checker("acme::scale")
    check.rank_at_least(x, "x", 1, "[*batch, n]")
    check.dtype(x, "x", torch.float16, torch.bfloat16, torch.float32, torch.float64)
    batch = x.shape[:-1]
    n = x.size(-1)
    out = torch.empty((*batch, n), dtype=x.dtype, device=x.device)
    with _below_autograd():
        _refuse_result("acme::scale", _find(".cpu.scale", "scale")(x, by, out), out=out)
    return out


def cuda_scale(x: Tensor, by: float) -> Tensor:
    check = Checker("acme::scale")
    check.rank_at_least(x, "x", 1, "[*batch, n]")
    check.dtype(x, "x", torch.float16, torch.bfloat16, torch.float32, torch.float64)
    batch = x.shape[:-1]
    n = x.size(-1)
    out = torch.empty((*batch, n), dtype=x.dtype, device=x.device)
    with _below_autograd():
        _refuse_result("acme::scale", _find(".cuda.scale", "scale")(x, by, out), out=out)
    return out


def composite_twice(x: Tensor) -> Tensor:
    check = Checker("acme::twice")
    check.rank(x, "x", 2, "[n, m]")
    check.dtype(x, "x", torch.float32)
    n = x.size(0)
    m = x.size(1)
    out = _find(".composite.twice", "twice")(x)
    check.output(out, "out", "[n, m]", (n, m), torch.float32, x.device)
    check.output_layout(out, "out", "a contiguous tensor", torch.contiguous_format)
    return out


_KERNELS: dict[tuple[str, str], Any] = {
    ("acme::add.out", "CPU"): cpu_add_out,
    ("acme::add_", "CPU"): cpu_add_,
    ("acme::lookup", "CPU"): cpu_lookup,
    ("acme::positive", "CPU"): cpu_positive,
    ("acme::scale", "CPU"): cpu_scale,
    ("acme::scale", "CUDA"): cuda_scale,
    ("acme::twice", "CompositeImplicitAutograd"): composite_twice,
}


def _register() -> None:
    defined = {operator.name: operator for operator in DEFINED}
    for (name, key), kernel in _KERNELS.items():
        operator = defined.get(name)
        if operator is None:
            continue  # another copy of this package serves it
        library = LIBRARIES[operator.namespace]
        library.impl(name.partition("::")[2], kernel, key)
        if operator.twin is not None:
            library.impl(operator.twin_name.partition("::")[2], _without_result(kernel), key)


def _without_result(kernel: Any) -> Any:
    def twin(*args: Any, **kwargs: Any) -> None:
        kernel(*args, **kwargs)

    return twin


_register()
