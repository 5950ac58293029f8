"""The parser of ``pointwise`` and ``reduce``, from a text to a tree and diagnostics."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from opgen.diagnostics import Diagnostic
from opgen.source import Span, Text
from opgen.spec.kernel_expression import Written
from opgen.spec.kernel_language.kernel_nodes import KernelNodes
from opgen.spec.language import codes
from opgen.spec.language.grammar import Grammar, parse
from opgen.spec.language.mistake import Problem

KERNELS = Grammar(Path(__file__).with_name("kernels.lark"), ("expression",))
_DEEPEST = 100


def parse_kernel_expression(text: Text) -> tuple[Written | None, list[Diagnostic]]:
    """Parse an entry of ``pointwise`` or ``reduce``; return its tree, ``None`` after an error, and the diagnostics."""
    node, problems = _parse(text.value)
    return node, [Diagnostic(each.code, each.message, text.locate(each.span), each.help) for each in problems]


@lru_cache(maxsize=1024)
def _parse(value: str) -> tuple[Written | None, tuple[Problem, ...]]:
    nodes = KernelNodes()
    part = parse(KERNELS, value, "expression", nodes)
    if part is None:
        from opgen.spec.kernel_language.errors import MISTAKES  # noqa: PLC0415 - only after a mistake
        from opgen.spec.language.explain import explain  # noqa: PLC0415 - imports Lark

        return None, (explain(MISTAKES, "expression", value),)
    if part.height > _DEEPEST:
        message = f"the expression is nested more than {_DEEPEST} levels deep"
        return None, (Problem(codes.TOO_LARGE, message, Span(0, len(value)), "give its parts names"),)
    return (None if nodes.problems else part.value), tuple(nodes.problems)
