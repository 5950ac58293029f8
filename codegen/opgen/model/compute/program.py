"""The program of an op with ``pointwise`` or ``reduce``."""

from __future__ import annotations

from opgen.model.compute import codes
from opgen.model.compute.draft import Draft
from opgen.model.compute.dtypes import TensorType
from opgen.model.compute.names import Surroundings
from opgen.model.compute.nodes import Load, Named, Program, Store, ValueType
from opgen.model.compute.sharing import shared
from opgen.model.compute.value_types import adopt
from opgen.model.compute.walk import axes_of, every
from opgen.spec.dtypes import DTYPES
from opgen.spec.report import Report


def resolve_program(around: Surroundings, report: Report) -> Program | None:
    """Return the program of an op, or ``None`` where the report says why there is none.

    Args:
        around: an op with ``pointwise`` or ``reduce``.
        report: takes every mistake.
    """
    count = len(report.diagnostics)
    draft = Draft(around, report)
    draft.resolve()
    stores = [store for target in around.targets if (store := _store(draft, target)) is not None]
    if len(report.diagnostics) > count:
        return None
    _check_reads(draft, stores)
    _warn_of_unused(draft, stores)
    return shared(
        Program(
            axes=draft.space.axes,
            reduced=draft.reduced,
            bindings=tuple(draft.bindings.values()),
            reductions=tuple(draft.reductions.values()),
            stores=tuple(stores),
        )
    )


def _store(draft: Draft, target: str) -> Store | None:
    """Return what is stored to a target, or say why it can't be."""
    value, entry = draft.values.get(target), draft.entries.get(target)
    dims = draft.target_dims.get(target)
    if value is None or entry is None or dims is None:
        return None
    around, report = draft.around, draft.report
    held = around.types.of_argument(target) if target in around.arguments else around.types.of_output(target)
    if held is None:
        return None  # its contract is wrong, which has been said
    if held.stored is None:
        message = f"'{target}' holds what expressions can't compute"
        report.add(codes.DTYPE, message, entry.place)
        return None
    text, span = entry.text, entry.expression.span
    if not _fits(value.type, held):
        message = f"the value of '{target}' is {_KINDS[value.type.kind]}, and '{target}' holds {_names(held.names)}"
        report.add(codes.STORED, message, text.locate(span))
        return None
    own = {dim.axis for dim in dims}
    lost = sorted(axes_of(value, draft.varies) - own)
    if lost:
        names = " and ".join(f"'{draft.written_axis(name)}'" for name in lost)
        message = f"the value of '{target}' varies along {names}, and '{target}' doesn't"
        packs = [
            axis for name in (*lost, *(name for name in own if name)) if (axis := draft.space.by_name[name]).is_pack
        ]
        remedy = (
            f"give '{target}' the dims `*broadcast({', '.join(axis.name for axis in packs)})`" if len(packs) > 1 else ""
        )
        report.add(codes.AXIS, message, text.locate(span), remedy)
        return None
    missing = [name for name in draft.reduced if name not in own]
    if draft.reduced and 0 < len(missing) < len(draft.reduced):
        message = f"'{target}' has the dim '{next(name for name in draft.reduced if name in own)}' and not '{missing[0]}', and both are reduced"
        report.add(codes.AXIS, message, entry.place, "compute one of the results in an op of its own")
        return None
    taken = adopt(value, ValueType("float", held.roots)) if held.kind == "float" else value
    return Store(target, dims, taken, per_row=bool(missing))


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
    """Refuse to read what is written at another place than that of the store."""
    dims = {store.target: store.dims for store in stores}
    for name, value in draft.all_values():
        for each in every(value):
            if not isinstance(each, Load):
                continue
            operand = each.operand
            if operand.argument in dims and (operand.start is not None or operand.dims != dims[operand.argument]):
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


def _names(names: tuple[str, ...]) -> str:
    return "any dtype" if len(names) == len(DTYPES) else " or ".join(names)
