"""Adds the checks that reduced dims aren't empty, for ``max``, ``min``, ``argmax`` and ``argmin``.

PyTorch refuses these reductions too (``amax(): Expected reduction dim 1 to have non-zero size``).
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.compute.nodes import Axis, Program
from opgen.source import DerivedText
from opgen.spec.expression import Constant
from opgen.spec.language import parse_condition
from opgen.spec.library import CheckEntry, OpSpec
from opgen.spec.written import render_written

_OF_SOME = frozenset({"max", "min", "argmax", "argmin"})


def checks_of_elements(spec: OpSpec, program: Program) -> Iterator[CheckEntry]:
    """Yield a check for each reduced dim that must not be empty, unless the author has written the same check."""
    stated = [check.condition for check in spec.checks]
    function = next((each.function for each in program.reductions if each.function in _OF_SOME), None)
    for name in program.reduced if function is not None else ():
        if (written := _size(program.axis[name])) is None:
            continue
        text = DerivedText.at(f"{written} > 0", spec.location)
        condition, found = parse_condition(text)
        if condition is None:
            raise ValueError(f"{text.value}: {found[0].message}")
        if condition not in stated:
            yield CheckEntry(text, condition, f"'{function}' of no elements has no value")


def _size(axis: Axis) -> str | None:
    """Return the number of elements along an axis in the language of ``tensors``; ``None`` if it is a literal."""
    if axis.size is None:
        return f"prod({axis.name})"
    return None if isinstance(axis.size, Constant) else render_written(axis.size)
