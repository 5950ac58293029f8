"""OPG218: a mutable op that returns something other than plain tensors."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.contract.shape import MUTABLE
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.schema.types import is_plain_tensor, returns_none

CODE = Code(
    id="OPG218",
    name="unfunctional-return",
    severity=Severity.WARNING,
    summary="A mutable op returns something other than plain tensors.",
    why=(
        "Functionalisation accepts a mutable op only if every return is a plain `Tensor` (`can_auto_functionalize` "
        "in `torch/_higher_order_ops/auto_functionalize.py`); with a number, a list or an optional tensor among the "
        "returns the op works in eager mode and breaks `torch.compile`."
    ),
    bad=ops_yaml("append(Tensor(a!) cache, Tensor x) -> int"),
    good=ops_yaml("append(Tensor(a!) cache, Tensor x) -> Tensor"),
    remedy="return a tensor (a number in a 0-dim one), or split the op in two",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Check the returns of mutable ops."""
    for index, result in enumerate(op.schema.returns):
        if not is_plain_tensor(result.type) and not returns_none(result):
            message = f"return {index} is not a plain Tensor, and the op writes '{op.written[0].name}'"
            yield finding(CODE, op, f"{message}: it can't be compiled", result.span)


RULE = Rule(CODE, check, contracts=MUTABLE)
