"""Checks calls of the library's own ops in formulas against their schemas."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from opgen.model.gradients.nodes import Formula, OpCall
from opgen.model.op import Op


def call_mistakes(formula: Formula, ops: dict[str, Op]) -> Iterator[tuple[ast.expr, str]]:
    """Yield the node of each mistake with its message.

    Args:
        formula: the formula, its names resolved.
        ops: the ops of the library by qualified name.
    """
    for node in ast.walk(formula.tree):
        if isinstance(node, ast.Call) and (op := _called(node, formula, ops)) is not None:
            yield from ((node, mistake) for mistake in _misfits(node, op))
    count, wanted = _results(formula, ops), len(formula.arguments)
    if count is not None and count != wanted:
        yield (
            formula.tree,
            f"{count} gradient{'' if count == 1 else 's'} for {wanted} argument{'' if wanted == 1 else 's'}",
        )


def _called(node: ast.Call, formula: Formula, ops: dict[str, Op]) -> Op | None:
    meaning = formula.names.get(node.func.id) if isinstance(node.func, ast.Name) else None
    return ops[meaning.op] if isinstance(meaning, OpCall) else None


def _results(formula: Formula, ops: dict[str, Op]) -> int | None:
    """Return the number of gradients that a formula returns, ``None`` if it isn't known."""
    tree = formula.tree
    if isinstance(tree, ast.Tuple) and not any(isinstance(each, ast.Starred) for each in tree.elts):
        return len(tree.elts)
    op = _called(tree, formula, ops) if isinstance(tree, ast.Call) else None
    return None if op is None else len(op.outputs)


def _misfits(call: ast.Call, op: Op) -> Iterator[str]:
    if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
        return
    positional = [argument.name for argument in op.arguments if not argument.kwarg_only]
    if len(call.args) > len(positional):
        yield f"{op.qualified_name} takes {len(positional)} positional arguments, and is given {len(call.args)}"
        return
    keywords = [keyword.arg or "" for keyword in call.keywords]
    given = {*positional[: len(call.args)], *keywords}
    unknown = [name for name in keywords if name not in op.argument]
    missing = [argument.name for argument in op.arguments if argument.default is None and argument.name not in given]
    if unknown:
        yield f"{op.qualified_name} has no argument '{unknown[0]}'"
    elif missing:
        names = " and ".join(f"'{name}'" for name in missing)
        yield f"{op.qualified_name} needs {names}"
