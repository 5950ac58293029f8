"""OPG202: a return ``Tensor!``, which names no alias set and so is no argument."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Fix, Severity
from opgen.model.op import Library, Op
from opgen.rules.contract.shape import ALIASING
from opgen.rules.rule import Rule, finding, ops_yaml, schema_fix
from opgen.schema.aliases import alias_sets, is_written, kept_annotations
from opgen.schema.nodes import Argument, Return

CODE = Code(
    id="OPG202",
    name="bare-write-return",
    severity=Severity.ERROR,
    summary="A return is marked with a bare `!`, which refers to no argument.",
    why=(
        "Each bare `!` is an alias set of its own, so `Tensor! x -> Tensor!` returns something that is not `x`. Such a "
        "schema satisfies neither `Tag.inplace` nor `Tag.out` (`torch/library.py`) and does not compile."
    ),
    bad=ops_yaml("scale_(Tensor! x, float factor) -> Tensor!"),
    good=ops_yaml("scale_(Tensor(a!) x, float factor) -> Tensor(a!)"),
    remedy="name the set on both sides: `Tensor(a!) x` and `-> Tensor(a!)`",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report written returns without an alias set."""
    written = [argument for argument in op.schema.arguments if is_written(argument)]
    for index, result in enumerate(op.schema.returns):
        if is_written(result) and not alias_sets(result):
            argument = written[index].name if index < len(written) else "x"
            fix = _fix(op, written[index], result) if len(written) == len(op.schema.returns) == 1 else None
            yield finding(
                CODE,
                op,
                f"return {index} is marked by a bare `!`, a set of its own that no argument can be in",
                result.type.span,
                help=f"name the set on both sides: `Tensor(a!) {argument}` and `-> Tensor(a!)`",
                fix=fix,
            )


def _fix(op: Op, argument: Argument, result: Return) -> Fix | None:
    """Write one alias set on argument and return: the argument's, if it has one."""
    there, here = (next(iter(kept_annotations(one.type))) for one in (argument, result))
    text = op.spec.func.value
    mark = text[slice(*there.span)] if there.before else "(a!)"
    return schema_fix(op, "name the set on both sides", (there.span, mark), (here.span, mark), applicability="unsafe")


RULE = Rule(CODE, check, contracts=ALIASING)
