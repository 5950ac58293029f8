"""Groups generated statements by the condition they need, as ``if``, ``else if`` and ``else``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from opgen.records import dataclass
from opgen.spec.expression import Expression, Logical, opposite


@dataclass(frozen=True, slots=True)
class PlanGuard:
    """The condition under which steps of a plan run; without any field set they always run.

    Attributes:
        given: the optional arguments that must not be ``None``.
        when: conditions that must hold, tested in this order after ``given``.
        on_request: the steps run only with ``OPGEN_CHECK_VALUES=1``, since they read elements, which synchronises.
    """

    given: tuple[str, ...] = ()
    when: tuple[Expression, ...] = ()
    on_request: bool = False

    def __bool__(self) -> bool:
        """Whether there is a condition to test."""
        return bool(self.given or self.when or self.on_request)


@dataclass(frozen=True, slots=True)
class Branch:
    """Lines of code and the condition in front of them.

    Attributes:
        keyword: continues the branch before it for ``elif`` and ``else``; empty for lines without a condition.
        guard: the condition to test, without the parts that the branches before it have decided.
        lines: the lines of the body, unindented.
    """

    keyword: Literal["", "if", "elif", "else"]
    guard: PlanGuard
    lines: list[str]


def branches(groups: Iterable[tuple[PlanGuard, list[str]]]) -> Iterator[Branch]:
    """Join groups to ``elif`` and ``else`` where a guard literally begins with the opposites of the guards before it.

    Groups without lines are left out.
    """
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
