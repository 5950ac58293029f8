"""Merges the two values that a name may have after branches between which the text doesn't decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

from opgen.readers.python.values import (
    NONE,
    Constant,
    Items,
    LibraryValue,
    OperatorValue,
    String,
    Symbol,
    Unknown,
    Value,
)


def merged(first: Value, second: Value) -> Value:
    """Return the merged value.

    Two different texts are merged to an unknown value. If only one of the values can register something, it is taken:
    projects use newer API under ``if hasattr(torch.library, "register_fake")``, and older API or a no-op otherwise.
    """
    if first == second or _same_text(first, second):
        return first
    for registering in (LibraryValue, OperatorValue):
        for value in (first, second):
            if isinstance(value, registering):
                return value
    for value in (first, second):
        if isinstance(value, Symbol) and value.path.startswith("torch."):
            return value
    if isinstance(first, String | Items | Constant) or isinstance(second, String | Items | Constant):
        decided = [value for value in (first, second) if value != NONE]
        if len(decided) == 1 and not isinstance(decided[0], String | Items | Constant | Unknown):
            return decided[0]
        from_caller = any(isinstance(value, Unknown) and value.from_caller for value in (first, second))
        return Unknown("its value depends on a condition", from_caller)
    return second if isinstance(first, Unknown) else first


def merged_names(
    before: Mapping[str, Value], alternatives: Sequence[Mapping[str, Value]]
) -> Iterator[tuple[str, Value]]:
    """Yield the names that some alternatives bind, and what each is behind all of them.

    One that nothing else binds keeps what it was bound to.
    """
    bound: dict[str, dict[int, Value]] = {}
    for place, names in enumerate(alternatives):
        for name, value in names.items():
            bound.setdefault(name, {})[place] = value
    for name, values in bound.items():
        unchanged = next(place for place in range(len(values) + 1) if place not in values)
        if unchanged < len(alternatives) and name in before:
            values[unchanged] = before[name]
        yield name, reduce(merged, (values[place] for place in sorted(values)))


def _same_text(first: Value, second: Value) -> bool:
    return isinstance(first, String) and isinstance(second, String) and first.text.value == second.text.value
