"""What the Python half of a library defines, and the digest by which it recognises its binary half."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from opgen.model.op import Library, Op
from opgen.schema.nodes import FunctionSchema
from opgen.schema.printer import print_schema


def definition(op: Op) -> str:
    """Print the schema that an op is defined with: canonical, without the namespace."""
    return _without_namespace(op.schema)


def twin_definition(op: Op) -> str | None:
    """Print the schema of the op's hidden twin (``Op.twin``), or return ``None`` where it has none."""
    if op.twin is None:
        return None
    name = replace(op.schema.name, name=op.twin, overload="")
    return _without_namespace(replace(op.schema, name=name, returns=()))


def schema_hash(library: Library) -> str:
    """Return the SHA-256 of the definitions of all ops with compiled kernels, 64 hexadecimal digits.

    The generated package computes the same from its own table when it is imported, so both sides must keep to this
    text: ``NAMESPACE::SCHEMA`` and a line break for each op, sorted by qualified name. Twins follow from their ops.
    """
    text = "".join(f"{op.namespace}::{definition(op)}\n" for op in library.ops if op.is_compiled)
    return hashlib.sha256(text.encode()).hexdigest()


def _without_namespace(schema: FunctionSchema) -> str:
    return print_schema(replace(schema, name=replace(schema.name, namespace=None)))
