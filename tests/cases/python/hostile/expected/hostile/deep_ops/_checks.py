"""What the fake kernels check, and the words that refuse a call."""

# mypy: disable-error-code="no-untyped-call"
# torch._check carries no annotations.

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

Tensors = Tensor | Sequence[Tensor | None] | None
Values = Mapping[str, object]
NONE: Values = {}


class Checker:
    """Checks one call of an operator; what does not hold is refused by `RuntimeError`, in the words of the C++ checks.

    An argument may be a tensor, an optional one that is absent, or a list, of which each element is checked. `origin`
    says where an expected value comes from, `written` what the contract asks for, as its author wrote it. Sizes may be
    symbolic: no condition over them is asked for its truth, each goes through `torch._check`.
    """

    def __init__(self, op: str) -> None:
        self.op = op

    def rank(self, tensors: Tensors, name: str, rank: int, dims: str) -> None:
        wanted = f"{_dims(rank)} {dims}"
        for x, argument in _each(tensors, name):
            self._check(x.dim() == rank, lambda: f"{argument}: expected {wanted}, got {_ranked(x)}")

    def rank_at_least(self, tensors: Tensors, name: str, rank: int, dims: str) -> None:
        wanted = f"at least {_dims(rank)} {dims}"
        for x, argument in _each(tensors, name):
            self._check(x.dim() >= rank, lambda: f"{argument}: expected {wanted}, got {_ranked(x)}")

    def dtype(self, tensors: Tensors, name: str, *choices: torch.dtype) -> None:
        """The dtype is one of the choices."""
        for x, argument in _each(tensors, name):
            self._check(x.dtype in choices, lambda: f"{argument}: expected {_either(choices)}, got {_spell(x.dtype)}")

    def same_dtype(self, tensors: Tensors, name: str, other: Tensors, other_name: str) -> None:
        """The dtype is that of another argument, of a list's first tensor."""
        for like in _first(other):
            self.dtype_is(tensors, name, like.dtype, f"{other_name}.dtype")

    def dtype_among(self, tensors: Tensors, name: str, others: Mapping[str, Tensors], *choices: torch.dtype) -> None:
        """The dtype is that of another argument, or one of the choices."""
        likes = {
            f"{other}.dtype ({_spell(like.dtype)})": like.dtype for other in others for like in _first(others[other])
        }
        wanted = _either([*likes, *choices])
        for x, argument in _each(tensors, name):
            holds = x.dtype in choices or x.dtype in likes.values()
            self._check(holds, lambda: f"{argument}: expected {wanted}, got {_spell(x.dtype)}")

    def dtype_is(self, tensors: Tensors, name: str, dtype: torch.dtype, written: str) -> None:
        wanted = f"{written} ({_spell(dtype)})"
        for x, argument in _each(tensors, name):
            self._check(x.dtype == dtype, lambda: f"{argument}: expected {wanted}, got {_spell(x.dtype)}")

    def same_device(self, tensors: Tensors, name: str, other: Tensors, other_name: str) -> None:
        """The device is that of another argument, of a list's first tensor."""
        for like in _first(other):
            wanted = f"{other_name}.device ({like.device})"
            for x, argument in _each(tensors, name):
                self._check(x.device == like.device, lambda: f"{argument}: expected {wanted}, got {x.device}")

    def device_among(self, tensors: Tensors, name: str, others: Mapping[str, Tensors], *types: str) -> None:
        """The device is that of another argument, or of one of the types."""
        likes = {f"{other}.device ({like.device})": like.device for other in others for like in _first(others[other])}
        wanted = _either([*likes, *types])
        for x, argument in _each(tensors, name):
            holds = x.device.type in types or x.device in likes.values()
            self._check(holds, lambda: f"{argument}: expected {wanted}, got {x.device}")

    def device_is(self, tensors: Tensors, name: str, device: torch.device | str, written: str) -> None:
        """The device is one that an argument names; one without an index stands for all of its type."""
        wanted = torch.device(device)
        for x, argument in _each(tensors, name):
            holds = x.device.type == wanted.type and (None in (wanted.index, x.device.index) or x.device == wanted)
            self._check(holds, lambda: f"{argument}: expected {written} ({wanted}), got {x.device}")

    def device_type(self, tensors: Tensors, name: str, wanted: str) -> None:
        for x, argument in _each(tensors, name):
            self._check(x.device.type == wanted, lambda: f"{argument}: expected device {wanted}, got {x.device}")

    def size(self, tensors: Tensors, name: str, dim: int, size: int, origin: str = "") -> None:
        where = f"dim {dim}{_origin(origin)}"
        for x, argument in _each(tensors, name):
            found = x.size(dim)
            self._check(found == size, lambda: f"{argument}: expected size {size} at {where}, got {found}")

    def shape(self, tensors: Tensors, name: str, sizes: Sequence[int], origin: str) -> None:
        for x, argument in _each(tensors, name):
            self._equal(x.shape, sizes, argument, _origin(origin))

    def sizes(self, tensors: Tensors, name: str, lead: int, trail: int, sizes: Sequence[int], origin: str) -> None:
        """The sizes without `lead` dims on the left and `trail` on the right."""
        where = f" in dims [{lead or ''}:{-trail or ''}]{_origin(origin)}"
        for x, argument in _each(tensors, name):
            self._equal(x.shape[lead : x.dim() - trail], sizes, argument, where)

    def shape_among(
        self, tensors: Tensors, name: str, written: str, shapes: Sequence[Sequence[int | None]], known: Values = NONE
    ) -> None:
        """The shape is one of several, in which `None` stands for any size."""
        wanted = f"a shape {written}{_listing(' for ', known)}"
        for x, argument in _each(tensors, name):
            fits = [_fits(x.shape, shape) for shape in shapes if len(shape) == x.dim()]
            holds = functools.reduce(operator.or_, fits, False)
            self._check(holds, lambda: f"{argument}: expected {wanted}, got {_spell(x.shape)}")

    def solve(
        self, tensors: Tensors, name: str, dim: int, written: str, factor: int, offset: int = 0, known: Values = NONE
    ) -> int:
        """A size is `factor * n + offset` for some n >= 0. Return n; of a list, for the first tensor."""
        size = _first(tensors)[0].size(dim)
        rest = self.sub(size, offset)
        n = rest // factor

        def message() -> str:
            where = f"dim {dim}{_listing(' for ', known)}"
            return f"{_argument(name)}: expected a size {written} at {where}, got {size}"

        self._check(rest % factor == 0, message)
        self._check(n >= 0, message)
        return n

    def contiguous(self, tensors: Tensors, name: str) -> None:
        for x, argument in _each(tensors, name):
            self._check(x.is_contiguous(), lambda: f"{argument}: expected a contiguous tensor, got {_strided(x)}")

    def channels_last(self, tensors: Tensors, name: str) -> None:
        for x, argument in _each(tensors, name):
            holds = x.is_contiguous(memory_format=torch.channels_last)
            self._check(holds, lambda: f"{argument}: expected a channels_last tensor, got {_strided(x)}")

    def stride(self, tensors: Tensors, name: str, dim: int, stride: int, origin: str = "") -> None:
        """The stride of a dim; that of a dim of at most one element means nothing."""
        wanted = f"stride {stride} at dim {dim}{_origin(origin)}"
        for x, argument in _each(tensors, name):
            holds = (x.size(dim) <= 1) | (x.stride(dim) == stride)
            self._check(holds, lambda: f"{argument}: expected {wanted}, got {_strided(x)}")

    def same_strides(self, tensors: Tensors, name: str, other: Tensors, other_name: str) -> None:
        """The strides are those of another argument, of a list's first tensor; that of a dim of one element is free."""
        for like in _first(other):
            wanted = like.stride()
            for x, argument in _each(tensors, name):

                def message() -> str:
                    return f"{argument}: expected strides {_spell(wanted)} ({other_name}.stride()), got {_strided(x)}"

                self._check(x.dim() == len(wanted), message)
                for size, stride, expected in zip(x.shape, x.stride(), wanted):
                    self._check((size <= 1) | (stride == expected), message)

    # There is no `aligned`: a fake tensor has no address. Nor has it elements.

    # Arithmetic with numbers of the caller's, which may be of any size.

    def add(self, left: int, right: int) -> int:
        return self._fitting(left + right, left, "+", right)

    def sub(self, left: int, right: int) -> int:
        return self._fitting(left - right, left, "-", right)

    def mul(self, left: int, right: int) -> int:
        return self._fitting(left * right, left, "*", right)

    def prod(self, sizes: Sequence[int]) -> int:
        """The product of all elements of a list."""
        return functools.reduce(self.mul, sizes, 1)

    def argument(self, holds: bool, name: str, written: str, values: Values, rule: str = "") -> None:
        """A condition on one argument; `rule` is what its author says about it."""
        self._check(holds, lambda: f"{_argument(name)}: {_condition(written, values, rule)}")

    def condition(self, holds: bool, written: str, values: Values, rule: str = "") -> None:
        """A condition on several arguments or sizes."""
        self._check(holds, lambda: _condition(written, values, rule))

    def broadcast(self, runs: Mapping[str, Sequence[int]]) -> None:
        """The sizes broadcast against each other."""
        for left, right in itertools.combinations(runs.values(), 2):
            for size, other in zip(reversed(left), reversed(right)):
                self._check(
                    (size == other) | (size == 1) | (other == 1),
                    lambda: f"expected sizes that broadcast{_listing(', got ', runs, ' and ')}",
                )

    def output_size(self, output: str, dim: int, size: int, written: str, known: Values = NONE) -> None:
        """A computed size of an output is not negative."""
        where = f"output '{output}': expected a size >= 0 at dim {dim}"
        self._check(size >= 0, lambda: f"{where}, got {written} = {size}{_listing(' for ', known)}")

    def not_negative(self, sizes: Sequence[int], name: str) -> None:
        """The elements of a list of sizes are not negative."""
        for size in sizes:
            self._check(size >= 0, lambda: f"{_argument(name)}: expected sizes >= 0, got {_spell(sizes)}")

    def output_given(self, tensor: Tensor | None, name: str, given: bool) -> None:
        """What a kernel returned is there, or is not."""
        wanted = "a tensor, got None" if given else "None, got a tensor"
        self._check(
            (tensor is not None) == given, lambda: f"output '{name}' as the kernel returned it: expected {wanted}"
        )

    def output(
        self,
        tensors: Tensors,
        name: str,
        dims: str,
        sizes: Sequence[int | None],
        dtype: torch.dtype,
        device: torch.device | str,
    ) -> None:
        """What a kernel returned has sizes, dtype and device of its contract; None is a size that only the kernel knows."""
        place = torch.device(device)
        for x, _ in _each(tensors, ""):
            where = f"output '{name}' as the kernel returned it"
            wanted = f"{_dims(len(sizes))} {dims}"
            self._check(x.dim() == len(sizes), lambda: f"{where}: expected {wanted}, got {_ranked(x)}")
            for dim, (found, size) in enumerate(zip(x.shape, sizes)):
                if size is not None:
                    self._check(
                        found == size, lambda: f"{where}: expected size {size} at dim {dim} of {dims}, got {found}"
                    )
            self._check(x.dtype == dtype, lambda: f"{where}: expected {_spell(dtype)}, got {_spell(x.dtype)}")
            same = x.device.type == place.type and place.index in (None, x.device.index)
            self._check(same, lambda: f"{where}: expected device {place}, got {x.device}")

    def output_layout(
        self, tensors: Tensors, name: str, written: str, layout: torch.memory_format | Sequence[int]
    ) -> None:
        """It has a memory format, or strides; those of dims without neighbours mean nothing."""
        for x, _ in _each(tensors, ""):
            if isinstance(layout, torch.memory_format):
                holds = x.is_contiguous(memory_format=layout)
            else:
                pairs = zip(x.shape, x.stride(), layout)
                holds = x.numel() == 0 or all(size < 2 or found == stride for size, found, stride in pairs)
            self._check(
                holds, lambda: f"output '{name}' as the kernel returned it: expected {written}, got {_strided(x)}"
            )

    def output_at_most(self, name: str, size_name: str, size: int, bound: int, written: str) -> None:
        """A size that the kernel chose is within its bound."""
        where = f"output '{name}' as the kernel returned it"
        self._check(
            size <= bound, lambda: f"{where}: expected {size_name} <= {written}, got {size_name} = {size} > {bound}"
        )

    def _check(self, holds: bool, message: Callable[[], str]) -> None:
        torch._check(holds, lambda: f"{self.op}: {message()}")

    def _fitting(self, result: int, left: int, sign: str, right: int) -> int:
        """Return a number that fits into the 64 bits of C++; one that is symbolic is not asked."""
        if isinstance(result, int):
            holds = -(2**63) <= result < 2**63
            self._check(holds, lambda: f"expected numbers that fit into 64 bits, got {left} {sign} {right}")
        return result

    def _equal(self, found: Sequence[int], wanted: Sequence[int], argument: str, where: str) -> None:
        """Compare sizes one by one: a comparison of whole shapes would ask symbolic sizes for their truth."""

        def message() -> str:
            return f"{argument}: expected sizes {_spell(wanted)}{where}, got {_spell(found)}"

        self._check(len(found) == len(wanted), message)
        for size, other in zip(found, wanted):
            self._check(size == other, message)


