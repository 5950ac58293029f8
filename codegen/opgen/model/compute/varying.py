"""The axes along which values vary."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.model.compute.steps import Reduced, Step, value_in
from opgen.model.compute.walk import axes_of


def axes_of_steps(steps: Iterable[Step]) -> dict[str, frozenset[str]]:
    """Return the axes along which each step varies; each step must come after the ones it uses."""
    named: dict[str, frozenset[str]] = {}
    for step in steps:
        axes = axes_of(value_in(step.value), named)
        named[step.name] = axes - frozenset(step.value.axes) if isinstance(step.value, Reduced) else axes
    return named
