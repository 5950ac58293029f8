"""Breaks an expression that is too long for its line where ``ruff format`` would.

It breaks in front of the operators of lowest precedence, and of the dots in a chain of calls; a part that is still too
long breaks at its brackets. Source: "Line breaks & binary operators", "Parentheses" and "Call chains", the code style
page of Black, and ``can_omit_optional_parentheses`` of Ruff's formatter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.records import dataclass

WIDTH = 120
INDENT = "    "
QUOTED = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""

_LEVELS = (
    ("if", "else"),
    ("or",),
    ("and",),
    ("not in", "in", "is not", "is", "==", "!=", "<=", ">=", "<", ">"),
    ("|",),
    ("^",),
    ("&",),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "//", "/", "%", "@"),
    ("**",),
)
_LEVEL = {operator: level for level, operators in enumerate(_LEVELS) for operator in operators}
_OPERATOR = f"(?<= )(?:{'|'.join(map(re.escape, sorted(_LEVEL, key=len, reverse=True)))})(?= )"
_LINK = r"(?<=[)\]])\.(?=\w)"
_TOKEN = re.compile(rf"{QUOTED}|[()\[\]{{}},:]|\b(?:lambda|for)\b|{_OPERATOR}|{_LINK}")
_PREFIX = re.compile(r"return |assert |if (?=.*:$)|[\w., ]+ = |")


@dataclass(frozen=True, slots=True)
class Group:
    """A pair of brackets in a text.

    Attributes:
        start: the offset of the opening bracket.
        commas: the offsets of the commas directly inside.
        end: the offset of the closing bracket.
    """

    start: int
    commas: tuple[int, ...]
    end: int


def broken_statement(statement: str, indent: int, width: int) -> Iterator[str]:
    """Break an assignment, ``return``, ``assert``, ``if`` or call that does not fit.

    A value that breaks at its operators is put in parentheses.
    """
    start = _start_of_value(statement)
    end = len(statement) - statement.endswith(":")
    value = statement[start:end]
    if _is_tuple(value):
        yield from _at_brackets(f"{statement[:start]}({value})", indent, width, "")
        return
    operators = len(_operands(value)) - 1
    lines = [*_at_brackets(statement, indent, width, "")] if operators == 0 or _may_stay_bare(value, operators) else []
    if not lines or (operators and any(len(line) > width for line in lines)):
        yield f"{INDENT * indent}{statement[:start]}("
        yield from _broken(value, indent + 1, width, "")
        yield f"{INDENT * indent}){statement[end:]}"
    else:
        yield from lines


def _may_stay_bare(value: str, operators: int) -> bool:
    """Whether an expression with one operator needs no parentheses, as it can break at brackets at its start or end."""
    return operators == 1 and (value[0] in "([{" or value[-1] == ")")


def broken_item(item: str, indent: int, width: int) -> Iterator[str]:
    """Break an item of a bracketed list."""
    return _broken(item, indent, width, ",")


def has_operators(item: str) -> bool:
    """Whether an item of a bracketed list breaks at operators first."""
    return len(_operands(item)) > 1


def is_put_in_parentheses(statement: str) -> bool:
    """Whether a statement that does not fit always gets parentheses: its value is a tuple or has several operators."""
    value = statement[_start_of_value(statement) :]
    return _is_tuple(value) or len(_operands(value)) > 2  # noqa: PLR2004 - two have one operator


def _is_tuple(value: str) -> bool:
    """Whether there are commas outside of brackets."""
    (group,) = groups_of(f"({value})")
    return bool(group.commas)


def _start_of_value(statement: str) -> int:
    match = _PREFIX.match(statement)
    return match.end() if match else 0


def _broken(text: str, indent: int, width: int, tail: str) -> Iterator[str]:
    if len(INDENT * indent + text + tail) <= width:
        yield f"{INDENT * indent}{text}{tail}"
        return
    *parts, last = _operands(text)
    if parts:
        for part in parts:
            yield from _broken(part, indent, width, "")
        yield from _broken(last, indent, width, tail)
    else:
        yield from _at_brackets(text, indent, width, tail)


def _at_brackets(text: str, indent: int, width: int, tail: str) -> Iterator[str]:
    """Break the first brackets without which the text in front of the next ones would not fit."""
    groups = [*groups_of(text)]
    ends = [*(group.start + 1 for group in groups[1:]), len(text + tail)]
    room = width - len(INDENT) * indent
    group = next((each for each, end in zip(groups, ends, strict=False) if end > room), None)
    if group is None or room <= 0:  # nested so deeply that nothing fits
        yield f"{INDENT * indent}{text}{tail}"
        return
    yield INDENT * indent + text[: group.start + 1]
    if takes_comma(text, group):
        for before, after in zip((group.start, *group.commas), (*group.commas, group.end), strict=True):
            if item := text[before + 1 : after].strip():
                yield from _broken(item, indent + 1, width, ",")
    else:
        yield from _broken(text[group.start + 1 : group.end], indent + 1, width, "")
    yield from _at_brackets(text[group.end :], indent, width, tail)


def _operands(text: str) -> list[str]:
    """Split at the operators of lowest precedence outside of brackets; parts after the first begin with an operator."""
    depth = 0
    found: list[tuple[int, int]] = []
    links: list[tuple[int, int]] = []
    for token in _TOKEN.finditer(text):
        if token[0] in "([{":
            depth += 1
        elif token[0] in ")]}":
            depth -= 1
        elif depth == 0 and token[0] in ("lambda", "for"):
            break
        elif depth == 0 and token[0] in _LEVEL:
            found.append((_LEVEL[token[0]], token.start()))
        elif depth == 0 and token[0] == ".":
            links.append((len(_LEVELS), token.start()))
    found = found or (links if len(links) > 1 else [])
    loosest = min(found, default=(0, 0))[0]
    starts = [0, *(start for level, start in found if level == loosest)]
    return [text[start:end].strip() for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def groups_of(text: str) -> Iterator[Group]:
    """Yield the outermost brackets that hold something."""
    opened: list[int] = []
    commas: list[int] = []
    is_lambda = False
    for token in _TOKEN.finditer(text):
        start, character = token.start(), token[0]
        if character in "([{":
            opened.append(start)
            commas = [] if len(opened) == 1 else commas
        elif character in ")]}" and opened:  # the rest of a broken statement begins with a closing bracket
            first = opened.pop()
            if not opened and start > first + 1:
                yield Group(first, tuple(commas), start)
        elif len(opened) == 1 and character in ("lambda", ":"):
            is_lambda = character == "lambda"
        elif len(opened) == 1 and character == "," and not is_lambda:
            commas.append(start)


def takes_comma(text: str, group: Group) -> bool:
    """Whether a comma may follow the last item: not in a subscript, a generator or grouping parentheses."""
    bracket = text[group.start]
    is_behind_name = group.start > 0 and (text[group.start - 1].isalnum() or text[group.start - 1] in "_)]")
    if group.commas or " for " in text[group.start : group.end]:
        return bool(group.commas) and not (bracket == "[" and is_behind_name)
    return is_behind_name if bracket == "(" else bracket == "{" or not is_behind_name
