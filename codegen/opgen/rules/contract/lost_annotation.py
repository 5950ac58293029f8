"""OPG217: an alias annotation that PyTorch reads and drops."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.schema.aliases import dropped_annotations, is_written, kept_annotations
from opgen.schema.nodes import BaseType, ListType, Type
from opgen.schema.types import without_optional

CODE = Code(
    id="OPG217",
    name="lost-annotation",
    severity=Severity.ERROR,
    summary="An alias annotation is at a place that PyTorch ignores.",
    why=(
        "Inside tuples, `Dict`, `Future`, `RRef` and `Union`, annotations are parsed and dropped, and in "
        "`Tensor(a!)[](b)` only the unwritten `(b)` counts (`torch/csrc/jit/frontend/schema_type_parser.cpp`): "
        "PyTorch treats the op as one that does not write."
    ),
    bad=ops_yaml("store((Tensor(a!), int) slot, Tensor x) -> Tensor", head="abi: classic\n"),
    good=ops_yaml("store(Tensor(a!) slot, int index, Tensor x) -> Tensor", head="abi: classic\n"),
    remedy="pass the tensor as an argument of its own, and annotate list elements only: `Tensor(a!)[]`",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report dropped annotations, and writes of elements that the annotation of their list hides."""
    for argument in op.schema.arguments:
        if _has_one_place(argument.type):
            continue
        hidden = () if is_written(argument) else (mark for mark in kept_annotations(argument.type) if mark.is_write)
        for annotation in (*dropped_annotations(argument.type), *hidden):
            message = f"PyTorch does not see this mark: argument '{argument.name}' does not count as written"
            yield finding(CODE, op, message, annotation.span)
    for index, result in enumerate(op.schema.returns):
        for annotation in dropped_annotations(result.type):
            yield finding(CODE, op, f"PyTorch does not see this mark on return {index}", annotation.span)


def _has_one_place(type_: Type) -> bool:
    """Whether a type has only one place for an annotation, as ``Tensor``, ``Tensor?`` and ``Tensor[]``."""
    inner = without_optional(type_)
    if isinstance(inner, ListType) and inner.annotation is None:
        inner = inner.element
    return isinstance(inner, BaseType)


RULE = Rule(CODE, check)
