"""CPU kernels from expressions: ``generated/csrc/expressions/cpu/OP.cpp``.

A kernel says what is computed at a point, and of a row; ``points/tile.h`` walks over the points, and ``maths/`` has the
functions. So what is generated is as short as what its author wrote.

``planning`` makes a ``Plan`` of a program, ``identifiers`` gives names to what is in it, and ``operands``, ``values``,
``points`` and ``loops`` write it down; ``kernel`` puts the parts together.
"""

from __future__ import annotations

from opgen.model.compute.nodes import Program
from opgen.model.kernel import Kernel
from opgen.model.op import Library, Op
from opgen.records import dataclass
from opgen.spec.library import KernelEntry
from opgen.targets.cpp.expressions.headers import headers_of
from opgen.targets.cpp.expressions.kernel import kernel_body
from opgen.targets.cpp.header import header_path
from opgen.targets.cpp.library import LibraryView
from opgen.targets.cpp.signature import kernel_signature, kernel_symbol
from opgen.targets.output import OutputFile
from opgen.targets.templates import render


@dataclass(frozen=True, slots=True)
class ExpressionView:
    """One kernel.

    Attributes:
        op: the qualified name.
        expression: what its author wrote.
        headers: what it includes, as an ``#include`` spells it.
        namespace: of the kernel.
        using: the namespace with the header's names, where they aren't in sight.
        head: return type, name and parameters.
        body: statements.
    """

    op: str
    expression: str
    headers: tuple[str, ...]
    namespace: str
    using: str
    head: str
    body: tuple[str, ...]


def expression_file(library: Library, op: Op, kernel: Kernel, program: Program) -> OutputFile:
    """Emit the kernel of an op for the CPU."""
    namespace, _, name = kernel_symbol(kernel).rpartition("::")
    folder = LibraryView.of(library).folder
    body = kernel_body(op, program)
    view = ExpressionView(
        op=op.qualified_name,
        expression="\n".join((*_written("reduce", op.spec.reduce), *_written("pointwise", op.spec.pointwise))),
        headers=(header_path(library, op), *(f"{folder}/{header}" for header in headers_of(body))),
        namespace=namespace,
        using="" if namespace.partition("::")[0] in {op.namespace, library.namespace} else f"::{library.namespace}",
        head=kernel_signature(op, kernel).declare(name),
        body=tuple(body),
    )
    return OutputFile(kernel.path, render("cpp/expression.cpp.j2", view))


def _written(key: str, entries: tuple[KernelEntry, ...]) -> list[str]:
    lines = [f"{key}:"] if entries else []
    for entry in entries:
        name = f"{entry.key.value} = " if entry.key is not None else ""
        lines.append(f"  {name}{entry.text.value}")
    return lines
