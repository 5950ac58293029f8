"""OPG504: a functional op that may have a gradient and doesn't state ``autograd``."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.schema.types import is_tensor, is_tensor_list

CODE = Code(
    id="OPG504",
    name="unstated-autograd",
    severity=Severity.INFO,
    summary="A functional op does not say whether it has a gradient.",
    why=(
        "Without a statement, PyTorch's fallback lets the outputs require grad and warns only in `backward`; an "
        "intentionally missing gradient can't be told from a forgotten one."
    ),
    bad=ops_yaml("twice(Tensor x) -> Tensor"),
    good=ops_yaml("twice(Tensor x) -> Tensor\nautograd: none"),
    remedy="give formulas, or state `autograd: none`, `composite` or `error` (for a whole library under `defaults`)",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report functional ops from tensors to tensors without ``autograd``."""
    if lacks_statement(op):
        help_ = (
            ""
            if op.program is None
            else "write `autograd: derived`, what follows from the expression, or `autograd: none`"
        )
        yield finding(CODE, op, "`autograd` is not stated", op.schema.name.span, help=help_)


def lacks_statement(op: Op) -> bool:
    """Whether an op may have a gradient and doesn't state ``autograd``."""
    takes = bool(op.tensor_arguments)
    gives = any(is_tensor(output.type) or is_tensor_list(output.type) for output in op.outputs)
    is_composite = any(kernel.dispatch_key == "CompositeImplicitAutograd" for kernel in op.kernels)
    return op.contract is Contract.FUNCTIONAL and takes and gives and op.spec.autograd is None and not is_composite


RULE = Rule(CODE, check, reads=frozenset({"autograd"}))
