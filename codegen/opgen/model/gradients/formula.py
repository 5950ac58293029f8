"""Parses a formula and resolves the names in its tree."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import field, replace
from difflib import get_close_matches
from typing import Any

from opgen.diagnostics import Code, Diagnostic
from opgen.model.gradients.calls import call_mistakes
from opgen.model.gradients.codes import FORMULA_CALL, FORMULA_GRADIENT, FORMULA_NAME, FORMULA_SYNTAX
from opgen.model.gradients.nodes import (
    Fact,
    Formula,
    FunctionCall,
    Gradient,
    Meaning,
    OpCall,
)
from opgen.model.gradients.scope import PLAIN, Scope
from opgen.model.op import Op
from opgen.model.python_text import PythonExpression, bound_names, parse_expression
from opgen.records import dataclass
from opgen.spec.library import AutogradFormula

_FUNCTION = re.compile(r"\s*((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*):([A-Za-z_]\w*)\s*(\()?", re.ASCII)
_REFUSED: dict[type[ast.AST], str] = {
    ast.NamedExpr: "`:=`",
    ast.Await: "`await`",
    ast.Yield: "`yield`",
    ast.YieldFrom: "`yield`",
    ast.JoinedStr: "an f-string",
}
ATTRIBUTES = frozenset({"shape", "dtype", "device", "ndim"})
METHODS = frozenset({"size", "stride", "dim", "numel"})
"""Methods whose results are saved instead of the tensor, if a formula uses the tensor in no other way."""


@dataclass(frozen=True)
class Parsed:
    """A formula that is a valid expression.

    Attributes:
        spec: the formula in ``ops.yaml``.
        expression: the parsed text, in which ``module:function`` is replaced by a single name of the same length.
        called: that name -> the function.
        bound: the names that the expression binds itself, as the variables of comprehensions.
    """

    spec: AutogradFormula
    expression: PythonExpression
    called: dict[str, FunctionCall]
    bound: frozenset[str]


def parse_formula(spec: AutogradFormula) -> Parsed | Diagnostic:
    """Parse a formula; return a diagnostic if it is no valid expression."""
    text, called = spec.formula, {}
    if function := _FUNCTION.match(text.value):
        module, name, opens = function.groups()
        if opens is None:
            help_ = f"say what it is given, `{module}:{name}(grad, x)`: what a formula names is kept for it"
            return Diagnostic(FORMULA_SYNTAX, "a formula calls its function", text.locate(), help_)
        start, end = function.start(1), function.end(2)
        word = re.sub(r"[.:]", "_", text.value[start:end])  # of the same length, so that offsets stay valid
        called[word] = FunctionCall(module, name)
        text = replace(text, value=text.value[:start] + word + text.value[end:])
    expression = parse_expression(text)
    if isinstance(expression, str):
        return Diagnostic(FORMULA_SYNTAX, f"the formula {expression}", spec.formula.locate(), _remedy(text.value))
    for node in ast.walk(expression.tree):
        if type(node) in _REFUSED and isinstance(node, ast.expr):
            message = f"a formula can't hold {_REFUSED[type(node)]}"
            return Diagnostic(FORMULA_SYNTAX, message, expression.locate(node), FORMULA_SYNTAX.remedy)
    return Parsed(spec, expression, called, bound_names(expression.tree))


def _remedy(text: str) -> str:
    """Return the remedy for a text that is no expression: perhaps YAML has cut it off at a ``#``."""
    if any(text.count(opening) > text.count(closing) for opening, closing in ("()", "[]", "{}")):
        return "quote the formula: within `{}` a comma ends a text without quotes"
    return FORMULA_SYNTAX.remedy


def _read_whole(parsed: Parsed, op: Op) -> Iterator[str]:
    """Yield the arguments of which a formula uses more than facts, as ``x.shape``."""
    inside = {id(name) for node in ast.walk(parsed.expression.tree) if (name := _asked(node, op)) is not None}
    for node in ast.walk(parsed.expression.tree):
        is_argument = isinstance(node, ast.Name) and node.id in op.argument and node.id not in parsed.bound
        if isinstance(node, ast.Name) and is_argument and id(node) not in inside:
            yield node.id


def resolve_formula(parsed: Parsed, scope: Scope) -> tuple[Formula, list[Diagnostic]]:
    """Resolve the names of a formula; return it with the diagnostics found."""
    resolver = _Resolver(parsed, scope, frozenset(_read_whole(parsed, scope.op)))
    tree: ast.expr = resolver.visit(parsed.expression.tree)
    arguments = tuple(name.value for name in parsed.spec.arguments)
    formula = Formula(arguments, _on_one_line(parsed.spec.formula.value), tree, resolver.names)
    ops = {op.qualified_name: op for op in scope.callable_ops.values()}
    calls = [
        Diagnostic(FORMULA_CALL, message, parsed.expression.locate(node), FORMULA_CALL.remedy)
        for node, message in call_mistakes(formula, ops)
    ]
    return formula, [*resolver.found, *calls]


def _on_one_line(text: str) -> str:
    return re.sub(r"(?<=[(\[{]) | (?=[)\]}])", "", " ".join(text.split()))


