"""The unit of a library of definitions, for processes in which no Python module defines the operators.

Emitted where ``define_in: both`` asks for it. It takes what it needs from the stable ABI whatever ABI the kernels are
for: a schema is a text, so one library of definitions serves both, on every torch. It gives no tags; PyTorch reads them
while it traces, not when it calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from opgen.model.op import Library, Op
from opgen.records import dataclass
from opgen.targets.cpp.library import UNITS_FOLDER, LibraryView
from opgen.targets.output import OutputFile
from opgen.targets.schema_hash import definition, twin_definition
from opgen.targets.templates import render

DEFINE_PATH = f"{UNITS_FOLDER}/define.cpp"


@dataclass(frozen=True, slots=True)
class DefineView:
    """The unit.

    Attributes:
        library: the names that every file of the library uses.
        namespaces: each namespace with the schemas to define in it.
    """

    library: LibraryView
    namespaces: tuple[tuple[str, tuple[str, ...]], ...]


def define_file(library: Library) -> OutputFile:
    """Emit ``generated/csrc/units/define.cpp``, with every op that has a compiled kernel and its twin."""
    ops = [op for op in library.ops if op.is_compiled]
    namespaces = tuple(
        (namespace, tuple(schema for op in members for schema in _schemas(op)))
        for namespace, members in groupby(ops, key=lambda op: op.namespace)
    )
    return OutputFile(DEFINE_PATH, render("cpp/define.cpp.j2", DefineView(LibraryView.of(library), namespaces)))


def _schemas(op: Op) -> Iterator[str]:
    yield definition(op)
    if (twin := twin_definition(op)) is not None:
        yield twin
