"""Reads the entries of ``pointwise`` and ``reduce``, and decides which target or intermediate name each is for."""

from __future__ import annotations

from opgen.model.compute import codes
from opgen.model.compute.functions import CONSTANTS
from opgen.model.compute.names import ExpressionContext
from opgen.records import dataclass
from opgen.source import Location, Span, Text
from opgen.spec.kernel_expression import Written
from opgen.spec.library import KernelEntry
from opgen.spec.report import Report


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry.

    Attributes:
        name: the target, or the name by which other entries use it.
        text: the text that holds the expression.
        expression: the parsed expression.
        is_target: its value is stored to an output or a written argument.
        is_reduction: it is an entry of ``reduce``.
        place: the location of its key, or of the expression without one.
    """

    name: str
    text: Text
    expression: Written
    is_target: bool
    is_reduction: bool
    place: Location


def read_entries(context: ExpressionContext, report: Report) -> dict[str, Entry]:
    """Return the entries by name, those of ``reduce`` first, each in the order of the file; mistakes are reported."""
    found: dict[str, Entry] = {}
    spec = context.spec
    for written, is_reduction in ((spec.reduce, True), (spec.pointwise, False)):
        for each in written:
            entry = _entry(context, each, is_reduction=is_reduction, report=report)
            if entry is None:
                continue
            if entry.name in found:
                report.add(codes.TARGET, f"'{entry.name}' has two values", entry.place, "remove one of them")
            else:
                found[entry.name] = entry
    missing = [target for target in context.targets if target not in found]
    if missing and not report.diagnostics and not {"pointwise", "reduce", "func"} & spec.unread:
        names = " and ".join(f"'{name}'" for name in missing)
        key = "return" if missing == ["out"] and "return" in context.keys else missing[0]
        remedy = (
            f"add `{key}: …`, or declare '{missing[0]}' as `scratch`"
            if missing[0] in context.arguments
            else f"add `{key}: …`"
        )
        report.add(codes.TARGET, f"{names} {'has' if len(missing) == 1 else 'have'} no value", context.place, remedy)
    return found


def _entry(context: ExpressionContext, entry: KernelEntry, *, is_reduction: bool, report: Report) -> Entry | None:
    key = entry.key
    if key is None:
        return _only(context, entry, is_reduction=is_reduction, report=report)
    name, place = key.value, key.locate()
    target = context.keys.get(name)
    if target is None and name in context.arguments:
        remedy = (
            "choose a name of its own"
            if not context.arguments[name].written
            else "an argument under `scratch` has no value"
        )
        report.add(codes.TARGET, f"'{name}' is an argument that the op doesn't write", place, remedy)
        return None
    if target is None and (name in context.sizes | context.packs or name in CONSTANTS or "." in name):
        what = (
            "a size of `tensors`"
            if name in context.sizes | context.packs
            else "no return"
            if "." in name
            else "a number"
        )
        report.add(codes.TARGET, f"'{name}' is {what}", place, "choose a name of its own")
        return None
    return Entry(target or name, entry.text, entry.expression, target is not None, is_reduction, place)


def _only(context: ExpressionContext, entry: KernelEntry, *, is_reduction: bool, report: Report) -> Entry | None:
    """Return the entry of an expression without a key, which is for the only target."""
    place = entry.text.locate(Span(0, len(entry.text.value)))
    targets = context.targets
    if is_reduction and context.spec.pointwise:
        report.add(
            codes.TARGET,
            "the reduction has no name",
            place,
            "write `reduce: {name: …}`, and use the name under `pointwise`",
        )
    elif len(targets) != 1:
        names = ", ".join(targets)
        message = f"one expression for {len(targets)} results, {names}" if targets else "the op has no result"
        remedy = (
            f"write `{{{names.replace(', ', ': …, ')}: …}}`"
            if targets
            else "mark what is written, `Tensor!`, or return a tensor"
        )
        report.add(codes.TARGET, message, place, remedy)
    else:
        return Entry(targets[0], entry.text, entry.expression, is_target=True, is_reduction=is_reduction, place=place)
    return None
