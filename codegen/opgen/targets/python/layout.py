"""Breaks the lines of generated Python where ``ruff format`` would.

A statement that does not fit on its line, and ends in a call, a list, a dictionary or the colon of a ``def``, gets one
item on each line and a comma after the last. Source: "Magic trailing comma", the code style page of Black. Other
statements break at their operators (``line_breaks.py``).
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Iterator

from opgen.targets import quoting
from opgen.targets.python.line_breaks import (
    INDENT,
    QUOTED,
    WIDTH,
    Group,
    broken_item,
    broken_statement,
    groups_of,
    has_operators,
    is_put_in_parentheses,
    takes_comma,
)

_STRING = re.compile(QUOTED)
_LONE_STRING = re.compile(rf"""\s*(?:\w+=|{QUOTED}: )?{QUOTED},?""")


def lay_out(statement: str, indent: int = 0, width: int = WIDTH) -> str:
    """Break a one-line statement, or the head of one, if it is too long; ``indent`` counts levels, ``width`` columns.

    Below the width of the formatter it is broken only where a comma after the last item keeps it so. One that the
    formatter would break otherwise is marked, so that it is left alone.
    """
    lines = [*_broken(statement, indent, width)]
    is_too_long = _is_too_long(lines)
    if statement.endswith(","):
        lines = [*broken_item(statement[:-1], indent, width)] if is_too_long else lines
    elif (statement.startswith("if ") or not statement.endswith(":")) and (
        is_too_long or (len(lines) > 1 and is_put_in_parentheses(statement))
    ):
        lines = [*broken_statement(statement, indent, width)]
    if _is_too_long(lines):
        return f"{INDENT * indent}{statement}  # fmt: skip"
    return "\n".join(lines)


def _is_too_long(lines: Iterable[str]) -> bool:
    return any(len(line) > WIDTH and not _LONE_STRING.fullmatch(line) for line in lines)


def lay_out_body(statements: Iterable[str]) -> Iterator[str]:
    """Lay out the body of a function; statements inside of a block must be indented relative to the body."""
    for statement in statements:
        text = statement.lstrip()
        yield lay_out(text, 1 + (len(statement) - len(text)) // len(INDENT))


def lay_out_assignment(name: str, value: str) -> str:
    """Lay out an unindented assignment of an expression without brackets, in parentheses if that makes it fit."""
    line = f"{name} = {value}"
    fits = len(line) <= WIDTH or len(INDENT + value) > WIDTH
    return line if fits else f"{name} = (\n{INDENT}{value}\n)"


def py_number(value: complex) -> str:
    """Write a number as the formatter does."""
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    if isinstance(value, (int, float)) or (value.real == 0 and math.isfinite(value.imag)):
        return repr(value).replace("e+", "e")
    return f"complex({py_number(value.real)}, {py_number(value.imag)})"


def py_string(text: str) -> str:
    """Quote a text as the formatter does: in the quotes that need fewer escapes, else in double quotes."""
    quoted = quoting.py_string(text)
    if text.count('"') <= text.count("'"):
        return quoted
    inner = quoted[1:-1].replace('\\"', '"').replace("'", "\\'")
    return f"'{inner}'"


def py_strings(words: Iterable[str]) -> str:
    """Return a tuple of string literals."""
    texts = [py_string(word) for word in words]
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"


def requote(line: str) -> str:
    """Requote the strings of a line, which are in double quotes, as the formatter prefers."""
    return _STRING.sub(lambda string: py_string(ast.literal_eval(string[0])), line) if '\\"' in line else line


def _broken(text: str, indent: int, width: int) -> Iterator[str]:
    line = INDENT * indent + text
    group = None if len(line) <= width else _group(text)
    if group is None:
        yield line
        return
    yield INDENT * indent + text[: group.start + 1]
    for before, after in zip((group.start, *group.commas), (*group.commas, group.end), strict=True):
        if item := text[before + 1 : after].strip():
            is_at_operators = has_operators(item)
            yield from (
                broken_item(item, indent + 1, width) if is_at_operators else _broken(f"{item},", indent + 1, width)
            )
    yield INDENT * indent + text[group.end :]


def _group(text: str) -> Group | None:
    """Find the brackets to break.

    They are the parameters of a ``def``, else the last brackets, if only a comma or colon follows. Subscripts,
    parentheses that only group, and empty brackets are never broken.
    """
    is_def = text.startswith("def ")
    groups = [group for group in groups_of(text) if is_def or text[group.end + 1 :] in ("", ",", ":")]
    return groups[0] if groups and takes_comma(text, groups[0]) else None
