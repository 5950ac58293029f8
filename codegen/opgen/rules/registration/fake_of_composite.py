"""OPG512: a fake kernel or a formula for a CompositeImplicitAutograd op, which PyTorch decomposes anyway."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml

CODE = Code(
    id="OPG512",
    name="fake-of-composite",
    severity=Severity.ERROR,
    summary="A fake kernel or gradient formula is given for an op with a `CompositeImplicitAutograd` kernel.",
    why=(
        "Such a kernel also serves fake tensors and autograd, through the ops that it calls: `register_fake` raises "
        "for it (`torch/_library/fake_impl.py`), and PyTorch would never use the formula (pytorch/pytorch#123741)."
    ),
    bad=ops_yaml("twice(Tensor x) -> Tensor\ndispatch: {CompositeImplicitAutograd: cpp}\nfake: mylib.fakes:twice"),
    good=ops_yaml("twice(Tensor x) -> Tensor\ndispatch: {CPU: cpp}\nfake: mylib.fakes:twice"),
    remedy="name the backends of the kernel (`CPU`, `CUDA`), or remove the fake and the formula",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report both beside a CompositeImplicitAutograd kernel."""
    if any(kernel.dispatch_key == "CompositeImplicitAutograd" for kernel in op.kernels):
        if op.spec.fake is not None and op.fake != "none":
            yield finding(
                CODE, op, "a composite kernel is traced through: it has no fake kernel", op.spec.fake.locate()
            )
        if isinstance(op.spec.autograd, tuple):
            message = "a composite kernel is differentiated through the ops that it calls: it has no formula"
            yield finding(CODE, op, message, op.spec.keys.get("autograd"))


RULE = Rule(CODE, check)