@dataclass
class _Resolver(ast.NodeTransformer):
    """Replaces each part of a formula with a meaning by a name, and collects the meanings.

    Attributes:
        parsed: the formula.
        scope: the names that it can mention.
        whole: the arguments that are saved as a whole, so that their facts aren't saved separately.
        names: name -> its meaning.
        called: the nodes that are called, as ``f`` in ``f(x)``.
        found: the diagnostics.
    """

    parsed: Parsed
    scope: Scope
    whole: frozenset[str]
    names: dict[str, Meaning] = field(default_factory=dict)
    called: set[ast.expr] = field(default_factory=set)
    found: list[Diagnostic] = field(default_factory=list)

    def visit(self, node: ast.AST) -> Any:
        name = _asked(node, self.scope.op)
        if name is not None and name.id not in self.whole and name.id not in self.parsed.bound:
            argument, name.id = name.id, "{}"
            return self._named(node, Fact(argument, ast.unparse(node)))
        return super().visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        match node:
            case ast.Subscript(ast.Name("grads"), ast.Constant(int(place))) if self._is_by_place():
                if place < len(self.scope.op.outputs):
                    return self._named(node, self._gradient(node, Gradient(place)))
                message = f"there is no `grads[{place}]`: the op returns {len(self.scope.op.outputs)} values"
                self._complain(FORMULA_GRADIENT, message, node)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        function = node.func
        self.called.add(function)
        if isinstance(function, ast.Name) and function.id not in self.parsed.bound:
            meaning = self.parsed.called.get(function.id) or self.scope.meaning(function.id, is_called=True)
            if isinstance(meaning, OpCall | FunctionCall):
                node.func = self._named(function, meaning)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        name = node.id
        if name in self.names or name in self.parsed.bound:
            return node
        meaning = self.scope.meaning(name, is_called=False)
        if meaning is not None:
            return self._named(node, self._gradient(node, meaning))
        if name not in PLAIN:
            self._unknown(node)
        return node

    def _is_by_place(self) -> bool:
        """Whether ``grads[0]`` is the gradient of the first return, and not of the first tensor of a returned list."""
        is_free = "grads" not in self.parsed.bound and "grads" not in self.scope.op.argument
        return is_free and not self.scope.returns_one_list

    def _named(self, node: ast.AST, meaning: Meaning) -> ast.Name:
        place = next((key for key, each in self.names.items() if each == meaning), f"${len(self.names)}")
        self.names[place] = meaning
        return ast.copy_location(ast.Name(place, ast.Load()), node)

    def _gradient(self, node: ast.expr, meaning: Meaning) -> Meaning:
        if isinstance(meaning, Gradient) and not self.scope.differentiable[meaning.place]:
            output = self.scope.op.outputs[meaning.place].name
            self._complain(FORMULA_GRADIENT, f"the return '{output}' has no gradient", node)
        return meaning

    def _unknown(self, node: ast.Name) -> None:
        if (explained := self.scope.explain(node.id)) is not None:
            self._complain(FORMULA_GRADIENT if node.id == "grad" else FORMULA_NAME, explained, node)
            return
        close = get_close_matches(node.id, self.scope.choices, 1)
        meant = f"did you mean '{close[0]}'?" if close else ""
        message = f"the formula names '{node.id}', which is neither a gradient nor an argument, a result or a size"
        if node in self.called:
            message = f"the formula calls '{node.id}', which is no functional op of this library"
            meant = f"{meant} A function of PyTorch is named in full, as in `torch.ops.aten.{node.id}`".lstrip()
        self._complain(FORMULA_NAME, message, node, meant)

    def _complain(self, code: Code, message: str, node: ast.expr, help_: str = "") -> None:
        self.found.append(Diagnostic(code, message, self.parsed.expression.locate(node), help_ or code.remedy))


def _asked(node: ast.AST, op: Op) -> ast.Name | None:
    """Return the argument in an expression that is a fact of it, as ``x.shape``; ``None`` for other expressions."""
    match node:
        case ast.Attribute(ast.Name() as name, attribute) if attribute in ATTRIBUTES and _is(op, name, "is_tensor"):
            return name
        case ast.Call(ast.Attribute(ast.Name() as name, method), arguments, []) if (
            method in METHODS and _is(op, name, "is_tensor") and all(map(_is_number, arguments))
        ):
            return name
        case ast.Call(ast.Name("len"), [ast.Name() as name], []) if _is(op, name, "is_tensor_list"):
            return name
        case ast.Compare(ast.Name() as name, [ast.Is() | ast.IsNot()], [ast.Constant(None)]) if _is(
            op, name, "is_tensor"
        ) or _is(op, name, "is_tensor_list"):
            return name
    return None


def _is(op: Op, name: ast.Name, kind: str) -> bool:
    argument = op.argument.get(name.id)
    return argument is not None and bool(getattr(argument, kind))


def _is_number(node: ast.expr) -> bool:
    try:
        return isinstance(ast.literal_eval(node), int)
    except ValueError:
        return False
