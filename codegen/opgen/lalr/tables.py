"""Run the tables of an LALR(1) grammar.

Lark makes the tables (tabulate.py), and this module runs them: importing Lark and having it read a grammar takes longer than
reading all texts of a large library. What does not fit is run by Lark itself, which says what would have.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from opgen.lalr.token import Token

END = "$END"
"""The kind of what follows the last token."""

Row: TypeAlias = Mapping[str, int]
"""A state: for each symbol the state to go to, or ``~number`` of the rule to reduce by. Its terminals are those that fit."""


class Rule(NamedTuple):
    """A rule of the grammar.

    Attributes:
        origin: the symbol that it makes.
        length: how many symbols it takes.
        is_bare: whether a node of one child is that child.
        name: of the node; empty where its children become those of the rule around it.
        kept: the places of the symbols that are children, ``None`` for an optional one that is absent; empty where all are.
    """

    origin: str
    length: int
    is_bare: bool
    name: str
    kept: Sequence[int | None] = ()


class Tables(NamedTuple):
    """Of one grammar.

    Attributes:
        rules: by number.
        states: by number.
        starts: for each start symbol the first state and the last one.
        lexis: what else is stored for the lexer.
    """

    rules: list[Rule]
    states: list[Row]
    starts: Mapping[str, tuple[int, int]]
    lexis: Mapping[str, Any]

    def parse(self, start: str, scan: Callable[[Row], Token], reduce: Callable[[Rule, list[Any]], Any]) -> Any:
        """Return what ``reduce`` makes of a whole text, or ``None`` where the grammar has none such.

        Args:
            start: the start symbol.
            scan: returns the next token; a word may be one terminal or another by the state that the parser is in.
            reduce: makes a value of the values of a rule's symbols; that of a terminal is its token.
        """
        first, last = self.starts[start]
        stack, values = [first], list[Any]()
        while True:
            token = scan(self.states[stack[-1]])
            kind = token.type
            while (action := self.states[stack[-1]].get(kind)) is not None and action < 0:
                rule = self.rules[~action]
                count = len(values) - rule.length
                value = reduce(rule, values[count:])
                del values[count:], stack[count + 1 :]
                values.append(value)
                stack.append(self.states[stack[-1]][rule.origin])
                if stack[-1] == last and kind == END:
                    return value
            if action is None:
                return None
            stack.append(action)
            values.append(token)


def load(file: Path) -> Tables:
    """Read what ``tabulate.tables`` wrote."""
    stored = json.loads(file.read_text(encoding="utf-8"))
    rules = [Rule(*row) for row in stored.pop("rules")]
    return Tables(rules, stored.pop("states"), stored.pop("starts"), stored)
