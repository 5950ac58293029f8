"""From the parser's error to a message, by the table of broken examples.

The parser's state after the sound beginning of an example tells the mistakes apart. (Lark's own ``match_examples`` does
so too, but in 1.3.1 raises a ``TypeError`` as soon as one state accepts different words.)
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
"""So many accepted words tell one state of the parser from another; fewer are shared by unrelated states."""


def explain(mistakes: Mistakes, start: Start, value: str) -> Problem:
    """Say what is wrong with a text that is none of the language."""
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
    """Return the offending word; where the text ends too early, an empty span after its last word."""
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
    """Break off at every example and note the state of the parser there."""
    table: dict[Hashable, Mistake] = {}
    for mistake in mistakes.table:
        for example in mistake.examples:
            error = stop(mistakes.grammar, mistake.start, example.replace(CARET, ""))
            assert isinstance(error, UnexpectedToken)  # noqa: S101 - no example breaks off at a character
            for key in _signatures(error):
                table.setdefault(key, mistake)
    return table


def _signatures(error: UnexpectedToken) -> list[Hashable]:
    """Name the state in which the parser broke off, from the exact to the general.

    Its number alone is too exact where a rule is half reduced.
    """
    accepts = frozenset(error.accepts or ())
    position = error.interactive_parser.parser_state.position
    exact: list[Hashable] = [(position, accepts, error.token.type), (position, accepts)]
    general: list[Hashable] = [(accepts, error.token.type), accepts]
    return exact + general if len(accepts) >= _TELLING else exact


def _summary(mistakes: Mistakes, accepts: Iterable[str]) -> list[str]:
    """Say briefly what may stand at a place."""
    terminals = set(accepts)
    if "INT" in terminals and "STRING" in terminals:
        return ["a value", *sorted(_spelled(mistakes, terminals - mistakes.starts_value))]
    if "PLUS" in terminals:
        return ["an operator", *sorted(_spelled(mistakes, terminals - mistakes.follows_value))]
    return sorted(_spelled(mistakes, terminals))


def _spelled(mistakes: Mistakes, terminals: Iterable[str]) -> set[str]:
    """Return how terminals look in a text: a kind of word, or the very word in quotes."""
    known = compiled(mistakes.grammar).terminals
    patterns = {terminal.name: terminal.pattern.value.removesuffix(r"\b") for terminal in known}
    return {_KINDS.get(name) or f"'{patterns[name]}'" for name in terminals if name != "FLOAT"}


def _spelling(mistakes: Mistakes, error: UnexpectedToken) -> str:
    """Suggest a keyword that can stand here and is spelt much like what was found."""
    words = [word.strip("'") for word in _spelled(mistakes, error.accepts or ()) if word.startswith("'")]
    close = get_close_matches(error.token, words, 1, 0.75)
    return f"did you mean '{close[0]}'?" if close else ""
