"""Fixes of ``mutates_args``, and of schemas inferred with it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from difflib import get_close_matches

from opgen.diagnostics import Edit, Fix
from opgen.model.op import Op
from opgen.readers.registrations import Definition
from opgen.rules.marks import mark_fix, unmark_fix
from opgen.source import Location, Span


def written_fix(statement: Definition, op: Op, name: str, *, is_written: bool) -> Fix | None:
    """Return a fix that declares an argument as written, or as not written, in the schema or in ``mutates_args``."""
    if not statement.inferred:
        return mark_fix(op, name) if is_written else unmark_fix(op, name)
    before = {one.value for one in statement.mutates or ()}
    after = before | {name} if is_written else before - {name}
    ordered = [argument.name for argument in op.schema.arguments if argument.name in after]
    if statement.mutates_at is None or len(ordered) != len(after):
        return None
    title = f"name '{name}' in `mutates_args`" if is_written else f"take '{name}' out of `mutates_args`"
    return _rewritten(statement.mutates_at, before, ordered, title)


def comma_fix(place: Location, names: Sequence[str]) -> Fix | None:
    """Return a fix that adds the missing comma to a tuple of a single name."""
    text = place.source.text
    name = _literal(place)
    if not isinstance(name, str) or name not in names:
        return None
    is_in_brackets = text[: place.span.start].rstrip().endswith("=(") and text[place.span.end :].lstrip().startswith(
        ")"
    )
    written = text[slice(*place.span)]
    return Fix("write a tuple", (Edit(place, f"{written}," if is_in_brackets else f"({written},)"),), "safe")


def spelling_fix(place: Location, names: Sequence[str]) -> Fix | None:
    """Return a fix that replaces a name which no argument has by the closest one."""
    there = _literal(place)
    wrong = [one for one in there if one not in names] if isinstance(there, tuple | list | set) else []
    close = get_close_matches(wrong[0], names, 1) if len(wrong) == 1 and isinstance(wrong[0], str) else []
    start, end = place.span
    found = (
        list(re.finditer(rf"""(?<=["']){re.escape(wrong[0])}(?=["'])""", place.source.text[start:end])) if close else []
    )
    if len(found) != 1:
        return None
    span = Span(start + found[0].start(), start + found[0].end())
    return Fix(f"write '{close[0]}'", (Edit(Location(place.source, span), close[0]),), "unsafe")


def _rewritten(place: Location, before: set[str], names: Sequence[str], title: str) -> Fix | None:
    """Return a fix that rewrites the names; ``None`` if they aren't a literal."""
    there = _literal(place)
    if not isinstance(there, tuple | list | set) or set(there) != before:
        return None
    quoted = [f'"{name}"' for name in names]
    if isinstance(there, list):
        text = f"[{', '.join(quoted)}]"
    elif isinstance(there, set) and names:
        text = f"{{{', '.join(quoted)}}}"
    else:
        text = f"({', '.join(quoted)}{',' if len(names) == 1 else ''})"
    return Fix(title, (Edit(place, text),), "unsafe")


def _literal(place: Location) -> object:
    """Return the value of the literal at a place, ``None`` if it is no literal."""
    try:
        return ast.literal_eval(place.source.text[slice(*place.span)].strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
