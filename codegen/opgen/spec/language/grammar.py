"""Run the tables of a grammar over a text.

A word is a keyword only where one can stand, so the parser's state decides about each token. Nodes stand from the beginning of
their first part to the end of their last one, parentheses included.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from opgen.lalr.tables import END, Row, Rule, Tables, load
from opgen.lalr.token import Token
from opgen.records import dataclass
from opgen.source import Span

Start: TypeAlias = Literal["form", "dtype", "condition", "expression"]


@dataclass(frozen=True, slots=True)
class Grammar:
    """A grammar of Lark and the tables beside it.

    Attributes:
        file: the grammar.
        starts: the rules that a text may be read by.
    """

    file: Path
    starts: tuple[Start, ...]

    @property
    def tables(self) -> Path:
        """The tables, made by ``lark_parser.tables``; a test compares the two."""
        return self.file.with_suffix(".json")


TENSORS = Grammar(Path(__file__).with_name("tensors.lark"), ("form", "dtype", "condition"))


class Part(NamedTuple):
    """What some symbols are read as.

    Attributes:
        value: a node, a token, or the parts of a rule that has no node of its own.
        start: where it begins in the text.
        end: where it ends.
        height: of the tree that it is; a token's is one.
    """

    value: Any
    start: int
    end: int
    height: int = 1


class _Inlined(list[Part]):
    """The children of a rule that has no node of its own."""


def parse(grammar: Grammar, text: str, start: Start, nodes: object) -> Part | None:
    """Return what the methods of ``nodes`` make of a text, or ``None`` where it is none of the language."""
    tables, lexemes = _tables(grammar.tables)
    words = tables.lexis["words"]
    position = 0

    def scan(state: Row) -> Token:
        nonlocal position
        lexeme = lexemes.match(text, position)
        if lexeme is None:
            return Token("", "", position, position)
        kind, (begin, position) = str(lexeme.lastgroup), lexeme.span(lexeme.lastgroup or 0)
        word = text[begin:position]
        kind = next((terminal for terminal in words.get(word, ()) if terminal in state), kind)
        return Token(END if kind == "END" else kind, word, begin, position)

    def reduce(rule: Rule, values: list[Part | Token]) -> Part:
        parts = [Part(value, value.start_pos, value.end_pos) if isinstance(value, Token) else value for value in values]
        start, end = parts[0].start, parts[-1].end
        first = parts[0].value
        # A list that gets an item with each reduction grows in place: nothing else holds it.
        children = first if rule.kept[:1] == [0] and isinstance(first, _Inlined) else _Inlined()
        for place in rule.kept:
            part = Part(None, start, start) if place is None else parts[place]
            if not isinstance(part.value, _Inlined):
                children.append(part)
            elif part.value is not children:
                children += part.value
        if not rule.name:
            return Part(children, start, end)
        if rule.is_bare and len(children) == 1:
            return children[0]._replace(start=start, end=end)
        node = getattr(nodes, rule.name)(Span(start, end), [child.value for child in children])
        return Part(node, start, end, 1 + max((child.height for child in children), default=0))

    read: Part | None = tables.parse(start, scan, reduce)
    return read


@cache
def _tables(file: Path) -> tuple[Tables, re.Pattern[str]]:
    """Return the tables, and what tells one lexeme from another; the longest of the words that are no names comes first."""
    tables = load(file)
    signs = "|".join(map(re.escape, sorted(tables.lexis["words"], key=len, reverse=True)))
    kinds = {**tables.lexis["kinds"], "SIGN": signs, "END": r"\Z"}
    lexeme = "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in kinds.items())
    return tables, re.compile(rf"(?:{tables.lexis['blank']})?(?:{lexeme})")
