"""Calls of an op, as values: right ones and deliberately wrong ones."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.model.sample_values import SampleValue
from opgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Sample:
    """A call that the contract allows.

    Attributes:
        label: what is special about it, unique in its op: ``float32-ones``, ``bfloat16-empty-given(bias)``.
        arguments: a value for every argument of the op, in the order of the schema.
    """

    label: str
    arguments: Mapping[str, SampleValue]


@dataclass(frozen=True, slots=True)
class WrongSample:
    """A call that the contract refuses.

    Attributes:
        label: what is wrong, unique in its op: ``weight-dtype``.
        arguments: a value for every argument of the op.
        argument: the argument that is to blame, ``None`` where it is not a single one.
        mention: words that the error must contain.
    """

    label: str
    arguments: Mapping[str, SampleValue]
    argument: str | None
    mention: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Samples:
    """The samples of one op.

    Attributes:
        valid: each proven valid by ``evaluate``; between them they cover dtypes, sizes, options, modes and layouts.
        wrong: each proven wrong by ``evaluate``, one a promise of the contract.
        problem: why there is no valid sample, or ``None``.
        unvisited: what the forms ask that no valid sample was found for: ``mode == 'a' does not hold``.
    """

    valid: tuple[Sample, ...] = ()
    wrong: tuple[WrongSample, ...] = ()
    problem: str | None = None
    unvisited: tuple[str, ...] = ()
