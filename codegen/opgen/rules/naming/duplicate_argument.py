"""OPG301: two arguments of one name."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.schema.nodes import Argument

CODE = Code(
    id="OPG301",
    name="duplicate-argument",
    severity=Severity.ERROR,
    summary="Two arguments have the same name.",
    why=(
        "Only the first can be passed by keyword, and no Python or C++ function can have such a signature. PyTorch's "
        "parser accepts it; DeepSpeed's schemas had it for years (deepspeedai/DeepSpeed#7596)."
    ),
    bad=ops_yaml("offload(Tensor x, int rank, int rank) -> Tensor"),
    good=ops_yaml("offload(Tensor x, int rank, int world_size) -> Tensor"),
    remedy="rename one of them",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report every later argument of a name."""
    first: dict[str, Argument] = {}
    for argument in op.schema.arguments:
        earlier = first.setdefault(argument.name, argument)
        if earlier is not argument:
            note = Note("first declared here", op.spec.func.locate(earlier.name_span))
            message = f"argument '{argument.name}' is declared twice"
            yield finding(CODE, op, message, argument.name_span, notes=(note,))


RULE = Rule(CODE, check)
