"""OPG513: a reference that can't be evaluated."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.model.python_text import bound_names, parse_expression
from opgen.rules.rule import Rule, did_you_mean, finding, ops_yaml

CODE = Code(
    id="OPG513",
    name="wrong-reference",
    severity=Severity.ERROR,
    summary="The reference is not a Python expression, or uses unknown names.",
    why=(
        "The generated tests evaluate `reference` with the arguments of the op by name, `torch` and Python's builtins, and "
        "nothing else: any other name makes every test that compares results fail."
    ),
    bad=ops_yaml("scale(Tensor x, float factor) -> Tensor\nreference: x * facotr\nfake: none"),
    good=ops_yaml("scale(Tensor x, float factor) -> Tensor\nreference: x * factor\nfake: none"),
    remedy="write an expression over the arguments and `torch`, or name a function, `module:function`",
)


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Parse the reference where it is an expression, and look up its names."""
    reference = op.spec.reference
    if reference is None or re.fullmatch(r"[\w.]+:\w+", reference.value.strip()):
        return
    expression = parse_expression(reference)
    if isinstance(expression, str):
        yield finding(CODE, op, f"the reference {expression}", reference.locate())
        return
    bound, arguments = bound_names(expression.tree), [argument.name for argument in op.arguments]
    known = {*arguments, *bound, "torch", *dir(builtins)}
    for name in ast.walk(expression.tree):
        if isinstance(name, ast.Name) and name.id not in known:
            message = f"the reference names '{name.id}', which is neither an argument nor `torch` nor a builtin"
            choices = [*arguments, *sorted(bound), "torch"]
            yield finding(CODE, op, message, expression.locate(name), help=did_you_mean(name.id, choices))


RULE = Rule(CODE, check)
