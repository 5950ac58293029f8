"""OPG207: a written argument that is returned as in an out= op, but is positional."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.contract.shape import IRREGULAR, intends_outs, returned_arguments
from opgen.rules.rule import Rule, finding, ops_yaml, repaired, schema_fix
from opgen.source import Span

CODE = Code(
    id="OPG207",
    name="out-positional",
    severity=Severity.ERROR,
    summary="A written argument is returned although it is neither the first argument nor keyword-only.",
    why=(
        "Only two kinds of op may return what they write: an in-place op its first argument, and an out= op its "
        "keyword-only arguments. `torch.compile` rejects everything else: a mutable op must not return mutated "
        'inputs or aliases of inputs ("Choosing the kind of custom op", the `torch.library` page).'
    ),
    bad=ops_yaml("fuse(Tensor x, Tensor(a!) out) -> Tensor(a!)"),
    good=ops_yaml("fuse.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)"),
    remedy="put it behind a `*`, or return `()`",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report the returned arguments before the ``*``."""
    if not intends_outs(op):
        return
    positional = [argument for argument in returned_arguments(op) if not argument.kwarg_only]
    for argument in positional:
        start = positional[0].span.start
        yield finding(
            CODE,
            op,
            f"argument '{argument.name}' is written and returned, but neither the first argument nor keyword-only",
            argument.span,
            help=(
                f"put it behind a `*`: {repaired(op, (Span(start, start), '*, '))}; "
                "or return `()` and leave it where it is"
            ),
            fix=schema_fix(op, "put the outs behind a `*`", (Span(start, start), "*, "), applicability="unsafe"),
        )


RULE = Rule(CODE, check, contracts=IRREGULAR)
