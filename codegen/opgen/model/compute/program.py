"""Resolves the expressions of an op to its program, and checks what the program stores and reads."""

from __future__ import annotations

from opgen.model.compute import codes
from opgen.model.compute.draft import Draft
from opgen.model.compute.dtypes import TensorType
from opgen.model.compute.names import ExpressionContext
from opgen.model.compute.nodes import Load, Named, Program, Store, Value, ValueType
from opgen.model.compute.one_precision import in_one_precision
from opgen.model.compute.sharing import shared
from opgen.model.compute.value_types import adopt
from opgen.model.compute.walk import axes_of, every
from opgen.spec.dtypes import DTYPES
from opgen.spec.report import Report


def resolve_program(context: ExpressionContext, report: Report) -> Program | None:
    """Return the program of an op, or ``None`` after an error.

    Args:
        context: an op with ``pointwise`` or ``reduce``.
        report: collects every mistake.
    """
    count = len(report.diagnostics)
    draft = Draft(context, report)
    draft.resolve()
    stores = [store for target in context.targets if (store := _store(draft, target)) is not None]
    if len(report.diagnostics) > count:
        return None
    _check_reads(draft, stores)
    _warn_of_unused(draft, stores)
    program = Program(
        axes=draft.space.axes,
        reduced=draft.reduced,
        bindings=tuple(draft.bindings.values()),
        reductions=tuple(draft.reductions.values()),
        stores=tuple(stores),
    )
    return shared(in_one_precision(program))


def _store(draft: Draft, target: str) -> Store | None:
    """Return the store to a target; ``None`` after reporting why there is none."""
    value, dims, context = draft.values.get(target), draft.target_dims.get(target), draft.context
    held = context.types.of_argument(target) if target in context.arguments else context.types.of_output(target)
    if value is None or dims is None or held is None or not _may_hold(draft, target, value, held):
        return None
    own = {dim.axis for dim in dims if dim.axis is not None}
    if not _covers(draft, target, value, own):
        return None
    missing = [name for name in draft.reduced if name not in own]
    if 0 < len(missing) < len(draft.reduced):
        kept = next(name for name in draft.reduced if name in own)
        message = f"'{target}' has the dim '{kept}' and not '{missing[0]}', and both are reduced"
        draft.report.add(
            codes.AXIS, message, draft.entries[target].place, "compute one of the results in an op of its own"
        )
        return None
    return Store(target, dims, _adopted(draft, value, held), per_row=bool(missing))


def _adopted(draft: Draft, value: Value, held: TensorType) -> Value:
    """Give weak values the floating-point type of the target, if that is tied to arguments or is a single dtype."""
    if held.kind != "float":
        return value
    if all(root in draft.context.arguments for root in held.roots):
        return adopt(value, ValueType("float", held.roots))
    return adopt(value, ValueType("float", dtypes=held.names)) if len(held.names) == 1 else value


def _may_hold(draft: Draft, target: str, value: Value, held: TensorType) -> bool:
    """Whether a target can hold values of this kind; else it is reported."""
    entry = draft.entries[target]
    names = "any dtype" if len(held.names) == len(DTYPES) else " or ".join(held.names)
    if held.stored is None:
        draft.report.add(codes.DTYPE, f"'{target}' holds {names}, which expressions can't compute", entry.place)
        return False
    if not _fits(value.type, held):
        message = f"the value of '{target}' is {_KINDS[value.type.kind]}, and '{target}' holds {names}"
        draft.report.add(codes.STORED, message, entry.text.locate(entry.expression.span))
        return False
    return True


def _covers(draft: Draft, target: str, value: Value, own: set[str]) -> bool:
    """Whether a target has all axes along which its value varies; else it is reported."""
    lost = sorted(axes_of(value, draft.varies) - own)
    if not lost:
        return True
    entry, by_name = draft.entries[target], draft.space.by_name
    names = " and ".join(f"'{'*' if by_name[name].is_pack else ''}{name}'" for name in lost)
    packs = [name for name in (*sorted(own), *lost) if by_name[name].is_pack]
    remedy = f"give '{target}' the dims `*broadcast({', '.join(packs)})`" if len(packs) > 1 else ""
    message = f"the value of '{target}' varies along {names}, and '{target}' doesn't"
    draft.report.add(codes.AXIS, message, entry.text.locate(entry.expression.span), remedy)
    return False


def _fits(value: ValueType, held: TensorType) -> bool:
    """Whether a value may be stored without a cast."""
    match value.kind, held.stored:
        case _, "any":
            return True
        case "bool", _:
            return True
        case "int", kind:
            return kind != "bool"
        case "float", kind:
            return kind == "float"
        case "number", "number":
            return not value.weak and set(value.tensors) <= set(held.roots)
    return held.stored == "float"


def _check_reads(draft: Draft, stores: list[Store]) -> None:
    """Report reads of a written tensor at another element than the one that is stored at the point."""
    dims = {store.target: store.dims for store in stores}
    for name, value in draft.all_values():
        for each in every(value):
            if not isinstance(each, Load):
                continue
            operand = each.operand
            if operand.argument in dims and (operand.is_part or operand.dims != dims[operand.argument]):
                message = f"'{operand.argument}' is written as a whole, and read in parts"
                draft.report.add(codes.MOVED, message, draft.entries[name].text.locate(each.span))


def _warn_of_unused(draft: Draft, stores: list[Store]) -> None:
    used = {store.target for store in stores}
    for _, value in draft.all_values():
        used |= {each.name for each in every(value) if isinstance(each, Named)}
    for name, entry in draft.entries.items():
        if name not in used:
            draft.report.add(codes.UNUSED, f"'{name}' is no result, and nothing uses it", entry.place)


_KINDS = {
    "bool": "a truth value",
    "int": "an integer",
    "float": "a floating-point value",
    "number": "an integer or a floating-point value, as the arguments are",
}
