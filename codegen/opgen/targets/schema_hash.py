"""The schemas that the Python half of a library defines, and the hash by which it recognises the matching binary."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from opgen.model.op import Library, Op
from opgen.schema.nodes import FunctionSchema
from opgen.schema.printer import print_schema


def definition(op: Op) -> str:
    """Return the schema that an op is defined with: canonical, without the namespace."""
    return _without_namespace(op.schema)


def twin_definition(op: Op) -> str | None:
    """Return the schema of the op's hidden twin (``Op.twin``), ``None`` for an op without one."""
    if op.twin is None:
        return None
    name = replace(op.schema.name, name=op.twin, overload="")
    return _without_namespace(replace(op.schema, name=name, returns=()))


def schema_hash(library: Library) -> str:
    """Return the SHA-256 of the definitions of all ops with compiled kernels, 64 hexadecimal digits.

    The generated package computes the same hash from its own table when it is imported, so the hashed text is fixed:
    ``NAMESPACE::SCHEMA`` and a line break for each op, sorted by qualified name. Twins are not part of it, as they
    follow from their ops.
    """
    text = "".join(f"{op.namespace}::{definition(op)}\n" for op in library.ops if op.is_compiled)
    return hashlib.sha256(text.encode()).hexdigest()


def _without_namespace(schema: FunctionSchema) -> str:
    return print_schema(replace(schema, name=replace(schema.name, namespace=None)))
