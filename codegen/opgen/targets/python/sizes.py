"""The sizes that a plan binds as Python expressions over arguments, for code that doesn't check them."""

from __future__ import annotations

from opgen.model.tensors import BindPack, BindSize, SolveSize, Step
from opgen.targets.expressions import Binding, Names, render_python
from opgen.targets.expressions.questions import names_in


def sizes_read(step: Step) -> frozenset[str]:
    """Return the sizes and packs that the expression of a step's size uses."""
    if isinstance(step.check, SolveSize):
        return frozenset[str]().union(*(names_in(part) for part in (step.check.offset, step.check.factor) if part))
    return frozenset()


def size_text(step: Step, names: Names) -> str:
    """Return the expression for the size that a step binds."""
    check = step.check
    tensor = f"{names.argument(getattr(check, 'tensor', ''))}{'[0]' if step.each else ''}"
    match check:
        case BindSize(_, _, dim, of):
            return f"{tensor}.{of}({dim})"
        case BindPack(_, _, lead, trail):
            return f"{tensor}.shape[{lead or ''}:{-trail or ''}]"
        case SolveSize(_, _, dim, offset, factor):
            size = f"{tensor}.size({dim})"
            if offset is not None:
                size = f"({size} - {render_python(offset, names, Binding.PRODUCT)})"
            return f"{size} // {render_python(factor, names, Binding.SIGN)}"
    raise AssertionError(f"{check} binds nothing")
