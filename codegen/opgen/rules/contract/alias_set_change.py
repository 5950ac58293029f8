"""OPG224: alias annotations that only PyTorch's own ops may have: ``(a -> *)``, ``(a|b)``, ``(*)``."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.schema.aliases import WILDCARD, kept_annotations

CODE = Code(
    id="OPG224",
    name="alias-set-change",
    severity=Severity.ERROR,
    summary="An alias annotation has several sets, a change of sets (`->`) or the wildcard `*`.",
    why=(
        "Such sets describe the containers and conditional views of PyTorch's own ops "
        "(`aten/src/ATen/core/alias_info.h`). Custom ops can't use them: functionalisation and the tags expect one "
        "set per argument, and arbitrary aliasing is not supported (the `torch.library` page)."
    ),
    bad=ops_yaml("grow(Tensor(a! -> *) x, Tensor item) -> ()"),
    good=ops_yaml("grow(Tensor(a!) x, Tensor item) -> ()"),
    remedy="give each argument at most one letter",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report every such annotation that PyTorch keeps."""
    for type_ in (value.type for values in (op.schema.arguments, op.schema.returns) for value in values):
        for annotation in kept_annotations(type_):
            if len(annotation.before) > 1 or annotation.after is not None or WILDCARD in annotation.before:
                message = "an annotation of a custom op names one set"
                yield finding(CODE, op, f"{message}; several, `->` and `*` are for PyTorch's own", annotation.span)


RULE = Rule(CODE, check)
