"""From Lark's parse tree to the nodes of ``opgen.spec.tensor_spec``."""
# ruff: noqa: D102 - each method is named after the rule of the grammar whose node it builds

from __future__ import annotations

from typing import Any, get_args

from lark import Token, v_args
from lark.tree import Meta

from opgen.spec import expression as ex
from opgen.spec import tensor_spec as ts
from opgen.spec.language import codes
from opgen.spec.language.expression_nodes import ExpressionNodes, span_of


@v_args(meta=True)
class TensorNodes(ExpressionNodes):
    """Builds the nodes of an entry of ``tensors``, and those of the expressions in it."""

    # --- one entry ----------------------------------------------------------------------------------------------------
    def spec_if(self, meta: Meta, children: list[Any]) -> ts.SpecIf:
        then, condition, otherwise = children
        return ts.SpecIf(then, condition, otherwise, span_of(meta))

    def no_tensor(self, meta: Meta, _children: list[Any]) -> ts.NoTensor:
        return ts.NoTensor(span_of(meta))

    def spec(self, meta: Meta, children: list[Any]) -> ts.TensorSpec:
        dtype, shapes, *rest = children
        layouts = tuple(part for part in rest if isinstance(part, get_args(ts.Layout)))
        device = next((part for part in rest if isinstance(part, ts.DeviceSpec)), None)
        values = next((part for part in rest if isinstance(part, get_args(ts.Values))), None)
        return ts.TensorSpec(dtype, shapes, layouts, device, values, span_of(meta))

    # --- dtype --------------------------------------------------------------------------------------------------------
    def dtype_name(self, meta: Meta, children: list[Token]) -> ts.DtypeName:
        return ts.DtypeName(str(children[0]), span_of(meta))

    def dtype_of(self, meta: Meta, children: list[Token]) -> ts.DtypeOf:
        return ts.DtypeOf(str(children[0]), span_of(meta))

    def dtype_promote(self, meta: Meta, children: list[Token]) -> ts.DtypePromote:
        function, *arguments = map(str, children)
        if function != "promote":
            self.refuse(codes.FUNCTION_CALL, span_of(meta), f"'{function}' makes no dtype, 'promote(x, y)' does")
        return ts.DtypePromote(tuple(arguments), span_of(meta))

    def dtype_union(self, meta: Meta, children: list[Any]) -> ts.DtypeUnion:
        return ts.DtypeUnion(tuple(children), span_of(meta))

    def dtype_or(self, meta: Meta, children: list[Any]) -> ts.DtypeOr:
        return ts.DtypeOr(tuple(children), span_of(meta))

    # --- dims ---------------------------------------------------------------------------------------------------------
    def shapes(self, _meta: Meta, children: list[tuple[ts.Dim, ...]]) -> tuple[tuple[ts.Dim, ...], ...]:
        return tuple(children)

    def dims(self, _meta: Meta, children: list[ts.Dim | None]) -> tuple[ts.Dim, ...]:
        return tuple(child for child in children if child is not None)

    def dim_size(self, meta: Meta, children: list[ex.Expression]) -> ts.DimSize:
        return ts.DimSize(children[0], span_of(meta))

    def dim_any(self, meta: Meta, _children: list[Any]) -> ts.DimAny:
        return ts.DimAny(span_of(meta))

    def dim_rest(self, meta: Meta, _children: list[Any]) -> ts.DimRest:
        return ts.DimRest(span_of(meta))

    def dim_pack(self, meta: Meta, children: list[Token]) -> ts.DimPack:
        return ts.DimPack(str(children[0]), span_of(meta))

    def dim_broadcast(self, meta: Meta, children: list[Token]) -> ts.DimBroadcast:
        function, *packs = map(str, children)
        if function != "broadcast":
            self.refuse(
                codes.FUNCTION_CALL, span_of(meta), f"'*{function}(...)' is no run of dims, '*broadcast(a, b)' is"
            )
        return ts.DimBroadcast(tuple(packs), span_of(meta))

    def dim_dynamic(self, meta: Meta, children: list[Any]) -> ts.DimDynamic:
        return ts.DimDynamic(str(children[0]), children[1], span_of(meta))

    # --- layout, device, values ---------------------------------------------------------------------------------------
    def layout_word(self, meta: Meta, children: list[Any]) -> ts.LayoutWord:
        return ts.LayoutWord(children[0].value, span_of(meta))

    def layout_strides(self, meta: Meta, children: list[Any]) -> ts.LayoutStrides:
        rests = [place for place, child in enumerate(children) if child is ...]
        for _ in rests[1:]:
            self.refuse(codes.TENSOR_SYNTAX, span_of(meta), "strides hold '...' at most once, found it twice")
        strides = tuple(child for child in children if child is not ...)
        return ts.LayoutStrides(strides, rests[0] if rests else None, span_of(meta))

    def stride_any(self, _meta: Meta, _children: list[Any]) -> None:
        return None

    def stride_rest(self, _meta: Meta, _children: list[Any]) -> Any:
        return ...

    def layout_like(self, meta: Meta, children: list[Token]) -> ts.LayoutLike:
        return ts.LayoutLike(str(children[0]), span_of(meta))

    def layout_aligned(self, meta: Meta, children: list[Token]) -> ts.LayoutAligned:
        return ts.LayoutAligned(self.integer(children[0]), span_of(meta))

    def device(self, meta: Meta, children: list[Token]) -> ts.DeviceSpec:
        return ts.DeviceSpec(tuple(map(str, children)), span=span_of(meta))

    def device_or(self, meta: Meta, children: list[Token]) -> ts.DeviceSpec:
        return ts.DeviceSpec(tuple(map(str, children)), "or", span_of(meta))

    def value_range(self, meta: Meta, children: list[Any]) -> ts.ValueRange:
        low, high = children
        return ts.ValueRange(low, high, span_of(meta))

    def value_offsets(self, meta: Meta, children: list[Any]) -> ts.ValueOffsets:
        return ts.ValueOffsets(children[0], span_of(meta))

    def value_permutation(self, meta: Meta, _children: list[Any]) -> ts.ValuePermutation:
        return ts.ValuePermutation(span_of(meta))
