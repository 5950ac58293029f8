"""Builds the nodes of ``opgen.spec.tensor_spec`` from grammar rules."""
# ruff: noqa: D102 - each method is named after the rule of the grammar whose node it builds

from __future__ import annotations

from typing import Any, get_args

from opgen.lalr.token import Token
from opgen.source import Span
from opgen.spec import expression as ex
from opgen.spec import tensor_spec as ts
from opgen.spec.language import codes
from opgen.spec.language.expression_nodes import ExpressionNodes


class TensorNodes(ExpressionNodes):
    """Builds the nodes of an entry of ``tensors``, and those of the expressions in it."""

    # --- one entry ----------------------------------------------------------------------------------------------------
    def spec_if(self, span: Span, children: list[Any]) -> ts.SpecIf:
        then, condition, otherwise = children
        return ts.SpecIf(then, condition, otherwise, span)

    def no_tensor(self, span: Span, _children: list[Any]) -> ts.NoTensor:
        return ts.NoTensor(span)

    def spec(self, span: Span, children: list[Any]) -> ts.TensorSpec:
        dtype, shapes, *rest = children
        layouts = tuple(part for part in rest if isinstance(part, get_args(ts.Layout)))
        device = next((part for part in rest if isinstance(part, ts.DeviceSpec)), None)
        values = next((part for part in rest if isinstance(part, get_args(ts.Values))), None)
        return ts.TensorSpec(dtype, shapes, layouts, device, values, span)

    # --- dtype --------------------------------------------------------------------------------------------------------
    def dtype_name(self, span: Span, children: list[Token]) -> ts.DtypeName:
        return ts.DtypeName(str(children[0]), span)

    def dtype_of(self, span: Span, children: list[Token]) -> ts.DtypeOf:
        return ts.DtypeOf(str(children[0]), span)

    def dtype_promote(self, span: Span, children: list[Token]) -> ts.DtypePromote:
        function, *arguments = map(str, children)
        if function != "promote":
            self.refuse(codes.FUNCTION_CALL, span, f"'{function}' makes no dtype, 'promote(x, y)' does")
        return ts.DtypePromote(tuple(arguments), span)

    def dtype_union(self, span: Span, children: list[Any]) -> ts.DtypeUnion:
        return ts.DtypeUnion(tuple(children), span)

    def dtype_or(self, span: Span, children: list[Any]) -> ts.DtypeOr:
        return ts.DtypeOr(tuple(children), span)

    # --- dims ---------------------------------------------------------------------------------------------------------
    def shapes(self, _span: Span, children: list[tuple[ts.Dim, ...]]) -> tuple[tuple[ts.Dim, ...], ...]:
        return tuple(children)

    def dims(self, _span: Span, children: list[ts.Dim | None]) -> tuple[ts.Dim, ...]:
        return tuple(child for child in children if child is not None)

    def dim_size(self, span: Span, children: list[ex.Expression]) -> ts.DimSize:
        return ts.DimSize(children[0], span)

    def dim_any(self, span: Span, _children: list[Any]) -> ts.DimAny:
        return ts.DimAny(span)

    def dim_rest(self, span: Span, _children: list[Any]) -> ts.DimRest:
        return ts.DimRest(span)

    def dim_pack(self, span: Span, children: list[Token]) -> ts.DimPack:
        return ts.DimPack(str(children[0]), span)

    def dim_broadcast(self, span: Span, children: list[Token]) -> ts.DimBroadcast:
        function, *packs = map(str, children)
        if function != "broadcast":
            self.refuse(codes.FUNCTION_CALL, span, f"'*{function}(...)' is no run of dims, '*broadcast(a, b)' is")
        return ts.DimBroadcast(tuple(packs), span)

    def dim_dynamic(self, span: Span, children: list[Any]) -> ts.DimDynamic:
        return ts.DimDynamic(str(children[0]), children[1], span)

    # --- layout, device, values ---------------------------------------------------------------------------------------
    def layout_word(self, span: Span, children: list[Any]) -> ts.LayoutWord:
        word: Any = str(children[0])
        return ts.LayoutWord(word, span)

    def layout_strides(self, span: Span, children: list[Any]) -> ts.LayoutStrides:
        rests = [place for place, child in enumerate(children) if child is ...]
        for _ in rests[1:]:
            self.refuse(codes.TENSOR_SYNTAX, span, "strides hold '...' at most once, found it twice")
        strides = tuple(child for child in children if child is not ...)
        return ts.LayoutStrides(strides, rests[0] if rests else None, span)

    def stride_any(self, _span: Span, _children: list[Any]) -> None:
        return None

    def stride_rest(self, _span: Span, _children: list[Any]) -> Any:
        return ...

    def layout_like(self, span: Span, children: list[Token]) -> ts.LayoutLike:
        return ts.LayoutLike(str(children[0]), span)

    def layout_aligned(self, span: Span, children: list[Token]) -> ts.LayoutAligned:
        return ts.LayoutAligned(self.integer(children[0]), span)

    def device(self, span: Span, children: list[Token]) -> ts.DeviceSpec:
        return ts.DeviceSpec(tuple(map(str, children)), span=span)

    def device_or(self, span: Span, children: list[Token]) -> ts.DeviceSpec:
        return ts.DeviceSpec(tuple(map(str, children)), "or", span)

    def value_range(self, span: Span, children: list[Any]) -> ts.ValueRange:
        low, high = children
        return ts.ValueRange(low, high, span)

    def value_offsets(self, span: Span, children: list[Any]) -> ts.ValueOffsets:
        return ts.ValueOffsets(children[0], span)

    def value_permutation(self, span: Span, _children: list[Any]) -> ts.ValuePermutation:
        return ts.ValuePermutation(span)
