"""OPG201: a return in an alias set that no argument is in."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.contract.shape import ALIASING
from opgen.rules.marks import without_marks
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.schema.aliases import WILDCARD, alias_sets

CODE = Code(
    id="OPG201",
    name="dangling-alias-set",
    severity=Severity.ERROR,
    summary="A return names an alias set that contains no argument.",
    why=(
        "An annotation on a return says which argument it is. If it refers to no argument, the op is neither "
        "functional nor in-place nor out=: PyTorch refuses to compile it and to register a gradient for it "
        "(`is_functional_schema` in `torch/_library/utils.py`), although its parser accepts it."
    ),
    bad=ops_yaml("scale(Tensor x, float factor) -> Tensor(a)"),
    good=ops_yaml("scale(Tensor x, float factor) -> Tensor"),
    remedy="return a plain `Tensor` if the result is fresh, else put the letter on the argument that is returned",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Look for each set of each return among the arguments."""
    known = frozenset[str]().union(*map(alias_sets, op.schema.arguments))
    for index, result in enumerate(op.schema.returns):
        for name in sorted(alias_sets(result) - known - {WILDCARD}):
            message = f"return {index} is in the alias set '{name}', which no argument is in"
            fix = without_marks(op, result, "return a fresh tensor")
            yield finding(CODE, op, message, result.type.span, fix=fix)


RULE = Rule(CODE, check, contracts=ALIASING)
