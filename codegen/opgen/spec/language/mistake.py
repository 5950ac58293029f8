"""The classes for syntax errors of a language: broken examples, by which the message for a wrong text is found."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from opgen.diagnostics import Code
from opgen.records import dataclass
from opgen.source import Span
from opgen.spec.language.grammar import Grammar, Start

CARET = "‸"
"""Marks the position of the mistake in an example."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A mistake in a text, without the location of the text; ``span`` holds offsets in it."""

    code: Code
    message: str
    span: Span
    help: str = ""


@dataclass(frozen=True)
class Mistake:
    """One kind of syntax error.

    Attributes:
        code: the code of the diagnostic.
        expected: the words for what is expected at the caret.
        help: the remedy.
        examples: broken texts with ``CARET`` at the mistake.
        start: the start rule by which the examples are parsed.
    """

    code: Code
    expected: str
    help: str
    examples: tuple[str, ...]
    start: Start = "form"


@dataclass(frozen=True, eq=False)
class Mistakes:
    """The syntax errors of one grammar.

    Attributes:
        grammar: the grammar.
        table: the kinds of errors.
        characters: character that begins no token -> remedy.
        habit: returns the problem for a foreign spelling in a text at the offset where the parser stopped, or ``None``.
        otherwise: the code for errors that no table covers.
        starts_value: the terminals that begin a value.
        follows_value: the terminals that may follow a value.
    """

    grammar: Grammar
    table: tuple[Mistake, ...]
    characters: Mapping[str, str]
    habit: Callable[[str, int], Problem | None]
    otherwise: Code
    starts_value: frozenset[str]
    follows_value: frozenset[str]
