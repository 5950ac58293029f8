"""OPG542: ``autograd: composite`` for an op without a Composite kernel, or the reverse."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.source import Text

CODE = Code(
    id="OPG542",
    name="composite-autograd",
    severity=Severity.ERROR,
    summary="`autograd` and the op's kernel disagree about how it is differentiated.",
    why=(
        "`autograd: composite` states that the kernel consists of differentiable ops. PyTorch differentiates through "
        "a kernel for the key `CompositeImplicitAutograd`, always, and for no other key: other kernels run below "
        "autograd."
    ),
    bad=ops_yaml("twice(Tensor x) -> Tensor\nfake: none\nautograd: composite\ndispatch: {CPU: python}"),
    good=ops_yaml("twice(Tensor x) -> Tensor\nautograd: composite\ndispatch: {CompositeImplicitAutograd: python}"),
    remedy="write `autograd: composite` with `dispatch: {CompositeImplicitAutograd: python}`, and neither without the other",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Compare ``autograd`` with the dispatch keys; a value from ``defaults`` is not compared."""
    autograd = op.spec.autograd
    if not isinstance(autograd, Text):
        return
    is_composite = any(kernel.dispatch_key == "CompositeImplicitAutograd" for kernel in op.kernels)
    place = op.spec.keys.get("autograd")
    if autograd.value == "composite" and not is_composite:
        yield finding(CODE, op, "`autograd` is composite, but no kernel has the key CompositeImplicitAutograd", place)
    elif autograd.value == "error" and is_composite and place is not None:
        message = "the kernel is differentiated through the ops that it calls, and `autograd: error` says that none is"
        yield finding(CODE, op, message, place)


RULE = Rule(CODE, check, reads=frozenset({"autograd", "dispatch"}))
