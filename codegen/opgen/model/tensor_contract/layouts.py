"""Resolves layouts: the strides and alignment that inputs must have and outputs get."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from opgen.model.tensor_contract import codes
from opgen.model.tensor_contract.entries import Entry
from opgen.model.tensor_contract.expressions import Expressions
from opgen.model.tensor_contract.guards import Guard
from opgen.model.tensor_contract.linear import product
from opgen.model.tensor_contract.scope import Kind, Scope, did_you_mean, has_gaps, kind_of
from opgen.model.tensors import CheckAligned, CheckContiguous, CheckStride, CheckStridesLike, Step
from opgen.records import dataclass
from opgen.source import Span
from opgen.spec.expression import Call, Constant, Expression
from opgen.spec.report import Report
from opgen.spec.tensor_spec import DimSize, LayoutAligned, LayoutLike, LayoutStrides, LayoutWord
from opgen.words import counted

MemoryFormat = Literal["contiguous", "channels_last"]

_CHANNELS_LAST_DIMS = 4
_ALIGNMENT = 64
"""Bytes that fresh tensors are aligned to at least. Source: ``gAlignment`` in ``c10/core/alignment.h``."""


@dataclass(frozen=True, slots=True)
class OutputLayout:
    """The layout of an output: explicit ``strides``, else those of the tensor ``strides_of``, else a memory format."""

    memory_format: MemoryFormat = "contiguous"
    strides: tuple[Expression, ...] | None = None
    strides_of: str | None = None


def stated_strides(entry: Entry) -> Iterator[tuple[int, Expression]]:
    """Yield dim and stride for the strides that an entry states; none if their number doesn't fit the dims."""
    for layout in entry.spec.layouts:
        if isinstance(layout, LayoutStrides) and _wrong_count(entry, layout) is None:
            yield from _stated(layout)


def _stated(layout: LayoutStrides) -> Iterator[tuple[int, Expression]]:
    for place, stride in enumerate(layout.strides):
        if stride is not None:
            is_left = layout.rest is None or place < layout.rest
            yield place if is_left else place - len(layout.strides), stride


def _wrong_count(entry: Entry, layout: LayoutStrides) -> tuple[str, str] | None:
    """Return the message and the remedy if the number of strides doesn't fit the dims."""
    count = len(layout.strides)
    if layout.rest is None and (entry.pack_place is not None or count != len(entry.dims)):
        message = f"expected a stride for each dim of {entry.written_shape}, found {count}"
        return message, "write `strides[..., 1]` for the last dims alone"
    if count > len(entry.dims):
        return f"found {counted(count, 'stride')}, more than the dims of {entry.written_shape}", ""
    return None


def layouts_of(entry: Entry) -> tuple[object, ...]:
    """Return a key of an entry's layouts; it includes the dims if there are strides, which are counted by them."""
    layouts = entry.spec.layouts
    is_plain = all(isinstance(layout, LayoutWord | LayoutAligned) for layout in layouts)
    return (layouts,) if is_plain else (layouts, entry.dims)


