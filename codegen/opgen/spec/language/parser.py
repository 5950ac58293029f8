"""The parser of the text language: texts in, nodes and diagnostics out."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias, cast

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from opgen.diagnostics import Diagnostic
from opgen.source import Span, Text
from opgen.spec.expression import Expression
from opgen.spec.language import codes
from opgen.spec.language.explain import explain
from opgen.spec.language.expression_nodes import Problem
from opgen.spec.language.tensor_nodes import TensorNodes
from opgen.spec.tensor_spec import Dtype, TensorForm

Start: TypeAlias = Literal["form", "dtype", "condition"]

_DEEPEST = 100


def parse_tensor_form(text: Text) -> tuple[TensorForm | None, list[Diagnostic]]:
    """Read one entry of ``tensors``; ``None`` where a diagnostic says why."""
    return cast("tuple[TensorForm | None, list[Diagnostic]]", _parse("form", text))


def parse_dtype(text: Text) -> tuple[Dtype | None, list[Diagnostic]]:
    """Read a dtype alone, an entry of ``dtypes``; ``None`` where a diagnostic says why."""
    return cast("tuple[Dtype | None, list[Diagnostic]]", _parse("dtype", text))


def parse_condition(text: Text) -> tuple[Expression | None, list[Diagnostic]]:
    """Read a condition of ``checks``; ``None`` where a diagnostic says why."""
    return cast("tuple[Expression | None, list[Diagnostic]]", _parse("condition", text))


def _parse(start: Start, text: Text) -> tuple[object, list[Diagnostic]]:
    node, problems = _parse_value(start, text.value)
    found = [Diagnostic(each.code, each.message, text.locate(each.span), each.help) for each in problems]
    return node, found


@lru_cache(maxsize=4096)
def _parse_value(start: Start, value: str) -> tuple[object, tuple[Problem, ...]]:
    """Parse by value: large libraries repeat few distinct texts, and nodes only hold offsets in them."""
    try:
        tree = grammar().parse(value, start=start)
    except UnexpectedInput as error:
        return None, (explain(grammar(), value, error),)
    if _depth(tree) > _DEEPEST:
        message = f"the text is nested more than {_DEEPEST} levels deep"
        return None, (Problem(codes.TOO_LARGE, message, Span(0, len(value)), codes.TOO_LARGE.remedy),)
    transformer = TensorNodes()
    node = transformer.transform(tree)
    return (None if transformer.problems else node), tuple(transformer.problems)


@lru_cache(maxsize=1)
def grammar() -> Lark:
    """Return the grammar, compiled on first use."""
    text = files("opgen.spec.language").joinpath("tensors.lark").read_text("utf-8")
    return Lark(text, parser="lalr", start=["form", "dtype", "condition"], propagate_positions=True)


def _depth(tree: Tree[Token]) -> int:
    """Return the height of a tree, without recursion."""
    level: list[Any] = [tree]
    height = 0
    while level:
        level = [child for node in level if isinstance(node, Tree) for child in node.children]
        height += 1
    return height
