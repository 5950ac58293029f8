"""OPG509: a tag that PyTorch does not know."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.model.tags import KNOWN_TAGS
from opgen.rules.rule import Rule, did_you_mean, finding, ops_yaml, spelling_fix

CODE = Code(
    id="OPG509",
    name="unknown-tag",
    severity=Severity.ERROR,
    summary="`tags` names something that is not a member of `torch.Tag`.",
    why="A tag that does not exist changes nothing, while its author relies on it (`aten/src/ATen/native/tags.yaml`).",
    bad=ops_yaml("relu(Tensor x) -> Tensor\ntags: [pointwize]"),
    good=ops_yaml("relu(Tensor x) -> Tensor\ntags: [pointwise]"),
    remedy="use a member of `torch.Tag`",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Look each stated tag up."""
    for tag in op.spec.tags:
        if tag.value not in KNOWN_TAGS:
            help_ = did_you_mean(tag.value, sorted(KNOWN_TAGS))
            yield finding(
                CODE,
                op,
                f"torch.Tag has no member '{tag.value}'",
                tag.locate(),
                help=help_,
                fix=spelling_fix(tag, sorted(KNOWN_TAGS)),
            )


RULE = Rule(CODE, check)