@dataclass(frozen=True)
class Layouts:
    """Resolves the layouts of one op.

    Attributes:
        inputs: the entries of arguments whose dims are the same in all branches, by name.
    """

    scope: Scope
    report: Report
    inputs: Mapping[str, Entry]

    def _refuse(self, entry: Entry, span: Span, message: str, help_: str = "") -> None:
        self.report.add(codes.LAYOUT, f"'{entry.key}': {message}", entry.place(span), help_)

    # --- inputs -------------------------------------------------------------------------------------------------------
    def steps(self, entry: Entry) -> Iterator[Step]:
        """Yield the checks of an input."""
        for layout in entry.spec.layouts:
            match layout:
                case LayoutWord("contiguous" | "channels_last" as word, span):
                    self._has_four_dims(entry, word, span, exact=entry.pack_place is None)
                    yield entry.guard.step(CheckContiguous(entry.tensor, word), each=entry.each)
                case LayoutStrides():
                    yield from self._strides(entry, layout)
                case LayoutAligned(count):
                    yield entry.guard.step(CheckAligned(entry.tensor, count), each=entry.each)
                case LayoutLike(tensor, span) if self._is_tensor(entry, tensor, span):
                    given = Guard(frozenset({tensor} if self.scope.arguments[tensor].is_optional else ()))
                    yield (entry.guard | given).step(CheckStridesLike(entry.tensor, tensor), each=entry.each)

    def _strides(self, entry: Entry, layout: LayoutStrides) -> Iterator[Step]:
        if wrong := _wrong_count(entry, layout):
            self._refuse(entry, layout.span, *wrong)
            return
        expressions = Expressions(self.scope, self.report, entry.text)
        for dim, stride in _stated(layout):
            if (entry.tensor, dim) not in self.scope.bound_strides or entry.each:
                check = CheckStride(entry.tensor, dim, expressions.size(stride, entry.needs))
                yield entry.guard.step(check, each=entry.each)

    def _is_tensor(self, entry: Entry, name: str, span: Span) -> bool:
        """Whether a name is a tensor whose strides can be read; else it is reported."""
        argument = self.scope.arguments.get(name)
        if argument is None or kind_of(argument) not in (Kind.TENSOR, Kind.TENSORS) or name == entry.tensor:
            what = "no argument" if argument is None else kind_of(argument).value
            what = "this tensor itself" if name == entry.tensor else what
            tensors = [each for each in self.scope.of_kind(Kind.TENSOR, Kind.TENSORS) if each != entry.tensor]
            help_ = did_you_mean(name, tensors, "name another tensor, or write the strides: `strides[n, 1]`")
            self._refuse(entry, span, f"'{name}' is {what}, expected another tensor", help_)
            return False
        if has_gaps(argument):
            self._refuse(entry, span, f"an element of '{name}' may be None, and has no strides then")
            return False
        own, other = (self.scope.ranks.get(tensor, (0, False)) for tensor in (entry.tensor, name))
        if own[1] and other[1] and own[0] != other[0]:
            self._refuse(entry, span, f"'{name}' has {other[0]} dims, expected {own[0]} as in {entry.written_shape}")
            return False
        return True

    def _has_four_dims(self, entry: Entry, word: str, span: Span, *, exact: bool) -> None:
        if word == "channels_last" and exact and len(entry.dims) != _CHANNELS_LAST_DIMS:
            self._refuse(entry, span, f"'channels_last' is defined for 4 dims, found {len(entry.dims)}")

    # --- outputs ------------------------------------------------------------------------------------------------------
    def of_output(self, entry: Entry) -> OutputLayout:
        """Return the layout of an output; mistakes are reported."""
        found = OutputLayout()
        for layout in entry.spec.layouts:
            match layout:
                case LayoutWord("channels_last", span):
                    self._has_four_dims(entry, "channels_last", span, exact=all(_is_single(dim) for dim in entry.dims))
                    found = OutputLayout("channels_last")
                case LayoutStrides():
                    found = OutputLayout(strides=self._output_strides(entry, layout))
                case LayoutLike(tensor, span):
                    found = OutputLayout(strides_of=self._like(entry, tensor, span))
                case LayoutAligned(count, span) if count > _ALIGNMENT:
                    message = f"an output is aligned to {_ALIGNMENT} bytes, found {count}"
                    self._refuse(entry, span, message, f"write `aligned({_ALIGNMENT})`, or leave it out")
        return found

    def _like(self, entry: Entry, tensor: str, span: Span) -> str | None:
        """Return the tensor of ``strides(x)``, which must always be given and have the output's dims; else ``None``."""
        if not self._is_tensor(entry, tensor, span):
            return None
        if self.scope.arguments[tensor].is_optional:
            self._refuse(entry, span, f"'{tensor}' may be None, and has no strides then")
        elif tensor not in self.inputs or self.inputs[tensor].dims != entry.dims:
            dims = self.inputs[tensor].written_shape if tensor in self.inputs else "none"
            message = f"the strides of '{tensor}' are those of its dims, {dims}, found {entry.written_shape}"
            self._refuse(entry, span, message, "write the strides: `strides[n, 1]`")
        else:
            return tensor
        return None

    def _output_strides(self, entry: Entry, layout: LayoutStrides) -> tuple[Expression, ...] | None:
        """Return the stride of each dim; open ones are completed around the stated ones, the rightmost innermost."""
        if wrong := _wrong_count(entry, layout):
            self._refuse(entry, layout.span, *wrong)
            return None
        sizes = [dim.size for dim in entry.dims if isinstance(dim, DimSize)]
        if len(sizes) < len(entry.dims):
            if layout.strides == (Constant(1),) and layout.rest == 0:
                return None  # these are the strides of a contiguous tensor
            message = f"the strides of {entry.written_shape} can't be written one by one"
            self._refuse(entry, layout.span, message, "name its dims, or write `contiguous` or `strides(x)`")
            return None
        expressions = Expressions(self.scope, self.report, entry.text)
        sizes = [expressions.size(size, entry.needs) for size in sizes]
        known = {dim % len(sizes): expressions.size(stride, entry.needs) for dim, stride in _stated(layout)}
        for dim in reversed(range(len(sizes))):
            known.setdefault(dim, _beyond([product(stride, sizes[other]) for other, stride in known.items()]))
        return tuple(known[dim] for dim in range(len(sizes)))


def _beyond(reaches: list[Expression | None]) -> Expression:
    parts = tuple(reach for reach in reaches if reach is not None)
    if len(parts) > 1:
        return Call("max", parts)
    return parts[0] if parts else Constant(1)


def _is_single(dim: object) -> bool:
    return isinstance(dim, DimSize)
