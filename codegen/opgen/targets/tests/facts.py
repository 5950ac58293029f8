"""The declared values of results (``in range``, ``offsets``, ``permutation``), as data for ``_support/facts.py``."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.op import Op
from opgen.model.tensors import BindPack, BindSize, SolveSize
from opgen.spec.expression import Expression
from opgen.spec.tensor_spec import ValueOffsets, ValueRange, Values
from opgen.targets.expressions import Names, render_python, render_written
from opgen.targets.expressions.questions import names_in
from opgen.targets.python.layout import py_string
from opgen.targets.python.sizes import size_text, sizes_read


def result_facts(op: Op) -> Iterator[tuple[str, str]]:
    """Yield the label of each result in ``_support``, as ``output 0`` or ``argument 'out'``, and its ``Fact(...)``.

    A fact that reads a size which not every call binds is left out.
    """
    results = {argument.name: f"argument '{argument.name}'" for argument in op.written if argument.overwrites}
    results |= {output.name: f"output {place}" for place, output in enumerate(op.outputs) if output.alias_of is None}
    for tensor, result in results.items():
        values = op.tensors.values.get(tensor)
        fact = None if values is None else _fact(op, values)
        if values is not None and fact is not None:
            yield result, f"Fact({', '.join([py_string(_written(values)), *fact])})"


def _fact(op: Op, values: Values) -> list[str] | None:
    limits, names = _limits(values), Names.of(op, str)
    read = frozenset[str]().union(*map(names_in, limits))
    sizes: dict[str, str] = {}
    for step in reversed(op.tensors.steps):
        if isinstance(step.check, BindSize | BindPack | SolveSize) and step.check.name in read:
            if step.given or step.when:
                return None
            read |= sizes_read(step)
            sizes[names.value(step.check.name)] = size_text(step, names)
    parts = [f"[{', '.join(py_string(render_python(limit, names)) for limit in limits)}]"] if limits else []
    if sizes:
        table = (f"{py_string(name)}: {py_string(size)}" for name, size in reversed(sizes.items()))
        parts.append(f"{{{', '.join(table)}}}")
    return parts


def _limits(values: Values) -> tuple[Expression, ...]:
    match values:
        case ValueRange(low, high):
            return (low, high)
        case ValueOffsets(total):
            return (total,)
    return ()


def _written(values: Values) -> str:
    limits = ", ".join(map(render_written, _limits(values)))
    match values:
        case ValueRange():
            return f"in range({limits})"
        case ValueOffsets():
            return f"offsets({limits})"
    return "permutation"
