"""Builds the nodes of ``opgen.spec.kernel_expression`` from grammar rules, and checks what a grammar can't."""
# ruff: noqa: D102 - each method is named after the rule of the grammar whose node it builds

from __future__ import annotations

from typing import Any

from opgen.lalr.token import Token
from opgen.source import Span
from opgen.spec import kernel_expression as ke
from opgen.spec.expression import Constant, Name
from opgen.spec.kernel_language.codes import KERNEL_SYNTAX
from opgen.spec.language.mistake import Problem
from opgen.spec.language.numbers import integer

_WORDS = {"TRUE": True, "FALSE": False}


class KernelNodes:
    """Builds the nodes; mistakes that the grammar doesn't catch are collected in ``problems``."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def conditional(self, span: Span, children: list[Any]) -> ke.Conditional:
        then, condition, otherwise = children
        return ke.Conditional(condition, then, otherwise, span)

    def any_of(self, span: Span, children: list[Any]) -> ke.Logical:
        return ke.Logical("or", tuple(children), span)

    def all_of(self, span: Span, children: list[Any]) -> ke.Logical:
        return ke.Logical("and", tuple(children), span)

    def negated(self, span: Span, children: list[Any]) -> ke.Unary:
        return ke.Unary("not", children[0], span)

    def comparison(self, span: Span, children: list[Any]) -> ke.Comparison:
        operators: tuple[Any, ...] = tuple(map(str, children[1::2]))
        return ke.Comparison(operators, tuple(children[::2]), span)

    def binary(self, span: Span, children: list[Any]) -> ke.Binary:
        left, token, right = children
        operator: Any = str(token)
        return ke.Binary(operator, left, right, span)

    def unary(self, span: Span, children: list[Any]) -> ke.Unary:
        operator: Any = str(children[0])
        return ke.Unary(operator, children[1], span)

    def constant(self, span: Span, children: list[Token]) -> Constant:
        token = children[0]
        if token.type in _WORDS:
            return Constant(_WORDS[token.type], span)
        if token.type == "INT":
            return Constant(integer(token, self.problems), span)
        if token.type == "FLOAT":
            return Constant(float(token), span)
        remedy = "write `not given(x)` for an argument that is None"
        if token.type == "STRING":
            remedy = "choose by a `bool` or an `int` argument"
        self._refuse(span, f"expected a number or a truth value, found {token}", remedy)
        return Constant(0, span)

    def name(self, span: Span, children: list[Token]) -> Name:
        return Name(str(children[0]), span)

    def slice(self, span: Span, children: list[Any]) -> ke.Slice:
        tensor, *subscripts = children
        last = subscripts[-1]
        start, stop = last if isinstance(last, tuple) else (None, None)
        if not (len(subscripts) == 2 and subscripts[0] is ... and isinstance(last, tuple)):  # noqa: PLR2004 - `...` and one
            remedy = f"write `{tensor}[..., a:b]`, a part along the last dim"
            if not isinstance(last, tuple):
                remedy += "; an element is read at the same place as all others, by the names of the dims"
            self._refuse(span, f"expected a slice of the last dim of '{tensor}', after '...'", remedy)
        return ke.Slice(str(tensor), start, stop, span)

    def ellipsis(self, _span: Span, _children: list[Any]) -> Any:
        return ...

    def range(self, _span: Span, children: list[Any]) -> tuple[Any, ...]:
        return tuple(children)

    def call(self, span: Span, children: list[Any]) -> ke.Call:
        token, *arguments = children
        return ke.Call(str(token), tuple(arguments), span, Span(token.start_pos, token.end_pos))

    def pack(self, span: Span, children: list[Token]) -> ke.Pack:
        return ke.Pack(str(children[1]), span)

    def keyword(self, span: Span, children: list[Any]) -> ke.Keyword:
        return ke.Keyword(str(children[0]), children[1], span)

    def _refuse(self, span: Span, message: str, remedy: str) -> None:
        self.problems.append(Problem(KERNEL_SYNTAX, message, span, remedy))
