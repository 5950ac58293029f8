"""Integer literals in texts."""

from __future__ import annotations

from opgen.lalr.token import Token
from opgen.source import Span
from opgen.spec.language import codes
from opgen.spec.language.mistake import Problem

_MOST_DIGITS = 18
"""Every integer with this many digits fits into ``int64_t``."""


def integer(token: Token, problems: list[Problem]) -> int:
    """Return the value of a literal; for one that is too large a problem is added and 0 returned."""
    if len(token) > _MOST_DIGITS:
        span = Span(token.start_pos, token.end_pos)
        message = f"the number has {len(token)} digits, expected at most {_MOST_DIGITS}"
        problems.append(Problem(codes.TOO_LARGE, message, span, codes.TOO_LARGE.remedy))
        return 0
    return int(token)
