"""Guards: the calls in which a tensor is given or a size has a value.

In ``not given(a) or a_size > 0`` the right side may use a size that only ``a`` binds; in ``float [n] if wide else int8
[m]`` the name ``m`` only has a value if ``not wide`` holds.
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
    """Return the facts that follow if a condition holds, or with ``holds=False`` doesn't, in the order of its parts."""
    match condition:
        case Call("given", (Name(name),)) if holds:
            return (name,)
        case Not(operand):
            return facts_when(operand, holds=not holds)
        case Logical(operator, operands) if (operator == "and") is holds:
            return tuple(dict.fromkeys(fact for each in operands for fact in facts_when(each, holds=holds)))
    return (condition if holds else opposite(condition),)


def implications(conditions: Iterable[Expression]) -> frozenset[tuple[Fact, Fact]]:
    """Return the pairs (a, b) of facts such that a implies b, by conditions that always hold."""
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
    """The calls in which a tensor is given, or a size has a value.

    Attributes:
        given: the optional arguments that must be given.
        when: conditions that must hold, each readable where those before it hold and these arguments are given.
    """

    given: frozenset[str] = frozenset()
    when: tuple[Expression, ...] = ()

    def __bool__(self) -> bool:
        """Whether it excludes some calls."""
        return bool(self.given or self.when)

    def __or__(self, other: Guard) -> Guard:
        """Return the guard under which both hold."""
        return Guard(self.given | other.given, tuple(dict.fromkeys(self.when + other.when)))

    def under(self, condition: Expression, *, holds: bool) -> Guard:
        """Return the guard with a further condition that must hold, or, with ``holds=False``, must not."""
        facts = facts_when(condition, holds=holds)
        given = frozenset(fact for fact in facts if isinstance(fact, str))
        return self | Guard(given, tuple(fact for fact in facts if not isinstance(fact, str)))

    @property
    def facts(self) -> Facts:
        """The facts that are known in these calls."""
        return self.given | frozenset(self.when)

    @property
    def is_possible(self) -> bool:
        """Whether no condition is literally the opposite of others."""
        return not any(self.facts.issuperset(facts_when(condition, holds=False)) for condition in self.when)

    @property
    def condition(self) -> Expression:
        """The guard as one condition."""
        given = (Call("given", (Name(name),)) for name in sorted(self.given))
        parts = (*given, *self.when)
        return parts[0] if len(parts) == 1 else Logical("and", parts)

    def step(self, check: Check, *, each: bool = False) -> Step:
        """Make a step that only runs in these calls."""
        return Step(check, tuple(sorted(self.given)), each, self.when)


EVERYWHERE = Guard()
"""In every call."""


def where(guards: Iterable[Guard]) -> str:
    """Describe, for messages, the calls under any of these guards: ``when 'y' is given``."""
    every = [*guards]
    if any(guard.when for guard in every):
        return f"where {' or '.join(sorted({f'`{render_written(guard.condition)}`' for guard in every}))}"
    names = sorted({name for guard in every for name in guard.given})
    return f"when {' or '.join(map(repr, names))} is given"
