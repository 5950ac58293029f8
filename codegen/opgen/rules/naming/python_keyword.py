"""OPG300: names that are keywords of Python."""

from __future__ import annotations

import keyword
from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml, schema_fix
from opgen.source import Span

CODE = Code(
    id="OPG300",
    name="python-keyword",
    severity=Severity.ERROR,
    summary="An op, overload, argument or return has the name of a Python keyword.",
    why=(
        "An argument called `from` can't be passed by keyword, and an op called `lambda` can't be reached as an "
        "attribute of `torch.ops`. The schema's parser rejects only some of these words "
        "(`torch/csrc/jit/frontend/lexer.h`)."
    ),
    bad=ops_yaml("spread(Tensor x, float from=0.0) -> Tensor"),
    good=ops_yaml("spread(Tensor x, float from_=0.0) -> Tensor"),
    remedy="append an underscore, or choose another name",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Check every name in the schema."""
    name = op.schema.name
    names = [("op", name.name, name.span), ("overload", name.overload, name.span)]
    names += [("argument", argument.name, argument.name_span) for argument in op.schema.arguments]
    names += [("return", result.name or "", result.name_span) for result in op.schema.returns]
    for role, word, span in names:
        if keyword.iskeyword(word):
            message = f"{role} '{word}' has the name of a Python keyword"
            is_taken = any(word_ == f"{word}_" for _, word_, _ in names)
            edit = (Span(span.end, span.end), "_")
            fix = None if is_taken else schema_fix(op, f"call it '{word}_'", edit, applicability="unsafe")
            yield finding(CODE, op, message, span, help=f"call it '{word}_', or choose another name", fix=fix)


RULE = Rule(CODE, check)
