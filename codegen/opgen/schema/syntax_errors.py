"""Finds the message for a syntax error by the table in mistakes.py.

A schema gets the message of an example in which the parser stops in the same way: in the same state, or at least with
the same accepted tokens, at the same kind of token.
"""

from __future__ import annotations

from functools import cache
from itertools import takewhile
from typing import NamedTuple

from opgen.diagnostics.fix import Applicability
from opgen.lalr.token import Token
from opgen.schema import mistakes, spelling
from opgen.schema.codes import SYNTAX
from opgen.schema.errors import SchemaError
from opgen.schema.grammar import expectation, is_word, tokens
from opgen.schema.lark_parser import Stop, stop
from opgen.schema.mistakes import ROWS, Row
from opgen.schema.spelling import in_schema_words, type_end
from opgen.schema.tree import token_span
from opgen.source import Span

_FOUND = {"NEWLINE": "a line break", "INDENT": "a line break", "$END": "the end of the text"}
_DIGITS = frozenset("0123456789.")
_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")
_ANY_STATE = -1
_AMBIGUOUS = Row((), "", "")
_GRAMMAR_HELP = "the grammar is name(TYPE NAME=DEFAULT, ...) -> TYPE"


def syntax_error(text: str) -> SchemaError:
    """Return the syntax error in a text that is no schema."""
    stopped = stop(text)
    token = stopped.token
    if token.type == "INVALID":
        return _invalid_character(token)
    place, rows = _place(text, stopped), _rows()
    row = rows.get(place) or rows.get(place._replace(state=_ANY_STATE), _AMBIGUOUS)
    reading = _Reading(text, token)
    if row is _AMBIGUOUS or (row.is_type and reading.foreign_type.end <= token_span(token).start):
        message = f"expected {expectation(place.accepted)}, found {_found(token)}"
        return SchemaError(SYNTAX, message, _span(text, token), _GRAMMAR_HELP)
    return reading.error(row)


class _Place(NamedTuple):
    """How the parser stops: its state, the accepted terminals, and the kind of token that was found instead."""

    state: int
    accepted: frozenset[str]
    kind: str


@cache
def _rows() -> dict[_Place, Row]:
    """Return the rows of the table by place; places without state are keys too if all examples agree."""
    rows: dict[_Place, Row] = {}
    for row in ROWS:
        for example in row.examples:
            rows.setdefault(_place(example, stop(example)), row)
    for place, row in tuple(rows.items()):
        anywhere = place._replace(state=_ANY_STATE)
        rows[anywhere] = row if rows.get(anywhere, row) is row else _AMBIGUOUS
    return rows


def _place(text: str, stopped: Stop) -> _Place:
    token = stopped.token
    kind = str(token) if token.type == "OPERATOR" else token.type
    if is_word(token.type):
        is_suffix = text[: _span(text, token).start][-1:] in _DIGITS
        kind = "a suffix" if is_suffix else "a word"
    return _Place(stopped.state, stopped.accepted, kind)


class _Reading:
    """The text before a token that does not fit, from which the placeholders of messages are filled."""

    def __init__(self, text: str, found: Token) -> None:
        self._text = text
        self._found = found
        self._span = _span(text, found)
        self._before = list(takewhile(lambda token: token_span(token).end <= self._span.start, tokens(text)))
        start = self._item_start()
        self.foreign_type = Span(start, type_end(text, start))

    def error(self, row: Row) -> SchemaError:
        foreign = self._text[slice(*self.foreign_type)]
        words = {
            "found": _found(self._found),
            "word": str(self._found),
            "before": str(self._before[-1]) if self._before else "",
            "name": self._name(),
            "item": self._text[self.foreign_type.start : self._span.start].strip(),
            "type": foreign,
            "schema_type": in_schema_words(foreign),
        }
        span = self.foreign_type if row.is_type else self._span
        is_known = row.is_type and spelling.UNKNOWN not in words["schema_type"]
        replacement = words["schema_type"] if is_known else None
        applicability: Applicability = "unsafe" if row.help.endswith(mistakes.IF_WRITTEN) else "safe"
        message, help_ = row.message.format(**words), row.help.format(**words)
        return SchemaError(row.code, message, span, help_, replacement, applicability)

    def _item_start(self) -> int:
        """Return the offset at which the argument or return begins: after a comma, bracket or arrow."""
        start = depth = 0
        for one, following in zip(self._before, (*self._before[1:], self._found), strict=False):
            depth += (one in _OPENING) - (one in _CLOSING)
            if (depth == 1 and one in {"(", ","}) or (depth == 0 and one == "->"):
                start = _span(self._text, following).start
        return start

    def _name(self) -> str:
        """Return the name before the last equal sign, or else the last token."""
        names = [one for one, other in zip(self._before, self._before[1:], strict=False) if other == "="]
        candidates = names or self._before
        return str(candidates[-1]) if candidates else ""


def _span(text: str, token: Token) -> Span:
    return Span(len(text), len(text)) if token.type == "$END" else token_span(token)


def _found(token: Token) -> str:
    return _FOUND.get(token.type, f"'{token}'")


def _invalid_character(token: Token) -> SchemaError:
    character, span = str(token), token_span(token)
    if character in "'\"":
        return SchemaError(SYNTAX, "a text in quotes is not closed", span, f"close it by {character}")
    help_ = "separate arguments by commas" if character == ";" else "remove it"
    return SchemaError(SYNTAX, f"the character {character!r} can't stand in a schema", span, help_)
