"""OPG480: an argument that an op with expressions does not use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.source import Text

CODE = Code(
    id="OPG480",
    name="unused-argument",
    severity=Severity.INFO,
    summary="An argument of an op with `pointwise` or `reduce` is used by neither its expressions nor its contract.",
    why=(
        "An expression is the whole kernel: an argument that it does not name has no effect, which a caller who "
        "passes it can't see. It may be a typo, or kept for the sake of other callers."
    ),
    bad=ops_yaml("scale(Tensor x, float by, float shift) -> Tensor\nautograd: none\npointwise: x * by"),
    good=ops_yaml("scale(Tensor x, float by, float shift) -> Tensor\nautograd: none\npointwise: x * by + shift"),
    remedy="use it, or leave it out",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Report arguments that neither expressions nor formulas, checks or the contract of other tensors mention."""
    if op.program is None:
        return
    entries = {entry.key.value: _words([entry.text]) for entry in op.spec.tensors}
    texts = [entry.text for entry in (*op.spec.reduce, *op.spec.pointwise)]
    texts += (entry.text for entry in op.spec.checks)
    texts += (each.formula for each in (op.spec.autograd if isinstance(op.spec.autograd, tuple) else ()))
    told = _words(texts)
    for argument in op.schema.arguments:
        others = {key: words for key, words in entries.items() if key != argument.name}
        known = set[str]().union(*(words for key, words in others.items() if key in op.argument))
        # The argument's own contract may bind sizes that are used elsewhere and bound nowhere else.
        binds = (entries.get(argument.name, set()) - known) & told.union(*others.values())
        is_named = argument.name in told.union(*others.values()) or op.argument[argument.name].written
        if not is_named and not binds:
            yield finding(CODE, op, f"nothing uses argument '{argument.name}'", argument.span)


def _words(texts: Iterable[Text]) -> set[str]:
    return {word for text in texts for word in re.findall(r"[A-Za-z_]\w*", text.value)}


RULE = Rule(CODE, check, reads=frozenset({"tensors", "checks", "pointwise", "reduce", "autograd"}))
