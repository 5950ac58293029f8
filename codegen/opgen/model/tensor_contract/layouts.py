"""Layouts: what strides and alignment an input must have, and an output will have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from opgen.diagnostics import Code
from opgen.model.codes import UNSUPPORTED
from opgen.model.tensor_contract import codes
from opgen.model.tensor_contract.entries import Entry
from opgen.model.tensor_contract.expressions import Expressions
from opgen.model.tensor_contract.scope import Scope
from opgen.model.tensors import CheckAligned, CheckContiguous, CheckStride, Step
from opgen.source import Span
from opgen.spec.expression import Expression
from opgen.spec.report import Report
from opgen.spec.tensor_spec import DimSize, LayoutAligned, LayoutLike, LayoutStrides, LayoutWord

MemoryFormat = Literal["contiguous", "channels_last"]

_CHANNELS_LAST_DIMS = 4


@dataclass(frozen=True)
class Layouts:
    """Resolves the layouts of one op."""

    scope: Scope
    report: Report

    def _refuse(self, entry: Entry, span: Span, message: str, code: Code = codes.LAYOUT, help_: str = "") -> None:
        self.report.add(code, f"'{entry.key}': {message}", entry.place(span), help_)

    def steps(self, entry: Entry) -> Iterator[Step]:
        """Yield the checks of an input."""
        for layout in entry.spec.layouts:
            match layout:
                case LayoutWord("any"):
                    pass
                case LayoutWord("contiguous" | "channels_last" as word, span):
                    self._has_four_dims(entry, word, span, exact=entry.run is None)
                    yield Step(CheckContiguous(entry.tensor, word), entry.given, entry.each)
                case LayoutStrides():
                    yield from self._strides(entry, layout)
                case LayoutAligned(count):
                    yield Step(CheckAligned(entry.tensor, count), entry.given, entry.each)
                case LayoutLike(span=span):
                    self._like(entry, span)

    def _like(self, entry: Entry, span: Span) -> None:
        message = f"'{entry.written(span)}' can't be generated yet"
        self._refuse(entry, span, message, UNSUPPORTED, "write the strides, `strides[n, 1]`")

    def _has_four_dims(self, entry: Entry, word: str, span: Span, *, exact: bool) -> None:
        if word == "channels_last" and exact and len(entry.dims) != _CHANNELS_LAST_DIMS:
            self._refuse(entry, span, f"'channels_last' is defined for 4 dims, found {len(entry.dims)}")

    def _strides(self, entry: Entry, layout: LayoutStrides) -> Iterator[Step]:
        count = len(layout.strides)
        if layout.rest is None and (entry.run is not None or count != len(entry.dims)):
            dims = entry.written_shape
            help_ = "write `strides[..., 1]` for the last dims alone"
            self._refuse(entry, layout.span, f"expected a stride for each dim of {dims}, found {count}", help_=help_)
            return
        if count > len(entry.dims):
            self._refuse(entry, layout.span, f"{count} strides are more than the dims of {entry.written_shape}")
            return
        expressions = Expressions(self.scope, self.report, entry.text)
        for place, stride in enumerate(layout.strides):
            if stride is not None:
                dim = place if layout.rest is None or place < layout.rest else place - count
                yield Step(
                    CheckStride(entry.tensor, dim, expressions.size(stride, entry.needs)), entry.given, entry.each
                )

    def of_output(self, entry: Entry) -> tuple[MemoryFormat, tuple[Expression, ...] | None]:
        """Return the memory format of an output and its strides, where they are stated one by one."""
        memory_format: MemoryFormat = "contiguous"
        strides: tuple[Expression, ...] | None = None
        for layout in entry.spec.layouts:
            match layout:
                case LayoutWord("channels_last", span):
                    self._has_four_dims(entry, "channels_last", span, exact=all(_is_single(dim) for dim in entry.dims))
                    memory_format = "channels_last"
                case LayoutStrides():
                    strides = self._output_strides(entry, layout)
                case LayoutLike(span=span):
                    self._like(entry, span)
        return memory_format, strides

    def _output_strides(self, entry: Entry, layout: LayoutStrides) -> tuple[Expression, ...] | None:
        stated = [stride for stride in layout.strides if stride is not None]
        if layout.rest is not None or len(stated) != len(entry.dims) or not all(map(_is_single, entry.dims)):
            dims = entry.written_shape
            self._refuse(
                entry, layout.span, f"an output needs the stride of each dim of {dims}", help_="write them all"
            )
            return None
        expressions = Expressions(self.scope, self.report, entry.text)
        return tuple(expressions.size(stride) for stride in stated)


def _is_single(dim: object) -> bool:
    return isinstance(dim, DimSize)
