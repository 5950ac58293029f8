"""Writes an author's Python expression (a formula, a reference) on one line, as ``ruff format`` would."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping

from opgen.targets.python.layout import py_number, py_string


def expression_text(tree: ast.expr, names: Mapping[str, str]) -> str:
    """Write an expression on one line, with names replaced by other expressions.

    Args:
        tree: the expression; it is not changed.
        names: name in the tree -> its replacement: a name, a call, or a tuple in parentheses.
    """
    code = ast.unparse(_Renamer(names).visit(copy.deepcopy(tree))).encode()  # `col_offset` counts bytes of UTF-8
    for start, end, replacement in sorted(set(_edits(code)), reverse=True):
        code = code[:start] + replacement.encode() + code[end:]
    return code.decode()


class _Renamer(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


def _edits(code: bytes) -> Iterator[tuple[int, int, str]]:
    """Yield edits (start, end, text) where the formatter differs from ``ast.unparse``: quotes, powers, slices."""
    for node in ast.walk(ast.parse(code, mode="eval")):
        match node:
            case ast.Constant(str(value)):
                yield node.col_offset, node.end_col_offset or 0, py_string(value)
            case ast.Constant(float(number)):
                yield node.col_offset, node.end_col_offset or 0, py_number(number)
            case ast.BinOp(left, ast.Pow(), right) if _is_simple_operand(left) and _is_simple_operand(right):
                start = code.index(b"**", left.end_col_offset or 0)
                yield start - 1, start + 3, "**"
            case ast.Slice(lower, upper) if not all(map(_is_simple_bound, (lower, upper))):
                yield from _spaced_colon(code, node)
            case ast.Call(_, [ast.GeneratorExp() as only], []) if code[only.col_offset - 1 :].startswith(b"("):
                yield only.col_offset, only.col_offset + 1, ""
                yield (only.end_col_offset or 0) - 1, only.end_col_offset or 0, ""


def _is_simple_operand(node: ast.expr) -> bool:
    """Source: ``is_simple_power_operand`` of Ruff's formatter; ``ast.unparse`` puts ``-1`` between parentheses."""
    match node:
        case ast.Attribute(value):
            return _is_simple_operand(value)
        case ast.Constant(int() | float()) | ast.Name():
            return True
    return False


def _is_simple_bound(node: ast.expr | None) -> bool:
    """Source: "Slices" in Black's code style: a colon beside anything but a name or number is spaced as an operator."""
    return node is None or isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Name | ast.Constant)


def _spaced_colon(code: bytes, node: ast.Slice) -> Iterator[tuple[int, int, str]]:
    lower_end = node.lower.end_col_offset if node.lower else None
    colon = code.index(b":", lower_end if lower_end is not None else node.col_offset)
    before, after = " " if node.lower else "", " " if node.upper else ""
    yield colon, colon + 1, f"{before}:{after}"
