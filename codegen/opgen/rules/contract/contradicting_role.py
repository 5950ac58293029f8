"""OPG221: a role (``overwrites``, ``scratch``, ...) that contradicts the schema or another role."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml

CODE = Code(
    id="OPG221",
    name="contradicting-role",
    severity=Severity.ERROR,
    summary="An argument under `overwrites` or `scratch` is not written, or is listed under both.",
    why=(
        "A destination is written completely and never read, and scratch has no meaning before or after the call: "
        "both are written, and no argument is both. The write itself is declared in the schema only."
    ),
    bad=ops_yaml("silu(Tensor(a!) out, Tensor x) -> ()\noverwrites: [out, x]"),
    good=ops_yaml("silu(Tensor(a!) out, Tensor x) -> ()\noverwrites: [out]"),
    remedy="mark the argument with `!` in the schema if the kernel writes it, and give it one role at most",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Compare the roles with the alias annotations, and with each other."""
    overwrites = {name.value for name in op.spec.overwrites}
    for key in ("overwrites", "scratch"):
        for name in getattr(op.spec, key):
            argument = op.argument.get(name.value)
            if argument is not None and not argument.written:
                message = f"`{key}` names '{name.value}', which the schema does not mark as written"
                yield finding(CODE, op, message, name.locate())
            if key == "scratch" and name.value in overwrites:
                yield finding(CODE, op, f"'{name.value}' is both a destination and scratch", name.locate())


RULE = Rule(CODE, check)
