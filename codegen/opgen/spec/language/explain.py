"""Finds the message for a syntax error by the table of broken examples.

Mistakes are distinguished by the state in which the parser stops. (Lark's own ``match_examples`` does the same, but in
version 1.3.1 raises a ``TypeError`` as soon as one state accepts different tokens.)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from difflib import get_close_matches
from functools import cache
from typing import Any

from lark import Token
from lark.exceptions import UnexpectedToken

from opgen.source import Span
from opgen.spec.language.grammar import Start
from opgen.spec.language.lark_parser import compiled, stop
from opgen.spec.language.mistake import CARET, Mistake, Mistakes, Problem

_KINDS = {"NAME": "a name", "INT": "a number", "$END": "the end"}
_TELLING = 4
"""The number of accepted tokens that identifies a parser state; unrelated states may share fewer."""


def explain(mistakes: Mistakes, start: Start, value: str) -> Problem:
    """Return the problem in a text that the grammar doesn't accept."""
    error = stop(mistakes.grammar, start, value)
    if not isinstance(error, UnexpectedToken):
        offset: Any = error.pos_in_stream
        if habit := mistakes.habit(value, offset):
            return habit
        character = value[offset]
        message = f"the character '{character}' means nothing here"
        remedy = mistakes.characters.get(character, "remove it")
        return Problem(mistakes.otherwise, message, Span(offset, offset + 1), remedy)
    place = _place(value, error.token)
    if habit := mistakes.habit(value, place.start):
        return habit
    found = f"'{error.token}'" if error.token else "the end"
    mistake = _mistake(mistakes, error)
    remedy = _spelling(mistakes, error) or mistake.help
    return Problem(mistake.code, f"expected {mistake.expected}, found {found}", place, remedy)


def _place(value: str, token: Token) -> Span:
    """Return the span of the offending token; if the text ends too early, an empty span after its last token."""
    if token.type == "$END":
        return Span(len(value.rstrip()), len(value.rstrip()))
    return Span(token.start_pos or 0, token.end_pos or 0)


def _mistake(mistakes: Mistakes, error: UnexpectedToken) -> Mistake:
    table = _states(mistakes)
    known = next((table[key] for key in _signatures(error) if key in table), None)
    if known is not None:
        return known
    *words, last = _summary(mistakes, error.accepts or ()) or ["the end"]
    expected = f"{', '.join(words)} or {last}" if words else last
    return Mistake(mistakes.otherwise, expected, mistakes.otherwise.remedy, ())


@cache
def _states(mistakes: Mistakes) -> dict[Hashable, Mistake]:
    """Return the mistakes by the signature of the parser state in which their examples stop."""
    table: dict[Hashable, Mistake] = {}
    for mistake in mistakes.table:
        for example in mistake.examples:
            error = stop(mistakes.grammar, mistake.start, example.replace(CARET, ""))
            assert isinstance(error, UnexpectedToken)  # noqa: S101 - no example stops at an invalid character
            for key in _signatures(error):
                table.setdefault(key, mistake)
    return table


def _signatures(error: UnexpectedToken) -> list[Hashable]:
    """Return keys for the state in which the parser stopped, from the most exact to the most general.

    The state's number alone is too exact, as it differs between parts of one rule.
    """
    accepts = frozenset(error.accepts or ())
    position = error.interactive_parser.parser_state.position
    exact: list[Hashable] = [(position, accepts, error.token.type), (position, accepts)]
    general: list[Hashable] = [(accepts, error.token.type), accepts]
    return exact + general if len(accepts) >= _TELLING else exact


def _summary(mistakes: Mistakes, accepts: Iterable[str]) -> list[str]:
    """Return brief names of the tokens that are accepted at a place."""
    terminals = set(accepts)
    if "INT" in terminals and "STRING" in terminals:
        return ["a value", *sorted(_spelled(mistakes, terminals - mistakes.starts_value))]
    if "PLUS" in terminals:
        return ["an operator", *sorted(_spelled(mistakes, terminals - mistakes.follows_value))]
    return sorted(_spelled(mistakes, terminals))


def _spelled(mistakes: Mistakes, terminals: Iterable[str]) -> set[str]:
    """Return terminals as shown in messages: ``a name``, or a fixed word in quotes."""
    known = compiled(mistakes.grammar).terminals
    patterns = {terminal.name: terminal.pattern.value.removesuffix(r"\b") for terminal in known}
    return {_KINDS.get(name) or f"'{patterns[name]}'" for name in terminals if name != "FLOAT"}


def _spelling(mistakes: Mistakes, error: UnexpectedToken) -> str:
    """Suggest an accepted keyword that is spelt similarly to the token that was found; empty if there is none."""
    words = [word.strip("'") for word in _spelled(mistakes, error.accepts or ()) if word.startswith("'")]
    close = get_close_matches(error.token, words, 1, 0.75)
    return f"did you mean '{close[0]}'?" if close else ""
