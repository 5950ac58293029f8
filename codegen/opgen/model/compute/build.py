"""The functions by which ``build_op`` resolves the expressions of an op."""

from __future__ import annotations

from dataclasses import replace

from opgen.diagnostics import Diagnostic
from opgen.model.compute import codes
from opgen.model.compute.conflicts import conflicts
from opgen.model.compute.derive import Resolve, with_derived_entries
from opgen.model.compute.elements import checks_of_elements
from opgen.model.compute.gradients import derived_formulas
from opgen.model.compute.names import ExpressionContext
from opgen.model.compute.nodes import Program
from opgen.model.compute.program import resolve_program
from opgen.model.compute.roles import is_alias_safe, is_pointwise, with_roles
from opgen.model.op import Argument, Output
from opgen.model.tensors import TensorContract
from opgen.source import DerivedText, Text
from opgen.spec.library import AutogradFormula, OpSpec
from opgen.spec.report import Report


def with_derived_contract(
    spec: OpSpec, arguments: tuple[Argument, ...], outputs: tuple[Output, ...], resolve: Resolve
) -> OpSpec:
    """Return the spec of an op with the entries of ``tensors`` and the roles that follow from its expressions.

    Args:
        spec: an op with ``pointwise`` or ``reduce``.
        arguments: its arguments in the order of the schema.
        outputs: its outputs, one for each return.
        resolve: resolves the tensor contract of a spec.
    """
    context = ExpressionContext(spec, {each.name: each for each in arguments}, outputs, resolve(spec))
    return with_roles(context, with_derived_entries(context, resolve))


def build_program(
    spec: OpSpec,
    arguments: tuple[Argument, ...],
    outputs: tuple[Output, ...],
    contract: TensorContract,
    *,
    is_sound: bool,
) -> tuple[Program | None, list[Diagnostic]]:
    """Return the program of an op with expressions, ``None`` after an error, and the diagnostics found.

    Args:
        spec: the op, with all entries of ``tensors``.
        arguments: its arguments in the order of the schema.
        outputs: its outputs, one for each return.
        contract: its tensor contract.
        is_sound: whether the contract is free of mistakes; else mistakes that may only follow from those aren't
            reported.
    """
    report = Report()
    context = ExpressionContext(spec, {each.name: each for each in arguments}, outputs, contract)
    conflicts(context, report)
    program = resolve_program(context, report)
    if is_sound and "tensors" not in spec.unread:
        return program, report.diagnostics
    return None, [found for found in report.diagnostics if found.code in _WITHOUT_CONTRACT]


def with_facts(spec: OpSpec, program: Program) -> OpSpec:
    """Return a spec with what follows from a program: ``alias_safe``, the tag ``pointwise``, checks of sizes."""
    is_new = is_pointwise(program) and all(tag.value != "pointwise" for tag in spec.tags)
    tags = (*spec.tags, *([DerivedText.at("pointwise", spec.location)] if is_new else []))
    checks = (*spec.checks, *checks_of_elements(spec, program))
    return replace(spec, alias_safe=spec.alias_safe or is_alias_safe(program), tags=tags, checks=checks)


_WITHOUT_CONTRACT = frozenset(
    {
        codes.UNKNOWN_FUNCTION,
        codes.REDUCTION,
        codes.OPTIONAL,
        codes.KIND,
        codes.TWO_SOURCES,
    }
)
"""The mistakes that can't be a consequence of a mistake in the contract."""


def derived_gradients(  # noqa: PLR0913, PLR0917 - the parts of an op that is being built
    spec: OpSpec,
    arguments: tuple[Argument, ...],
    outputs: tuple[Output, ...],
    contract: TensorContract,
    program: Program | None,
    package: str,
) -> tuple[tuple[AutogradFormula, ...], list[Diagnostic]]:
    """Return the formulas that ``autograd: derived`` stands for, and the diagnostics found."""
    place = spec.autograd.locate() if isinstance(spec.autograd, Text) else spec.location
    if program is not None:
        context = ExpressionContext(spec, {each.name: each for each in arguments}, outputs, contract)
        return derived_formulas(context, program, package, place)
    if spec.pointwise or spec.reduce or not {"pointwise", "reduce"}.isdisjoint(spec.unread):
        return (), []  # the mistakes in the expression have been reported
    message = "the gradient is derived from an expression, and the op has none"
    return (), [Diagnostic(codes.UNDERIVED, message, place, "write `pointwise: …`, or formulas, `{x: …}`")]
