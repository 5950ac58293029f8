"""OPG212: a result that shares memory with an argument."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.rules.contract.shape import ALIASING
from opgen.rules.rule import Rule, finding, listed, ops_yaml
from opgen.schema.aliases import WILDCARD, alias_sets, aliased_arguments, is_written

CODE = Code(
    id="OPG212",
    name="view-return",
    severity=Severity.ERROR,
    summary="A result is declared to share memory with an argument that is not written.",
    why=(
        "PyTorch's compiler can't trace a custom op that returns a view: functionalisation has to know which tensors "
        'share storage, and knows it only for in-place and out= ops ("Choosing the kind of custom op", the '
        "`torch.library` page). A classic op whose only kernel is composite may return views, because tracing goes "
        "through its kernel."
    ),
    bad=ops_yaml("peek(Tensor(a) x) -> Tensor(a)"),
    good=ops_yaml("peek(Tensor x) -> Tensor"),
    remedy="return a fresh tensor (a copy), or do the view in Python around the op",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report returns that alias without a write, unless the op is a classic composite view."""
    is_composite = bool(op.kernels) and all(kernel.is_composite for kernel in op.kernels)
    is_legal = op.contract is Contract.VIEW and op.abi == "classic" and is_composite
    if is_legal:
        return
    for index, result in enumerate(op.schema.returns):
        partners = [argument.name for argument in aliased_arguments(op.schema, result) if not is_written(argument)]
        if WILDCARD in alias_sets(result):
            partners.append("*")
        if partners and not is_written(result):
            message = f"return {index} shares memory with {listed(partners)}: a custom op must not return a view"
            yield finding(CODE, op, message, result.type.span)


RULE = Rule(CODE, check, contracts=ALIASING)