def new_size(*bounds: int) -> Any:
    """Make a size that only the kernel knows; it is no larger than any of the bounds."""
    size = torch.library.get_ctx().new_dynamic_size()
    for bound in bounds:
        torch._check(size <= bound)
    return size


def _fits(sizes: Sequence[int], shape: Sequence[int | None]) -> bool:
    """Whether sizes are those of a shape, joined by `&`: `and` would ask symbolic sizes for their truth."""
    equal = [size == wanted for size, wanted in zip(sizes, shape) if wanted is not None]
    return functools.reduce(operator.and_, equal, True)


def _each(tensors: Tensors, name: str) -> Iterator[tuple[Tensor, str]]:
    """Yield every tensor of an argument, and what to call it."""
    if isinstance(tensors, Tensor):
        yield tensors, _argument(name)
    elif tensors is not None:
        for index, tensor in enumerate(tensors):
            yield from _each(tensor, f"{name}[{index}]")


def _first(tensors: Tensors) -> list[Tensor]:
    """Return the tensor of an argument, the first one of a list; nothing where there is none."""
    return [tensor for tensor, _ in itertools.islice(_each(tensors, ""), 1)]


# --- words ------------------------------------------------------------------------------------------------------------
def _spell(value: object) -> str:
    if isinstance(value, torch.dtype):
        return str(value).removeprefix("torch.")
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(_spell, value))}]"
    return str(value)


