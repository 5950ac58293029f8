"""OPG214: an op that returns nothing and writes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.schema.types import returns_none

CODE = Code(
    id="OPG214",
    name="no-effect",
    severity=Severity.ERROR,
    summary="An op returns nothing and declares no write and no side effect.",
    why=(
        "According to its schema it does nothing, so `torch.compile` drops every call (pytorch/pytorch#169141). If "
        "the kernel does write, the write is silently lost."
    ),
    bad=ops_yaml("fill(Tensor dst, float value) -> ()"),
    good=ops_yaml("fill(Tensor(a!) dst, float value) -> ()"),
    remedy="mark what it writes with `!`, or state `side_effects: true`",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report ops without return and write, unless ``side_effects`` is stated."""
    has_results = any(not returns_none(result) for result in op.schema.returns) or op.schema.is_varret
    if has_results or op.written or op.spec.side_effects:
        return
    tensors = [argument.name for argument in op.tensor_arguments]
    mark = f"mark what it writes with `!` (as in `Tensor(a!) {tensors[-1]}`), or " if tensors else ""
    message = "the op returns nothing and declares no write: under torch.compile every call is dropped"
    yield finding(CODE, op, message, help=f"{mark}state `side_effects: true`")


RULE = Rule(CODE, check, reads=frozenset({"side_effects"}))
