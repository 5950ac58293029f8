"""Sample calls of an op as values: valid ones, and deliberately wrong ones."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.model.sample_values import SampleValue
from opgen.model.tensors import Check
from opgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Sample:
    """A call that the contract allows.

    Attributes:
        label: the options it shows, unique in its op: ``float32-ones``, ``bfloat16-empty-given(bias)``.
        arguments: a value for every argument of the op, in the order of the schema.
    """

    label: str
    arguments: Mapping[str, SampleValue]


@dataclass(frozen=True, slots=True)
class WrongSample:
    """A call that the contract refuses.

    Attributes:
        label: the broken promise, unique in its op: ``weight-dtype``.
        arguments: a value for every argument of the op.
        argument: the argument that the error must name; ``None`` if the mistake is not in a single one.
        mention: words that the error must contain.
        check: the one that it does not meet.
    """

    label: str
    arguments: Mapping[str, SampleValue]
    argument: str | None
    mention: tuple[str, ...]
    check: Check | None = None


@dataclass(frozen=True, slots=True)
class Samples:
    """The samples of one op.

    Attributes:
        valid: calls that ``evaluate`` accepts; together they cover dtypes, sizes, optional arguments, modes and
            layouts.
        wrong: calls that ``evaluate`` refuses, one for each promise of the contract.
        problem: the reason why there is no valid sample, or ``None``.
        unvisited: the cases of the contract for which no valid sample was found: ``mode == 'a' does not hold``.
    """

    valid: tuple[Sample, ...] = ()
    wrong: tuple[WrongSample, ...] = ()
    problem: str | None = None
    unvisited: tuple[str, ...] = ()
