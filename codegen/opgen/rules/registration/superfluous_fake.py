"""OPG501: a fake kernel for an op that returns nothing fresh, which needs none."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml

CODE = Code(
    id="OPG501",
    name="superfluous-fake",
    severity=Severity.WARNING,
    summary="A fake kernel is given for an op whose schema already determines what it returns.",
    why=(
        "In-place and out= ops return their arguments, and some ops return nothing, so the fake kernel follows from "
        "the schema (`can_generate_trivial_fake_impl` in `torch/_library/utils.py`). A separate one is allowed (the "
        "`torch.library` page), but can only disagree with the schema."
    ),
    bad=ops_yaml("scale_(Tensor(a!) x, float factor) -> Tensor(a!)\nfake: mylib.fakes:scale_"),
    good=ops_yaml("scale_(Tensor(a!) x, float factor) -> Tensor(a!)"),
    remedy="remove `fake`",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report a fake kernel beside a schema without fresh returns."""
    follows = op.contract in {Contract.INPLACE, Contract.OUT} or (bool(op.written) and not op.outputs)
    if op.spec.fake is not None and op.fake != "none" and follows:
        message = (
            f"the fake kernel of an op that is {op.contract.value} and returns nothing fresh follows from its schema"
        )
        yield finding(CODE, op, message, op.spec.fake.locate())


RULE = Rule(CODE, check)
