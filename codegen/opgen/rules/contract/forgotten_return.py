"""OPG225: a return that lacks the annotation of the in-place argument: ``add_(Tensor(a!) x, ...) -> Tensor``."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.contract.shape import MUTABLE
from opgen.rules.rule import Rule, finding, ops_yaml, repaired, schema_fix
from opgen.schema.aliases import alias_sets, is_written
from opgen.schema.nodes import Argument, Return
from opgen.schema.types import is_plain_tensor
from opgen.source import Span

CODE = Code(
    id="OPG225",
    name="forgotten-return",
    severity=Severity.WARNING,
    summary="An op is named like an in-place op and writes its first argument, but returns another tensor.",
    why=(
        "A `Tensor` without a letter is fresh, so this is a mutable op whose result may not be its argument. By "
        "PyTorch's naming convention a trailing `_` promises to return the argument itself, which requires the "
        "annotation on the return (`Tag.inplace`, `torch/library.py`)."
    ),
    bad=ops_yaml("add_(Tensor(a!) x, Tensor y) -> Tensor"),
    good=ops_yaml("add_(Tensor(a!) x, Tensor y) -> Tensor(a!)"),
    remedy="return the argument, `-> Tensor(a!)`, or take the `_` off the name",
)

_RENAME = "take the `_` off the name: an op that writes several arguments is a mutable one"


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report mutable ops that have one result and the name of an in-place op."""
    name, arguments, returns = op.schema.name.name, op.schema.arguments, op.schema.returns
    sounds_inplace = name.endswith("_") and not name.endswith("__")
    if not sounds_inplace or len(returns) != 1:
        return
    (first, *others), (result,) = arguments, returns
    is_inplace = is_written(first) and not first.kwarg_only and is_plain_tensor(first.type)
    if is_inplace and is_plain_tensor(result.type):
        message = f"'{name}' ends in '_' and writes '{first.name}', but its result is not '{first.name}'"
        if any(map(is_written, others)):  # an in-place op writes no other argument
            yield finding(CODE, op, message, result.type.span, help=_RENAME)
            return
        edits = _edits(op, first, result)
        help_ = f"write {repaired(op, *edits)}, or take the `_` off the name"
        fix = schema_fix(op, f"return '{first.name}'", *edits, applicability="unsafe")
        yield finding(CODE, op, message, result.type.span, help=help_, fix=fix)


def _edits(op: Op, first: Argument, result: Return) -> tuple[tuple[Span, str], ...]:
    """Return the edits that give argument and return the same annotation; a bare `!` can't be repeated."""
    type_ = op.spec.func.value[slice(*first.type.span)] if alias_sets(first) else "Tensor(a!)"
    return (first.type.span, type_), (result.type.span, type_)


RULE = Rule(CODE, check, contracts=MUTABLE)
