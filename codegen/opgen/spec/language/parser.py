"""The parser of ``tensors``, ``dtypes`` and ``checks``, from texts to nodes and diagnostics."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from opgen.diagnostics import Diagnostic
from opgen.source import Span, Text
from opgen.spec.expression import Expression
from opgen.spec.language import codes
from opgen.spec.language.grammar import TENSORS, Start, parse
from opgen.spec.language.mistake import Problem
from opgen.spec.language.tensor_nodes import TensorNodes
from opgen.spec.tensor_spec import Dtype, TensorForm

_DEEPEST = 100


def parse_tensor_form(text: Text) -> tuple[TensorForm | None, list[Diagnostic]]:
    """Parse one entry of ``tensors``; return its tree, or ``None`` after an error, and the diagnostics."""
    return cast("tuple[TensorForm | None, list[Diagnostic]]", _parse("form", text))


def parse_dtype(text: Text) -> tuple[Dtype | None, list[Diagnostic]]:
    """Parse one entry of ``dtypes``; return its tree, or ``None`` after an error, and the diagnostics."""
    return cast("tuple[Dtype | None, list[Diagnostic]]", _parse("dtype", text))


def parse_condition(text: Text) -> tuple[Expression | None, list[Diagnostic]]:
    """Parse a condition of ``checks``; return its tree, or ``None`` after an error, and the diagnostics."""
    return cast("tuple[Expression | None, list[Diagnostic]]", _parse("condition", text))


def _parse(start: Start, text: Text) -> tuple[object, list[Diagnostic]]:
    node, problems = _parse_value(start, text.value)
    found = [Diagnostic(each.code, each.message, text.locate(each.span), each.help) for each in problems]
    return node, found


@lru_cache(maxsize=4096)
def _parse_value(start: Start, value: str) -> tuple[object, tuple[Problem, ...]]:
    """Parse a text without its location, and cached, since large libraries repeat few distinct texts."""
    nodes = TensorNodes()
    part = parse(TENSORS, value, start, nodes)
    if part is None:
        from opgen.spec.language.errors import MISTAKES  # noqa: PLC0415 - only after a mistake
        from opgen.spec.language.explain import explain  # noqa: PLC0415 - imports Lark

        return None, (explain(MISTAKES, start, value),)
    if part.height > _DEEPEST:
        message = f"the text is nested more than {_DEEPEST} levels deep"
        return None, (Problem(codes.TOO_LARGE, message, Span(0, len(value)), codes.TOO_LARGE.remedy),)
    return (None if nodes.problems else part.value), tuple(nodes.problems)
