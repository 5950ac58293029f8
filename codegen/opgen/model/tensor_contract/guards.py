"""When a tensor or a size is there, and what conditions say about it.

In ``not given(a) or a_size > 0`` the right side may use what only ``a`` knows; in ``float [n] if wide else int8 [m]`` the
name ``m`` is there where ``not wide`` holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from opgen.model.tensors import Check, Step
from opgen.records import dataclass
from opgen.spec.expression import Call, Comparison, Expression, Logical, Name, Not, opposite
from opgen.spec.written import render_written

Fact: TypeAlias = str | Expression
"""An optional argument that is given, or a condition that holds."""

Facts: TypeAlias = frozenset[Fact]


def facts_when(condition: Expression, *, holds: bool) -> tuple[Fact, ...]:
    """Return what is known whenever a condition holds, or does not hold, in the order of its parts."""
    match condition:
        case Call("given", (Name(name),)) if holds:
            return (name,)
        case Not(operand):
            return facts_when(operand, holds=not holds)
        case Logical(operator, operands) if (operator == "and") is holds:
            return tuple(dict.fromkeys(fact for each in operands for fact in facts_when(each, holds=holds)))
    return (condition if holds else opposite(condition),)


def implications(conditions: Iterable[Expression]) -> frozenset[tuple[Fact, Fact]]:
    """Return the pairs (a, b) for which conditions that always hold say: where a holds, b does."""
    pairs: set[tuple[Fact, Fact]] = set()
    for condition in conditions:
        match condition:
            case Comparison(("==",), (Call("given", (Name(left),)), Call("given", (Name(right),)))):
                pairs |= {(left, right), (right, left)}
            case Logical("or", (left, right)):
                for one, other in ((left, right), (right, left)):
                    known = facts_when(one, holds=False)
                    if len(known) == 1:
                        pairs |= {(known[0], implied) for implied in facts_when(other, holds=True)}
    return frozenset(pairs)


@dataclass(frozen=True, slots=True)
class Guard:
    """Where something is there.

    Attributes:
        given: the optional arguments that must be given.
        when: conditions that must hold, each readable where those before it hold and these arguments are given.
    """

    given: frozenset[str] = frozenset()
    when: tuple[Expression, ...] = ()

    def __bool__(self) -> bool:
        """Whether it excludes any call."""
        return bool(self.given or self.when)

    def __or__(self, other: Guard) -> Guard:
        """Return where both are there."""
        return Guard(self.given | other.given, tuple(dict.fromkeys(self.when + other.when)))

    def under(self, condition: Expression, *, holds: bool) -> Guard:
        """Return the part of it where a condition holds, or does not hold."""
        facts = facts_when(condition, holds=holds)
        given = frozenset(fact for fact in facts if isinstance(fact, str))
        return self | Guard(given, tuple(fact for fact in facts if not isinstance(fact, str)))

    @property
    def facts(self) -> Facts:
        """What is known there."""
        return self.given | frozenset(self.when)

    @property
    def is_possible(self) -> bool:
        """Whether no condition contradicts the others in so many words."""
        return not any(self.facts.issuperset(facts_when(condition, holds=False)) for condition in self.when)

    @property
    def condition(self) -> Expression:
        """What must hold, as one condition."""
        given = (Call("given", (Name(name),)) for name in sorted(self.given))
        parts = (*given, *self.when)
        return parts[0] if len(parts) == 1 else Logical("and", parts)

    def step(self, check: Check, *, each: bool = False) -> Step:
        """Make a step that is left out elsewhere."""
        return Step(check, tuple(sorted(self.given)), each, self.when)


EVERYWHERE = Guard()
"""In every call."""


def where(guards: Iterable[Guard]) -> str:
    """Say where something is there that is there under any of these guards: ``when 'y' is given``."""
    every = [*guards]
    if any(guard.when for guard in every):
        return f"where {' or '.join(sorted({f'`{render_written(guard.condition)}`' for guard in every}))}"
    names = sorted({name for guard in every for name in guard.given})
    return f"when {' or '.join(map(repr, names))} is given"
