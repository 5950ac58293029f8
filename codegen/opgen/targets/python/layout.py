"""Where the lines of generated Python break: as ``ruff format`` leaves them.

Laid out is what generated code is made of: statements that end in a call, a list, a dictionary, or the colon of a
``def``. One that does not fit on its line gets an item a line and a comma after the last, a form that the formatter
keeps. Source: "Magic trailing comma", the code style page of Black.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Iterator

from opgen.targets import quoting

WIDTH = 120
_INDENT = "    "
_QUOTED = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_STRING = re.compile(_QUOTED)
_LONE_STRING = re.compile(rf"""\s*(?:\w+=|{_QUOTED}: )?{_QUOTED},?""")
_TOKEN = re.compile(rf"{_QUOTED}|[()\[\]{{}},]")


def lay_out(statement: str, indent: int = 0, width: int = WIDTH) -> str:
    """Break a one-line statement, or the head of one, where it has to be; ``indent`` counts levels, ``width`` columns.

    One that can't be broken well is marked, so that the formatter leaves it alone.
    """
    lines = [*_broken(statement, indent, width)]
    if any(len(line) > WIDTH and not _LONE_STRING.fullmatch(line) for line in lines):
        return f"{_INDENT * indent}{statement}  # fmt: skip"
    return "\n".join(lines)


def lay_out_body(statements: Iterable[str]) -> Iterator[str]:
    """Lay out the body of a function; a statement inside of a block begins with the blanks that indent it there."""
    for statement in statements:
        text = statement.lstrip()
        yield lay_out(text, 1 + (len(statement) - len(text)) // len(_INDENT))


def lay_out_assignment(name: str, value: str) -> str:
    """Break the assignment of an expression without brackets, at the left margin: by parentheses, where these help."""
    line = f"{name} = {value}"
    fits = len(line) <= WIDTH or len(_INDENT + value) > WIDTH
    return line if fits else f"{name} = (\n{_INDENT}{value}\n)"


def py_number(value: complex) -> str:
    """Write a number as the formatter does."""
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    if isinstance(value, (int, float)) or (value.real == 0 and math.isfinite(value.imag)):
        return repr(value).replace("e+", "e")
    return f"complex({py_number(value.real)}, {py_number(value.imag)})"


def py_string(text: str) -> str:
    """Quote a text as the formatter does: by the quotes that need fewer escapes, double ones if in doubt."""
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
    """Give the strings of a line, quoted by double quotes, the quotes that the formatter prefers."""
    return _STRING.sub(lambda string: py_string(ast.literal_eval(string[0])), line) if '\\"' in line else line


def _broken(text: str, indent: int, width: int) -> Iterator[str]:
    line = _INDENT * indent + text
    group = None if len(line) <= width else _group(text)
    if group is None:
        yield line
        return
    start, commas, end = group
    yield _INDENT * indent + text[: start + 1]
    for before, after in zip([start, *commas], [*commas, end], strict=True):
        if item := text[before + 1 : after].strip():
            yield from _broken(f"{item},", indent + 1, width)
    yield _INDENT * indent + text[end:]


def _group(text: str) -> tuple[int, list[int], int] | None:
    """Find the brackets to break: offsets of the opening one, of the commas directly inside, and of the closing one.

    They are the parameters of a ``def``, else the last ones, with nothing behind them but a comma or colon. A
    subscript, a pair that only groups, and an empty one are never broken.
    """
    is_def = text.startswith("def ")
    open_groups: list[tuple[int, list[int]]] = []
    for token in _TOKEN.finditer(text):
        offset, character = token.start(), token[0]
        if character in "([{":
            open_groups.append((offset, []))
        elif character == "," and open_groups:
            open_groups[-1][1].append(offset)
        elif character in ")]}":
            start, commas = open_groups.pop()
            is_behind_name = start > 0 and (text[start - 1].isalnum() or text[start - 1] in "_)]")
            groups_only = (character == "]" and is_behind_name) or (
                character == ")" and not is_behind_name and not commas
            )
            is_outermost = not open_groups and (is_def or text[offset + 1 : offset + 3] in ("", ",", ":"))
            if is_outermost and not groups_only and offset > start + 1:
                return start, commas, offset
    return None
