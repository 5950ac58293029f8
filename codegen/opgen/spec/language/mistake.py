"""What is known about wrong texts of a language: the examples that messages are found by."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from opgen.diagnostics import Code
from opgen.records import dataclass
from opgen.source import Span
from opgen.spec.language.grammar import Grammar, Start

CARET = "‸"
"""Marks the place of the mistake in an example."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A mistake in a text, before it is known where the text stands."""

    code: Code
    message: str
    span: Span
    help: str = ""


@dataclass(frozen=True)
class Mistake:
    """One kind of broken text.

    Attributes:
        expected: what should stand at the caret.
        help: the remedy.
        examples: broken texts, the caret marked.
        start: the rule that the examples are read by.
    """

    code: Code
    expected: str
    help: str
    examples: tuple[str, ...]
    start: Start = "form"


@dataclass(frozen=True, eq=False)
class Mistakes:
    """What is known about wrong texts of one grammar.

    Attributes:
        grammar: which the texts are none of.
        table: the examples.
        characters: what to write instead of a character that begins no word.
        habit: recognises, in a text that the parser stumbled over at an offset, what people write out of habit.
        otherwise: the code of what is in no table.
        starts_value: the terminals that begin a value.
        follows_value: the terminals that may follow one.
    """

    grammar: Grammar
    table: tuple[Mistake, ...]
    characters: Mapping[str, str]
    habit: Callable[[str, int], Problem | None]
    otherwise: Code
    starts_value: frozenset[str]
    follows_value: frozenset[str]
