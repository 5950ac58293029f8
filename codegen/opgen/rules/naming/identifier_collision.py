"""OPG303: two ops that need the same file and function names."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml

CODE = Code(
    id="OPG303",
    name="identifier-collision",
    severity=Severity.ERROR,
    summary="Two ops get the same name in kernels and files.",
    why=(
        "The kernel and all generated files of an op are called `name_overload`, without namespace: `f.out` and "
        "`f_out` would overwrite each other. Not every file system distinguishes letter case."
    ),
    bad=ops_yaml(
        "quant.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
        "quant_out(Tensor x, Tensor(a!) out) -> ()",
    ),
    good=ops_yaml(
        "quant.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
        "quant_into(Tensor x, Tensor(a!) out) -> ()",
    ),
    remedy="rename one of the ops, or its overload",
)


def check(op: Op, library: Library) -> Iterator[Diagnostic]:
    """Compare an op with those before it; equal qualified names are reported when the file is read."""
    for other in library.by_identifier[op.identifier.lower()]:
        if other is op:
            return
        if other.qualified_name != op.qualified_name:
            note = Note(f"{other.qualified_name} is here", other.location)
            message = (
                f"{op.qualified_name} and {other.qualified_name} are both called '{op.identifier}' in kernels and files"
            )
            yield finding(CODE, op, message, op.schema.name.span, notes=(note,))


RULE = Rule(CODE, check, judges_derived=True)