def _show(value: object) -> str:
    """Spell a value; a string stands in quotes, its characters beyond ASCII as they are."""
    if not isinstance(value, str):
        return _spell(value)
    quote = '"' if "'" in value and '"' not in value else "'"
    escapes = {quote: "\\" + quote, "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    shown = (escapes.get(c, f"\\x{ord(c):02x}" if c < " " or c == "\x7f" else c) for c in value)
    return f"{quote}{''.join(shown)}{quote}"


def _argument(name: str) -> str:
    return f"argument '{name}'"


def _dims(count: int) -> str:
    return "1 dim" if count == 1 else f"{count} dims"


def _ranked(x: Tensor) -> str:
    return f"a {x.dim()}-dim tensor of shape {_spell(x.shape)}"


def _strided(x: Tensor) -> str:
    return f"strides {_spell(x.stride())} for shape {_spell(x.shape)}"


def _either(choices: Sequence[object]) -> str:
    *first, last = map(_spell, choices)
    return f"{', '.join(first)} or {last}" if first else last


def _origin(text: str) -> str:
    return f" ({text})" if text else ""


def _listing(before: str, values: Values, join: str = ", ") -> str:
    listed = join.join(f"{name} = {_show(value)}" for name, value in values.items())
    return f"{before}{listed}" if listed else ""


def _condition(written: str, values: Values, rule: str) -> str:
    expected = f"expected {written}{_listing(', got ', values)}"
    return f"{rule} ({expected})" if rule else expected


# --- type promotion ---------------------------------------------------------------------------------------------------
def promote(*values: Any) -> torch.dtype:
    """Promote as ATen does: tensors with dims outrank those without, which outrank numbers.

    Source: `result_type` of `ResultTypeState`, aten/src/ATen/native/TypeProperties.cpp.
    """
    given = [value for value in values if value is not None]
    tensors = [value for value in given if isinstance(value, torch.Tensor)]
    groups = (
        [tensor.dtype for tensor in tensors if tensor.dim() > 0],
        [tensor.dtype for tensor in tensors if tensor.dim() == 0],
        [torch.result_type(value, value) for value in given if not isinstance(value, torch.Tensor)],
    )
    return functools.reduce(_outrank, (functools.reduce(torch.promote_types, group) for group in groups if group))


def _outrank(higher: torch.dtype, lower: torch.dtype) -> torch.dtype:
    """Return the dtype of the higher rank, unless the lower one is of a wider kind: integer, float, complex."""
    if higher.is_complex or (higher.is_floating_point and not lower.is_complex):
        return higher
    if higher.is_floating_point:
        return torch.promote_types(higher, torch.complex32)
    if higher == torch.bool or lower.is_floating_point or lower.is_complex:
        return torch.promote_types(higher, lower)
    return higher
