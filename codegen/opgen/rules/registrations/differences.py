"""Describes the difference between two schemas of one op."""

from __future__ import annotations

import re

from opgen.schema.nodes import FunctionSchema
from opgen.schema.parser import parse_schema
from opgen.schema.printer import print_argument, print_schema

_MARK = re.compile(r"(?<=Tensor\()([^()! ]+)(?=!?[^()]*\))")


def difference(there: FunctionSchema, here: FunctionSchema) -> str:
    """Describe how ``there`` differs from ``here``; empty if they are equal apart from the names of alias sets."""
    other, own = _regular(there), _regular(here)
    if behind_name(other) == behind_name(own):
        return ""
    arguments, mine = ({one.name: print_argument(one) for one in schema.arguments} for schema in (other, own))
    for name in dict.fromkeys((*arguments, *mine)):
        if arguments.get(name) != mine.get(name):
            told = [f"`{each[name]}`" if name in each else f"no '{name}'" for each in (arguments, mine)]
            return f"{told[0]} there, {told[1]} here"
    if list(arguments) != list(mine):
        return f"the order of arguments is ({', '.join(arguments)}) there"
    starred, own_starred = ([one.name for one in schema.arguments if one.kwarg_only] for schema in (other, own))
    if starred != own_starred:
        return f"{_behind_star(starred)} there, {_behind_star(own_starred)} here"
    results = [print_schema(schema).rpartition(" -> ")[2] for schema in (other, own)]
    return f"it returns `{results[0]}` there, `{results[1]}` here"


def behind_name(schema: FunctionSchema) -> str:
    """Return a schema without the op's name: ``(Tensor x) -> Tensor``."""
    text = print_schema(schema)
    return text[text.index("(") :]


def _behind_star(names: list[str]) -> str:
    return f"({', '.join(names)}) behind the `*`" if names else "no `*`"


def _regular(schema: FunctionSchema) -> FunctionSchema:
    """Rename the alias sets to a, b, c in the order in which they appear."""
    letters: dict[str, str] = {}

    def letter(match: re.Match[str]) -> str:
        index = len(letters)
        return letters.setdefault(match[1], chr(ord("a") + index) if index < 26 else f"a{index}")  # noqa: PLR2004 - a to z

    return parse_schema(_MARK.sub(letter, print_schema(schema))).schema or schema
