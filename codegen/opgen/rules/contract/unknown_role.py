"""OPG220: a role for an argument that doesn't exist."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, did_you_mean, finding, listed, ops_yaml, spelling_fix

CODE = Code(
    id="OPG220",
    name="unknown-role",
    severity=Severity.ERROR,
    summary="`overwrites`, `scratch` or `may_overlap` names something that is not a tensor argument of the op.",
    why="Roles decide what is poisoned in tests, allocated for derived forms, and checked for overlap.",
    bad=ops_yaml("silu(Tensor! out, Tensor x) -> ()\noverwrites: [output]"),
    good=ops_yaml("silu(Tensor! out, Tensor x) -> ()\noverwrites: [out]"),
    remedy="name tensor arguments of the schema",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Look each name up among the arguments."""
    stated = [(key, name) for key in ("overwrites", "scratch", "may_overlap") for name in getattr(op.spec, key)]
    if not stated:
        return
    tensors = [argument.name for argument in op.tensor_arguments]
    choices = f"its tensor arguments are {listed(tensors)}" if tensors else "it has none"
    for key, name in stated:
        if name.value not in tensors:
            message = f"`{key}` names '{name.value}', which is no tensor argument of the op"
            remedy = did_you_mean(name.value, tensors, choices)
            yield finding(CODE, op, message, name.locate(), help=remedy, fix=spelling_fix(name, tensors))


RULE = Rule(CODE, check)
