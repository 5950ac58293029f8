"""OPG222: a stated tag ``inplace`` or ``out`` on an op with another contract."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.model.tags import CONTRACT_TAGS
from opgen.rules.contract.shape import intended_contract
from opgen.rules.rule import Rule, finding, ops_yaml

CODE = Code(
    id="OPG222",
    name="contract-tag",
    severity=Severity.ERROR,
    summary="The tag `inplace` or `out` is stated for an op with a different contract.",
    why=(
        "The contract is derived from the schema, and its tag with it; PyTorch raises when a tag and a schema do not "
        "fit, and no schema fits both tags (`torch/library.py`)."
    ),
    bad=ops_yaml("scale_(Tensor(a!) x, float factor) -> ()\ntags: [inplace]"),
    good=ops_yaml("scale_(Tensor(a!) x, float factor) -> Tensor(a!)"),
    remedy="remove the tag, which is derived where it applies, or fix the schema",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report stated contract tags other than the one of the op's contract."""
    for tag in op.spec.tags:
        wanted = CONTRACT_TAGS.get(intended_contract(op) or op.contract)  # other rules report why it isn't that
        if tag.value in CONTRACT_TAGS.values() and wanted != tag.value:
            message = f"tag '{tag.value}' is stated, but by its schema the op is {op.contract.value}"
            yield finding(CODE, op, message, tag.locate())


RULE = Rule(CODE, check)
