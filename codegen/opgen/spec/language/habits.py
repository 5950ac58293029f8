"""Recognises spellings from Python and PyTorch that ``tensors`` writes differently; the remedy is the text to write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import get_args

from opgen.diagnostics import Code
from opgen.records import dataclass
from opgen.source import Span
from opgen.spec.dtypes import SYNONYMS
from opgen.spec.language import codes
from opgen.spec.language.expression_nodes import Function
from opgen.spec.language.mistake import Problem

_FUNCTIONS = "|".join((*get_args(Function), "promote"))


@dataclass(frozen=True, slots=True)
class Habit:
    """A foreign spelling.

    Attributes:
        pattern: matches it; the group ``at`` is the part that the diagnostic points to.
        code: the code of the diagnostic.
        message: the message.
        help: makes the remedy from a match.
    """

    pattern: re.Pattern[str]
    code: Code
    message: str
    help: Callable[[re.Match[str]], str]


_HABITS = (
    Habit(
        re.compile(r"(?P<at>\btorch\s*\.\s*(\w+))"),
        codes.TENSOR_SYNTAX,
        "a dtype is written without 'torch.'",
        lambda match: f"write `{SYNONYMS.get(match[2], match[2])}`",
    ),
    Habit(
        re.compile(r"(?<!\bin\s)(?P<at>\brange)\s*(\([^()]*\))"),
        codes.TENSOR_SYNTAX,
        "expected 'in' before 'range'",
        lambda match: f"write `in range{match[2]}`",
    ),
    Habit(
        re.compile(rf"(?:^|\belse\b)\s*(?!(?:{_FUNCTIONS})\b)(\w+)\s*(?P<at>\()([^()]*)\)(?!\s*\[)"),
        codes.TENSOR_SYNTAX,
        "dims stand in [ ], found '('",
        lambda match: f"write `{match[1]} [{match[3]}]`",
    ),
    Habit(
        re.compile(r"\b(\w+\s+(?:not\s+)?in)\s*(?P<at>\[)([^][]*)\]"),
        codes.EXPRESSION_SYNTAX,
        "expected choices in parentheses after 'in', found '['",
        lambda match: f"write `{match[1]} ({match[3]}{'' if ',' in match[3] else ','})`",
    ),
    Habit(
        re.compile(r"(?<![.\w])(\w+)\s+(?P<at>is)\s+(not\s+)?None\b"),
        codes.EXPRESSION_SYNTAX,
        "there is no operator 'is'",
        lambda match: f"write `{'' if match[3] else 'not '}given({match[1]})`",
    ),
)


def explain_habit(value: str, offset: int) -> Problem | None:
    """Return the problem for a foreign spelling in ``value`` at ``offset``, where the parser stopped, or ``None``."""
    return recognise(_HABITS, value, offset)


def recognise(habits: Iterable[Habit], value: str, offset: int) -> Problem | None:
    """Return the problem of the first habit whose match reaches to an offset in a text, blanks aside, or ``None``."""
    for habit in habits:
        for match in habit.pattern.finditer(value):
            if match.start() <= offset and not value[match.end() : offset].strip():
                return Problem(habit.code, habit.message, Span(*match.span("at")), habit.help(match))
    return None
