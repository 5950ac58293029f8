"""OPG407: a return of type ``None`` instead of ``()``."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml, repaired, schema_fix
from opgen.schema.aliases import dropped_annotations, kept_annotations
from opgen.schema.types import returns_none

CODE = Code(
    id="OPG407",
    name="none-return",
    severity=Severity.WARNING,
    summary="The empty result is spelled `None`.",
    why=(
        "`-> None` means one return of type `NoneType`, not no return. PyTorch derives the fake kernel of a mutable "
        "op, and compiles it without copies, only if there is no return (`torch/_library/utils.py`)."
    ),
    bad=ops_yaml("scale_(Tensor(a!) x, float factor) -> None\ndispatch: {CPU: python}"),
    good=ops_yaml("scale_(Tensor(a!) x, float factor) -> ()\ndispatch: {CPU: python}"),
    remedy="write `-> ()`",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Look for returns of type ``None``."""
    for result in op.schema.returns:
        if returns_none(result):
            edit = (op.schema.returns_span, "()")
            is_only = len(op.schema.returns) == 1
            schema = repaired(op, edit) if is_only else "`-> ()`"
            # The fix would drop an annotation, as in `None!`, whose intention is unknown.
            is_plain = not any(kept_annotations(result.type)) and not any(dropped_annotations(result.type))
            fix = schema_fix(op, "write `-> ()`", edit) if is_only and is_plain else None
            message = "the result has the type None; no result is spelled ()"
            yield finding(CODE, op, message, result.span, help=f"write {schema}", fix=fix)


RULE = Rule(CODE, check)
