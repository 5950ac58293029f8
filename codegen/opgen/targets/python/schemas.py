"""Emits ``_schemas.py``: the table of operators, and their definition."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from opgen.model.op import Library, Op
from opgen.targets.output import OutputFile
from opgen.targets.python.layout import lay_out, py_string
from opgen.targets.python.place import folder
from opgen.targets.schema_hash import definition, twin_definition
from opgen.targets.templates import render

# A tagged pair `f`, `f.out` fails to compile with dynamic sizes on torch 2.13 and in AOTInductor on 2.13 and 2.14. With
# the twin an out= operator compiles without the tag.
_WITHHELD_TAGS = frozenset({"out"})


@dataclass(frozen=True, slots=True)
class SchemasView:
    """The module.

    Attributes:
        operators: one entry an operator, laid out.
        imports: modules to import first.
        has_registered: whether some operators are registered by hand.
    """

    operators: tuple[str, ...]
    imports: tuple[str, ...]
    has_registered: bool


def schemas_file(library: Library) -> OutputFile:
    """Emit the module that defines every operator."""
    view = SchemasView(
        operators=tuple(lay_out(f"{_entry(op)},", indent=1) for op in library.ops),
        imports=library.spec.imports,
        has_registered=any(op.registered for op in library.ops),
    )
    return OutputFile(f"{folder(library)}/_schemas.py", render("python/schemas.py.j2", view))


def _entry(op: Op) -> str:
    twin = twin_definition(op)
    parts = [
        py_string(op.namespace),
        py_string(definition(op)),
        f"twin={'None' if twin is None else py_string(twin)}",
        f"tags={_strings(tag for tag in op.tags if tag not in _WITHHELD_TAGS)}",
        f"kernels={_strings(kernel.dispatch_key for kernel in op.kernels if kernel.is_compiled)}",
    ]
    if op.spec.side_effects:
        parts.append("side_effects=True")
    if op.registered:
        parts.append(f"registered={py_string(op.registered)}")
    return f"Operator({', '.join(parts)})"


def _strings(words: Iterable[str]) -> str:
    texts = [py_string(word) for word in words]
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"
