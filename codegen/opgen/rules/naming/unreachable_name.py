"""OPG304: names that can't be reached through ``torch.ops``, since they are attributes of its own classes."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml

CODE = Code(
    id="OPG304",
    name="unreachable-name",
    severity=Severity.ERROR,
    summary="An op or overload has a name that `torch.ops` uses itself.",
    why=(
        "`torch.ops.ns.name` is the namespace's name, so `Library.define` of an op called `name` raises "
        "AttributeError; `torch.ops.ns.f.overloads` is a method of the packet (`torch/_ops.py`)."
    ),
    bad=ops_yaml("name(Tensor x) -> Tensor"),
    good=ops_yaml("name_of(Tensor x) -> Tensor"),
    remedy="choose another name",
)

_NAMESPACE_ATTRIBUTES = frozenset({"name", "_dir"})  # beside those of every module
_PACKET_ATTRIBUTES = frozenset(
    {
        "op",
        "overloads",
        "op_overloads",
        "_dir",
        "_has_torchbind_op_overload",
        "_is_protocol",
        "_op",
        "_overload_names",
        "_qualified_op_name",
        "_schemas",
    }
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Compare with the attributes of ``_OpNamespace`` and ``OpOverloadPacket``."""
    if op.name in _NAMESPACE_ATTRIBUTES or hasattr(ModuleType, op.name):
        message = f"op '{op.name}' can't be defined: torch.ops.{op.namespace} has an attribute of this name"
        yield finding(CODE, op, message, op.schema.name.span)
    if op.overload in _PACKET_ATTRIBUTES:
        message = f"overload '{op.overload}' can't be reached: torch.ops.{op.namespace}.{op.name} has this attribute"
        yield finding(CODE, op, message, op.schema.name.span)


RULE = Rule(CODE, check, judges_derived=True)
