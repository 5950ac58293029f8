"""OPG403: a list default that does not fit the size."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.schema.nodes import ListDefault, ListType

CODE = Code(
    id="OPG403",
    name="list-default-length",
    severity=Severity.ERROR,
    summary="The default of a fixed-length list has a different length.",
    why=(
        "PyTorch's parser does not count: the size only means that one number may stand for the whole list. A kernel "
        "that reads that many elements runs past the end. ATen itself uses an empty list for nothing, and a size of "
        "1 for any length."
    ),
    bad=ops_yaml("pad(Tensor x, int[2] sizes=[0, 0, 0]) -> Tensor"),
    good=ops_yaml("pad(Tensor x, int[2] sizes=[0, 0]) -> Tensor"),
    remedy="write as many elements as the type has, or one number for all",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Compare the number of elements with the size of the list type."""
    for argument in op.schema.arguments:
        type_, default = argument.type, argument.default
        if isinstance(type_, ListType) and type_.size is not None and isinstance(default, ListDefault):
            count = len(default.items)
            if type_.size > 1 and count not in {0, type_.size}:
                message = f"argument '{argument.name}' has {type_.size} elements, its default has {count}"
                yield finding(CODE, op, message, default.span)


RULE = Rule(CODE, check)
