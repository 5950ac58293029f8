"""Runs the parse tables of a grammar over a text.

Keywords are contextual: the parser's state decides whether a word is a keyword or a name. The span of a node reaches
from the start of its first part to the end of its last one, parentheses included.
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
    """A Lark grammar, with its parse tables beside it.

    Attributes:
        file: the ``.lark`` file.
        starts: the start rules.
    """

    file: Path
    starts: tuple[Start, ...]

    @property
    def tables(self) -> Path:
        """The file of parse tables, written by ``lark_parser.tables``; a test checks that it is current."""
        return self.file.with_suffix(".json")


TENSORS = Grammar(Path(__file__).with_name("tensors.lark"), ("form", "dtype", "condition"))


class Part(NamedTuple):
    """The result for a symbol of the grammar.

    Attributes:
        value: a node, a token, or the parts of a rule without a node of its own.
        start: the offset of its start in the text.
        end: the offset of its end.
        height: the height of its tree; 1 for a token.
    """

    value: Any
    start: int
    end: int
    height: int = 1


class _Inlined(list[Part]):
    """The children of a rule without a node of its own, which become children of the rule around it."""


def parse(grammar: Grammar, text: str, start: Start, nodes: object) -> Part | None:
    """Parse a text; each rule calls the method of ``nodes`` with its name. ``None`` if the text isn't valid."""
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
        # A left-recursive list is extended in place, which is safe as nothing else refers to it.
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
    """Return the tables and the pattern of all tokens, in which longer operators come before shorter ones."""
    tables = load(file)
    signs = "|".join(map(re.escape, sorted(tables.lexis["words"], key=len, reverse=True)))
    kinds = {**tables.lexis["kinds"], "SIGN": signs, "END": r"\Z"}
    lexeme = "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in kinds.items())
    return tables, re.compile(rf"(?:{tables.lexis['blank']})?(?:{lexeme})")
