"""OPG510: a functional op and an out= op that PyTorch won't recognise as a pair (``to_out_variant``)."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml, schema_fix
from opgen.words import counted

CODE = Code(
    id="OPG510",
    name="unpaired-out",
    severity=Severity.WARNING,
    summary="PyTorch does not recognise an out= op as the out= form of its functional op.",
    why=(
        "Inductor and ExecuTorch look among the overloads of the functional op for equal inputs by name, type and "
        "default, and for as many outs as results (`to_out_variant` in `torch/_library/_out_variant.py`)."
    ),
    bad=ops_yaml(
        "quant(Tensor x, float scale=1.0) -> Tensor",
        "quant_out(Tensor x, float scale=1.0, *, Tensor(a!) out) -> Tensor(a!)",
    ),
    good=ops_yaml(
        "quant(Tensor x, float scale=1.0) -> Tensor",
        "quant.out(Tensor x, float scale=1.0, *, Tensor(a!) out) -> Tensor(a!)",
    ),
    remedy="make it the overload `.out`, with the inputs of the functional op",
)


def check(op: Op, library: Library) -> Iterator[Diagnostic]:
    """Compare each out= op with the functional op of the same name."""
    if op.contract is not Contract.OUT:
        return
    names = dict.fromkeys((op.name, op.name.removesuffix("_out")))
    family = (other for name in names for other in library.overloads.get(f"{op.namespace}::{name}", ()))
    functional = [other for other in family if other.contract is Contract.FUNCTIONAL]
    differences = {other.qualified_name: _difference(op, other) for other in functional}
    if not functional or not all(differences.values()):
        return
    overload = op.overload.removesuffix("out").removesuffix("_")
    closest = next((other for other in functional if other.overload == overload), functional[0])
    message = f"PyTorch does not take this for the out= form of {closest.qualified_name}"
    note = Note("the functional op is here", closest.location)
    fix = None
    if op.name != closest.name and not op.overload and op.schema.name.namespace is None:
        overload = f"{closest.name}.out"
        title = f"make it the overload '{overload}'"
        fix = schema_fix(op, title, (op.schema.name.span, overload), applicability="unsafe")
    yield finding(CODE, op, f"{message}: {differences[closest.qualified_name]}", notes=(note,), fix=fix)


def _difference(op: Op, functional: Op) -> str:
    """Return why an out= op is not the out= form of a functional op; empty if it is."""
    if op.name != functional.name:
        return f"it must be the overload `{functional.name}.out`, not an op of another name"
    inputs = {argument.name: argument for argument in op.arguments if not argument.written}
    for argument in functional.arguments:
        mine = inputs.get(argument.name)
        if mine is None:
            return f"it lacks the input '{argument.name}'"
        if (mine.type, mine.default) != (argument.type, argument.default):
            return f"input '{argument.name}' has another {'type' if mine.type != argument.type else 'default'}"
    if list(inputs) != [argument.name for argument in functional.arguments]:
        others = [name for name in inputs if name not in functional.argument]
        return f"it has another input, '{others[0]}'" if others else "its inputs are in another order"
    if len(op.outputs) != len(functional.outputs):
        return f"it has {counted(len(op.outputs), 'out')} for {counted(len(functional.outputs), 'result')}"
    return ""


RULE = Rule(CODE, check)
