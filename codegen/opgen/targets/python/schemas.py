"""Emits ``_schemas.py``: the table of operators, and their definition by ``torch.library.Library.define``."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.op import Library, Op
from opgen.records import dataclass
from opgen.schema.nodes import BaseType
from opgen.schema.types import without_optional
from opgen.targets.output import OutputFile
from opgen.targets.python.layout import lay_out, py_string, py_strings
from opgen.targets.python.place import folder
from opgen.targets.schema_hash import definition, twin_definition
from opgen.targets.templates import render

_OUT = "out"
"""The tag `Tag.out`, which is only given with `tag_out: true`.

A tagged pair `f`, `f.out` fails to compile with dynamic sizes on torch 2.13, and in AOTInductor on 2.13 and 2.14. By
its twin an out= operator compiles without the tag.
"""


@dataclass(frozen=True, slots=True)
class SchemasView:
    """The module.

    Attributes:
        operators: one entry for each operator, laid out.
        imports: modules to import first, those that define ops which this library uses.
        has_registered: whether some operators are registered by hand.
    """

    operators: tuple[str, ...]
    imports: tuple[str, ...]
    has_registered: bool


def schemas_file(library: Library) -> OutputFile:
    """Emit the module that defines every operator."""
    view = SchemasView(
        operators=tuple(lay_out(f"{_entry(library, op)},", indent=1) for op in library.ops),
        imports=library.spec.imports,
        has_registered=any(op.registered for op in library.ops),
    )
    return OutputFile(f"{folder(library)}/_schemas.py", render("python/schemas.py.j2", view))


def _entry(library: Library, op: Op) -> str:
    twin = twin_definition(op)
    parts = [
        py_string(op.namespace),
        py_string(definition(op)),
        f"twin={'None' if twin is None else py_string(twin)}",
        f"tags={py_strings(_tags(library, op))}",
        f"kernels={py_strings(kernel.dispatch_key for kernel in op.kernels if kernel.is_compiled)}",
    ]
    if (device := device_choice(op)) is not None:
        parts.append(f"device={py_strings(device)}")
    if op.spec.side_effects:
        parts.append("side_effects=True")
    if op.is_compiled and op.abi == "classic":
        parts.append("classic=True")
    if op.registered:
        parts.append(f"registered={py_string(op.registered)}")
    return f"Operator({', '.join(parts)})"


def _tags(library: Library, op: Op) -> Iterator[str]:
    """Yield the tags to define an op with; none for a hand-registered op, whose tags its source gives."""
    withheld = () if library.spec.tag_out else (_OUT,)
    return (tag for tag in op.tags if tag not in withheld and not op.registered)


def device_choice(op: Op) -> tuple[str, str] | None:
    """Return the device argument that chooses the kernel of an op without tensors, and the device meant by ``None``."""
    if op.tensor_arguments or all(kernel.is_composite for kernel in op.kernels):
        return None
    for output in op.tensors.outputs.values():
        for _, spec in output.cases:
            if spec is not None and spec.device_argument is not None:
                return spec.device_argument, spec.device_type or "cpu"
    devices = (argument for argument in op.arguments if without_optional(argument.type) == BaseType("Device"))
    return next(((argument.name, "cpu") for argument in devices), None)
