"""Parses Python expressions in ``ops.yaml``: ``reference``, and the formulas of ``autograd``."""

from __future__ import annotations

import ast
import warnings

from opgen.records import dataclass
from opgen.source import Location, Span, Text


@dataclass(frozen=True)
class PythonExpression:
    """A text that is a Python expression, and its tree.

    Attributes:
        text: the text in ``ops.yaml``.
        tree: the expression. It was parsed from ``_code``, in which ``text`` begins at the offset ``_before``.
    """

    text: Text
    tree: ast.expr
    _code: str
    _before: int

    def span(self, node: ast.expr) -> Span:
        """Return the span of a node in the text, converted from lines and UTF-8 byte columns as ``ast`` counts them."""
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return Span(self._offset(node.lineno, node.col_offset), self._offset(end_line, end_column))

    def locate(self, node: ast.expr) -> Location:
        """Return the place of a node in its file."""
        return self.text.locate(self.span(node))

    def _offset(self, line: int, column: int) -> int:
        lines = self._code.split("\n")
        start = sum(len(each) + 1 for each in lines[: line - 1])
        return start + len(lines[line - 1].encode()[:column].decode()) - self._before


def parse_expression(text: Text) -> PythonExpression | str:
    """Parse a text, perhaps of several lines, as an expression; return the syntax error's message if it is none."""
    # In parentheses, so that it may span several lines.
    code = f"({text.value}\n)".replace("\r", " ")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code, mode="eval")
    except SyntaxError as error:
        return f"is no Python expression: {error.msg}"
    except (ValueError, RecursionError, MemoryError):
        return "can't be read by Python: it is nested too deeply"
    return PythonExpression(text, tree.body, code, len("("))


def bound_names(tree: ast.expr) -> frozenset[str]:
    """Return the names that an expression binds itself: the variables of comprehensions, the parameters of lambdas."""
    nodes = list(ast.walk(tree))
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return frozenset(stored | {node.arg for node in nodes if isinstance(node, ast.arg)})
