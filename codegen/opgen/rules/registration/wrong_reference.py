"""OPG513: a reference that can't be evaluated."""

from __future__ import annotations

import ast
import builtins
import re
import warnings
from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, did_you_mean, finding, ops_yaml
from opgen.source import Span

CODE = Code(
    id="OPG513",
    name="wrong-reference",
    severity=Severity.ERROR,
    summary="The reference is no Python expression, or names what it can't know.",
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
    # In parentheses, as the tests evaluate it, so that it may go over several lines.
    code = f"({reference.value}\n)".replace("\r", " ")
    try:
        nodes = list(ast.walk(_parse(code)))
    except SyntaxError as error:
        yield finding(CODE, op, f"the reference is no Python expression: {error.msg}", reference.locate())
        return
    except (ValueError, RecursionError, MemoryError):
        yield finding(CODE, op, "Python can't read the reference: it is nested too deeply", reference.locate())
        return
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    arguments = [argument.name for argument in op.arguments]
    known = {*arguments, *bound, "torch", *dir(builtins)}
    for name in names:
        if name.id not in known:
            message = f"the reference names '{name.id}', which is neither an argument nor `torch` nor a builtin"
            place = reference.locate(_span(name, code))
            yield finding(CODE, op, message, place, help=did_you_mean(name.id, [*arguments, *sorted(bound), "torch"]))


def _parse(code: str) -> ast.Expression:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(code, mode="eval")


def _span(name: ast.Name, code: str) -> Span:
    """Return the place of a name in the reference; Python counts lines, and bytes of UTF-8 in a line."""
    lines = code.split("\n")
    line_start = sum(len(line) + 1 for line in lines[: name.lineno - 1]) - len("(")
    line = lines[name.lineno - 1].encode()
    start, end = (len(line[:offset].decode()) for offset in (name.col_offset, name.end_col_offset))
    return Span(line_start + start, line_start + end)


RULE = Rule(CODE, check)
