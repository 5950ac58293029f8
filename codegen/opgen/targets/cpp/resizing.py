"""Resizes empty out arguments (``numel() == 0``) in front of all checks, for ops with ``resize_out: true``.

ATen resizes an ``out`` of any other sizes, and warns if it had elements (``resize_output`` in
``aten/src/ATen/native/Resize.cpp``). An ``out`` of another dtype or device is refused before it is resized, as by
``resize_out`` in ``torchgen/dest/register_dispatch_key.py``. Only eager calls resize: a traced graph can't change the
sizes of an argument.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from opgen.model.op import Op
from opgen.model.tensors import OutputSpec
from opgen.targets.checks.cpp import host_checks, output_shape, written_checks
from opgen.targets.checks.lines import block
from opgen.targets.cpp.writes import gradient_checks, resized
from opgen.targets.expressions.names import Names
from opgen.targets.names import cpp_name


def resize_empty(op: Op) -> Iterator[str]:
    """Yield the statements, unindented; nothing for an op that refuses an ``out`` of other sizes."""
    if op.resizing is None:
        return
    making = replace(op.resizing, schema=replace(op.resizing.schema, name=op.schema.name))
    names = Names.of(op, cpp_name)
    lines = [*gradient_checks(op), *host_checks(making, behind=written_checks(op))]
    for out in (argument.name for argument in op.written):
        spec = making.tensors.outputs[out]
        if isinstance(spec, OutputSpec):
            resize = f"writes::resize_empty({names.argument(out)}, {output_shape(making, spec)})"
            lines.append(f"{resized(op, out)} = {resize};")
    yield from (f"bool {resized(op, argument.name)} = false;" for argument in op.written)
    condition = " || ".join(f"{names.argument(argument.name)}.numel() == 0" for argument in op.written)
    yield "\n".join(block(f"if ({condition})", [line for statement in lines for line in statement.splitlines()]))
