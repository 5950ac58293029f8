"""Resolves the formulas of a library, and gives them to the functional ops and their in-place forms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from opgen.diagnostics import Diagnostic
from opgen.diagnostics.diagnostic import Note
from opgen.model.contract import Contract
from opgen.model.gradients.codes import REPEATED_GRADIENT
from opgen.model.gradients.dtypes import has_gradient, may_require_grad
from opgen.model.gradients.formula import Parsed, parse_formula, resolve_formula
from opgen.model.gradients.nodes import Gradients, OpCall, Result
from opgen.model.gradients.scope import Scope
from opgen.model.op import Op
from opgen.source import Text
from opgen.spec.library import AutogradFormula

NON_DIFFERENTIABLE = "non_differentiable"
"""The word, as in ``derivatives.yaml``, for an argument that has no gradient though it may require grad."""
NOT_IMPLEMENTED = "not_implemented"
"""The word, as in ``derivatives.yaml``, for an argument whose gradient raises an exception."""


def with_gradients(ops: Iterable[Op]) -> tuple[list[Op], list[Diagnostic]]:
    """Return the ops with their gradients resolved, and the diagnostics found.

    Formulas belong to a functional op; its derived in-place form uses them too. The formulas declared by an op that
    writes its arguments are those of the functional form derived from it.
    """
    ops = list(ops)
    callable_ops = {op.identifier: op for op in ops if op.contract is Contract.FUNCTIONAL}
    resolved: dict[str, Gradients] = {}
    found: list[Diagnostic] = []
    for op in ops:
        if op.contract is Contract.FUNCTIONAL and isinstance(op.spec.autograd, tuple):
            gradients, mistakes = _resolve(Scope(op, callable_ops), op.spec.autograd)
            declared = op.declared.qualified_name
            resolved.setdefault(declared, gradients)
            found += [replace(diagnostic, op=declared) for diagnostic in mistakes]
    known = {gradients.op: gradients for gradients in resolved.values()}
    resolved = {op: replace(each, is_twice_differentiable=_is_twice(each, known)) for op, each in resolved.items()}
    return [_with(op, resolved.get(op.declared.qualified_name)) for op in ops], found


def _with(op: Op, gradients: Gradients | None) -> Op:
    if gradients is None:
        return op
    is_it = op.qualified_name == gradients.op
    return replace(op, gradients=gradients) if is_it or (op.is_derived and op.contract is Contract.INPLACE) else op


def _resolve(scope: Scope, formulas: tuple[AutogradFormula, ...]) -> tuple[Gradients, list[Diagnostic]]:
    op, found = scope.op, [*_repeated(formulas)]
    words = {NON_DIFFERENTIABLE: list[str](), NOT_IMPLEMENTED: list[str]()}
    parsed: list[Parsed] = []
    for spec in formulas:
        word = spec.formula.value.strip()
        if word in words:
            words[word] += (name.value for name in spec.arguments)
        elif isinstance(formula := parse_formula(spec), Parsed):
            parsed.append(formula)
        else:
            found.append(formula)
    resolved = [resolve_formula(formula, scope) for formula in parsed]
    found += (mistake for _, mistakes in resolved for mistake in mistakes)
    named = {name.value for spec in formulas for name in spec.arguments}
    gradients = Gradients(
        op=op.qualified_name,
        formulas=tuple(formula for formula, _ in resolved),
        not_implemented=(*words[NOT_IMPLEMENTED], *_missing(op, named)),
        constants=tuple(words[NON_DIFFERENTIABLE]),
        differentiable=scope.differentiable,
        is_twice_differentiable=True,
    )
    # A saved result that `output_differentiability` marks as constant loses its dependence on the arguments.
    lost = {Result(place) for place, output in enumerate(op.outputs) if has_gradient(op, output)}
    lost -= {Result(place) for place, flag in enumerate(scope.differentiable) if flag}
    return replace(gradients, is_twice_differentiable=lost.isdisjoint(gradients.saved)), found


def _missing(op: Op, named: set[str]) -> Iterator[str]:
    for argument in op.tensor_arguments:
        if argument.name not in named and may_require_grad(op, argument.name):
            yield argument.name


def _repeated(formulas: tuple[AutogradFormula, ...]) -> Iterator[Diagnostic]:
    first: dict[str, Text] = {}
    for name in (name for spec in formulas for name in spec.arguments):
        if first.setdefault(name.value, name) is not name:
            message = f"'{name.value}' has two formulas"
            note = Note("the first is here", first[name.value].locate())
            yield Diagnostic(REPEATED_GRADIENT, message, name.locate(), REPEATED_GRADIENT.remedy, notes=(note,))


def _is_twice(gradients: Gradients, known: Mapping[str, Gradients]) -> bool:
    """Whether the ops that the formulas call have gradients for all their arguments that may require grad."""
    called = {m.op for formula in gradients.formulas for m in formula.names.values() if isinstance(m, OpCall)}
    return gradients.is_twice_differentiable and all(
        op in known and known[op].is_twice_differentiable and not known[op].not_implemented for op in called
    )
