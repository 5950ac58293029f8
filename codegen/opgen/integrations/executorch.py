"""The custom operators of ExecuTorch: a ``custom_ops.yaml`` with out variants, the only ones that its runtime calls.

https://docs.pytorch.org/executorch/stable/kernel-library-custom-aten-kernel.html, "YAML Entry API". Its kernels take
ExecuTorch's own tensors, so they are written anew; what they are called is said here.
"""

from __future__ import annotations

import json
from dataclasses import replace

from opgen.diagnostics import Diagnostic
from opgen.integrations.codes import NO_OUT_VARIANT
from opgen.model.contract import Contract
from opgen.model.family.names import Form, forms_of
from opgen.model.family.refusals import refusals
from opgen.model.family.roles import Roles
from opgen.model.family.schemas import derived_schema
from opgen.model.op import Library, Op
from opgen.schema.nodes import FunctionSchema
from opgen.schema.printer import print_schema
from opgen.targets.names import cpp_name

_HEAD = "# Written by `opgen export --to executorch`: do not edit.\n"
_ENTRY = """
- func: {schema}
  kernels:
    - arg_meta: null
      kernel_name: {kernel}
"""


def custom_ops(library: Library) -> tuple[str, list[Diagnostic]]:
    """Return the file, and for each op without an out variant the reason."""
    found: list[Diagnostic] = []
    entries: dict[str, str] = {}
    for members in library.families.values():
        schema = _out_variant(members, found)
        if schema is not None:
            # Derived schemas may name an op that is declared as well.
            entries.setdefault(str(schema.name), _entry(members[0].namespace, schema))
    return _HEAD + "".join(entries[name] for name in sorted(entries)), found


def _out_variant(members: tuple[Op, ...], found: list[Diagnostic]) -> FunctionSchema | None:
    op = members[0]
    for member in members:
        if member.contract is Contract.OUT:
            return member.schema
    roles = Roles(op)
    reason = next(refusals(roles, Form.OUT), None)
    names = [name for form, name in forms_of(op).values() if form is Form.OUT]
    if reason is None and names:
        return derived_schema(roles, Form.OUT, names[0])
    why = reason.reason if reason else "it writes its first argument in place"
    help_ = (reason.help if reason else "") or NO_OUT_VARIANT.remedy
    found.append(Diagnostic(NO_OUT_VARIANT, f"it has no out variant: {why}", op.location, help_, op.qualified_name))
    return None


def _entry(namespace: str, schema: FunctionSchema) -> str:
    bare = replace(schema, name=replace(schema.name, namespace=None))
    text = json.dumps(f"{namespace}::{print_schema(bare)}")
    return _ENTRY.format(schema=text, kernel=f"{namespace}::{cpp_name(schema.name.identifier)}")
