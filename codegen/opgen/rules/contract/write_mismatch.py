"""OPG203: a return and an argument in one alias set of which only one is marked as written."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Fix, Severity
from opgen.model.op import Library, Op
from opgen.rules.contract.shape import ALIASING
from opgen.rules.rule import Rule, finding, ops_yaml, schema_fix
from opgen.schema.aliases import aliased_arguments, is_written, kept_annotations
from opgen.schema.nodes import Argument, Return
from opgen.source import Span

CODE = Code(
    id="OPG203",
    name="write-mismatch",
    severity=Severity.ERROR,
    summary="A return has the letter of an argument, but only one of the two has a `!`.",
    why=(
        "An in-place or out= return repeats the annotation of its argument exactly; with the `!` on one side only "
        "PyTorch refuses the tag (`torch/library.py`), and the compiler reads the return as a view."
    ),
    bad=ops_yaml("rotate_(Tensor(a!) x, float angle) -> Tensor(a)"),
    good=ops_yaml("rotate_(Tensor(a!) x, float angle) -> Tensor(a!)"),
    remedy="write `(a!)` on both sides, or return nothing",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Compare each return with the arguments in its alias sets."""
    for index, result in enumerate(op.schema.returns):
        partners = aliased_arguments(op.schema, result)
        if any(is_written(partner) == is_written(result) for partner in partners):
            continue
        for partner in partners:
            if is_written(partner):
                message = f"argument '{partner.name}' is written, but return {index}, which is in its set, has no `!`"
                yield finding(CODE, op, message, result.type.span, fix=_mark(op, result))
            else:
                message = f"return {index} is written, but argument '{partner.name}', which is in its set, has no `!`"
                yield finding(CODE, op, message, partner.type.span, fix=_mark(op, partner))


def _mark(op: Op, item: Argument | Return) -> Fix | None:
    """Add the ``!`` to an annotation with a single set; ``None`` for others."""
    place = kept_annotations(item.type)[0].span
    text = op.spec.func.value[slice(*place)]
    end = place.end - 1
    return schema_fix(op, "add the `!`", (Span(end, end), "!"), applicability="unsafe") if "->" not in text else None


RULE = Rule(CODE, check, contracts=ALIASING)
