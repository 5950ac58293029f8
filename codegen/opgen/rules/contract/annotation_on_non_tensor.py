"""OPG216: an alias annotation on a number."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.marks import without_marks
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.schema.aliases import kept_annotations
from opgen.schema.types import is_tensor, is_tensor_list

CODE = Code(
    id="OPG216",
    name="annotation-on-non-tensor",
    severity=Severity.ERROR,
    summary="An alias annotation is on something that is not a tensor.",
    why=(
        "Numbers and strings are passed by value, so a write would reach nobody. C++ accepts the mark, "
        "`torch.library` ignores it, and functionalisation rejects the whole op (`can_auto_functionalize` in "
        "`torch/_higher_order_ops/auto_functionalize.py`)."
    ),
    bad=ops_yaml("advance(Tensor(a!) cache, int(b!) position) -> ()"),
    good=ops_yaml("advance(Tensor(a!) cache, Tensor(b!) position) -> ()"),
    remedy="remove the mark, or pass the value in a tensor",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report annotations on arguments and returns without a tensor in their type."""
    for argument in op.schema.arguments:
        if not (is_tensor(argument.type) or is_tensor_list(argument.type)) and any(kept_annotations(argument.type)):
            message = f"argument '{argument.name}' is no tensor, so it can be neither written nor an alias"
            yield finding(CODE, op, message, argument.type.span, fix=without_marks(op, argument, "remove the mark"))
    for index, result in enumerate(op.schema.returns):
        if not (is_tensor(result.type) or is_tensor_list(result.type)) and any(kept_annotations(result.type)):
            message = f"return {index} is no tensor, so it can't be an alias"
            yield finding(CODE, op, message, result.type.span, fix=without_marks(op, result, "remove the mark"))


RULE = Rule(CODE, check)
