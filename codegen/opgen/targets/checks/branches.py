"""Which statements stand under which condition: runs of steps with one guard, joined to ``if``, ``else if`` and ``else``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from opgen.records import dataclass
from opgen.spec.expression import Expression, Logical, opposite


@dataclass(frozen=True, slots=True)
class PlanGuard:
    """Where steps are run.

    Attributes:
        given: the optional arguments that must be given.
        when: conditions that must hold, asked in this order after ``given``.
        on_request: whether the caller must have asked for it.
    """

    given: tuple[str, ...] = ()
    when: tuple[Expression, ...] = ()
    on_request: bool = False

    def __bool__(self) -> bool:
        """Whether it excludes any call."""
        return bool(self.given or self.when or self.on_request)


@dataclass(frozen=True, slots=True)
class Branch:
    """Some lines of code, and what to ask in front of them.

    Attributes:
        keyword: how it is joined to what stands before; empty for lines without a condition.
        guard: what is left to ask there.
        lines: unindented.
    """

    keyword: Literal["", "if", "elif", "else"]
    guard: PlanGuard
    lines: list[str]


def branches(groups: Iterable[tuple[PlanGuard, list[str]]]) -> Iterator[Branch]:
    """Join groups whose guards exclude each other in so many words; groups without lines are left out."""
    asked: list[Expression] = []
    for guard, lines in groups:
        if not lines:
            continue
        excluded = tuple(map(opposite, asked))
        is_plain = bool(guard.when) and guard == PlanGuard(when=guard.when)
        if is_plain and asked and guard.when[: len(asked)] == excluded:
            rest = guard.when[len(asked) :]
            yield Branch("elif" if rest else "else", PlanGuard(when=rest), lines)
            asked = [*asked, _all(rest)] if rest else []
        else:
            yield Branch("if" if guard else "", guard, lines)
            asked = [_all(guard.when)] if is_plain else []


def _all(conditions: tuple[Expression, ...]) -> Expression:
    return conditions[0] if len(conditions) == 1 else Logical("and", conditions)
