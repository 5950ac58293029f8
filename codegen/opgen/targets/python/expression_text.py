"""Expressions of an author as the formatter leaves them on one line."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping

from opgen.targets.python.layout import py_number, py_string


def expression_text(tree: ast.expr, names: Mapping[str, str]) -> str:
    """Write an expression on one line, names in it replaced by other expressions.

    Args:
        tree: is left as it is.
        names: a name in the tree -> what to write for it: a name, a call, a tuple in parentheses.
    """
    text = ast.unparse(_Renamer(names).visit(copy.deepcopy(tree)))
    for start, end, replacement in sorted(set(_edits(text)), reverse=True):
        text = text[:start] + replacement + text[end:]
    return text


class _Renamer(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


def _edits(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield what the formatter writes otherwise than ``ast.unparse``: quotes, powers, slices, lone generators."""
    # Offsets of nodes count bytes of UTF-8; what is beyond ASCII is escaped first, so that they are those of characters.
    for node in ast.walk(ast.parse(text, mode="eval")):
        match node:
            case ast.Constant(str(value)):
                yield node.col_offset, node.end_col_offset or 0, py_string(value)
            case ast.Constant(float(number)):
                yield node.col_offset, node.end_col_offset or 0, py_number(number)
            case ast.BinOp(left, ast.Pow(), right) if _is_simple_operand(left) and _is_simple_operand(right):
                start = text.index("**", left.end_col_offset or 0)
                yield start - 1, start + 3, "**"
            case ast.Slice(lower, upper) if not all(map(_is_simple_bound, (lower, upper))):
                yield from _spaced_colon(text, node)
            case ast.Call(_, [ast.GeneratorExp() as only], []) if text[only.col_offset - 1] == "(":
                yield only.col_offset, only.col_offset + 1, ""
                yield (only.end_col_offset or 0) - 1, only.end_col_offset or 0, ""


def _is_simple_operand(node: ast.expr) -> bool:
    """Source: ``is_simple_power_operand`` of Ruff's formatter."""
    match node:
        case ast.UnaryOp(ast.USub() | ast.UAdd() | ast.Invert(), ast.Constant(int() | float())):
            return True
        case ast.Attribute(value):
            return _is_simple_operand(value)
        case ast.Constant(int() | float()) | ast.Name():
            return True
    return False


def _is_simple_bound(node: ast.expr | None) -> bool:
    """Source: the E203 section of Black's style page: a colon is an operator beside what is more than a name or number."""
    return node is None or isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Name | ast.Constant)


def _spaced_colon(text: str, node: ast.Slice) -> Iterator[tuple[int, int, str]]:
    lower_end = node.lower.end_col_offset if node.lower else None
    colon = text.index(":", lower_end if lower_end is not None else node.col_offset)
    before, after = " " if node.lower else "", " " if node.upper else ""
    yield colon, colon + 1, f"{before}:{after}"
