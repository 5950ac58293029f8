"""OPG210: out arguments that are returned in another order than they are declared."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.contract import returns_argument
from opgen.model.op import Library, Op
from opgen.rules.contract.shape import IRREGULAR, intends_outs
from opgen.rules.rule import Rule, finding, listed, ops_yaml, schema_fix
from opgen.schema.aliases import is_written

CODE = Code(
    id="OPG210",
    name="out-order",
    severity=Severity.ERROR,
    summary="An out= op returns its outs in a different order than it declares them.",
    why=(
        "PyTorch derives the fake kernel and the functional form by position: the i-th return is the i-th out "
        "(`Tag.out`, `torch/library.py`)."
    ),
    bad=ops_yaml("top.out(Tensor x, *, Tensor(a!) values, Tensor(b!) ids) -> (Tensor(b!), Tensor(a!))"),
    good=ops_yaml("top.out(Tensor x, *, Tensor(a!) values, Tensor(b!) ids) -> (Tensor(a!), Tensor(b!))"),
    remedy="return the outs in the order of their declaration",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Compare the order of the written arguments with that of their returns."""
    if not intends_outs(op):
        return
    written = [argument for argument in op.schema.arguments if is_written(argument)]
    returned = [
        argument.name for result in op.schema.returns for argument in written if returns_argument(result, argument)
    ]
    declared = [argument.name for argument in written if argument.name in returned]
    if sorted(returned) == sorted(declared) and returned != declared:
        message = f"the outs are declared as {listed(declared)} but returned as {listed(returned)}"
        text = op.spec.func.value
        written_as = {
            argument.name: text[slice(*result.span)]
            for result in op.schema.returns
            for argument in written
            if returns_argument(result, argument)
        }
        better = f"({', '.join(written_as[name] for name in declared)})"
        fix = None
        if len(declared) == len(op.schema.returns):
            edit = (op.schema.returns_span, better)
            fix = schema_fix(op, "return the outs in their order", edit, applicability="unsafe")
        yield finding(CODE, op, message, op.schema.returns_span, help=f"return `{better}`", fix=fix)


RULE = Rule(CODE, check, contracts=IRREGULAR)
