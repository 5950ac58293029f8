"""OPG305: a name with an underscore at its end, which promises an in-place op, on an op that is none."""

from __future__ import annotations

import keyword
from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml

CODE = Code(
    id="OPG305",
    name="underscore-name",
    severity=Severity.WARNING,
    summary="The name ends in an underscore, but the op writes nothing.",
    why=(
        "A trailing underscore means in-place to every reader of PyTorch code, and to `torch._library._out_variant`, "
        "which does not treat such an op as functional."
    ),
    bad=ops_yaml("scale_(Tensor x, float factor) -> Tensor"),
    good=ops_yaml("scale(Tensor x, float factor) -> Tensor"),
    remedy="drop the underscore, or mark what the op writes with `!`",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Compare the name with the contract; an underscore behind a Python keyword (``del_``) has another reason."""
    name = op.name
    says_inplace = name.endswith("_") and not name.endswith("__") and not keyword.iskeyword(name[:-1])
    if says_inplace and op.contract in {Contract.FUNCTIONAL, Contract.VIEW} and op.schema.returns:
        message = f"'{name}' ends in an underscore, as in-place ops do, but no argument is marked written"
        yield finding(CODE, op, message, op.schema.name.span)


RULE = Rule(CODE, check)
