"""OPG401: ``None`` for an argument that is not optional."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml, schema_fix
from opgen.schema.nodes import ConstantDefault, OptionalType
from opgen.source import Span

CODE = Code(
    id="OPG401",
    name="none-default",
    severity=Severity.ERROR,
    summary="The default is `None`, but the type is not optional.",
    why=(
        "The parser accepts it; if the argument is omitted, a C++ kernel then receives an undefined tensor or fails "
        "an internal assertion, and no caller can pass `None` explicitly."
    ),
    bad=ops_yaml("cut(Tensor x, Tensor mask=None) -> Tensor"),
    good=ops_yaml("cut(Tensor x, Tensor? mask=None) -> Tensor"),
    remedy="append `?` to the type",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report the default ``None`` of a type without ``?``."""
    text = op.spec.func.value
    for argument in op.schema.arguments:
        default = argument.default
        is_none = isinstance(default, ConstantDefault) and default.value is None
        if is_none and not isinstance(argument.type, OptionalType):
            type_ = text[slice(*argument.type.span)]
            message = f"argument '{argument.name}' has the default None, but its type {type_} is not optional"
            remedy = f"make it optional: `{type_}? {argument.name}=None`"
            end = argument.type.span.end
            fix = schema_fix(op, f"make '{argument.name}' optional", (Span(end, end), "?"), applicability="unsafe")
            yield finding(CODE, op, message, argument.span, help=remedy, fix=fix)


RULE = Rule(CODE, check)
