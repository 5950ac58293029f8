"""The entry of this room: from an op's spec to what its expressions mean."""

from __future__ import annotations

from dataclasses import replace

from opgen.diagnostics import Diagnostic
from opgen.model.compute import codes
from opgen.model.compute.conflicts import conflicts
from opgen.model.compute.derive import Resolve, with_derived_entries
from opgen.model.compute.elements import checks_of_elements
from opgen.model.compute.gradients import derived_formulas
from opgen.model.compute.names import Surroundings
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
    """Return the spec of an op with expressions, with what follows from them: entries of ``tensors``, roles.

    Args:
        spec: with ``pointwise`` or ``reduce``.
        arguments: in the order of the schema.
        outputs: one for each return.
        resolve: makes the contract of a spec.
    """
    around = Surroundings(spec, {each.name: each for each in arguments}, outputs, resolve(spec))
    return with_roles(around, with_derived_entries(around, resolve))


def build_program(
    spec: OpSpec,
    arguments: tuple[Argument, ...],
    outputs: tuple[Output, ...],
    contract: TensorContract,
    *,
    is_sound: bool,
) -> tuple[Program | None, list[Diagnostic]]:
    """Return the program of an op with expressions and every mistake in it; ``None`` where one is an error.

    Args:
        spec: with all entries of ``tensors``.
        arguments: in the order of the schema.
        outputs: one for each return.
        contract: of the spec.
        is_sound: whether there is no mistake in the contract; else what may follow from one is kept back.
    """
    report = Report()
    around = Surroundings(spec, {each.name: each for each in arguments}, outputs, contract)
    conflicts(around, report)
    program = resolve_program(around, report)
    if is_sound and "tensors" not in spec.unread:
        return program, report.diagnostics
    return None, [found for found in report.diagnostics if found.code in _WITHOUT_CONTRACT]


def with_facts(spec: OpSpec, program: Program) -> OpSpec:
    """Return a spec that says what is known of kernels that compute a program, and what that asks of a call."""
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
"""The mistakes that don't follow from one in the contract."""


def derived_gradients(  # noqa: PLR0913, PLR0917 - the parts of an op that is being built
    spec: OpSpec,
    arguments: tuple[Argument, ...],
    outputs: tuple[Output, ...],
    contract: TensorContract,
    program: Program | None,
    package: str,
) -> tuple[tuple[AutogradFormula, ...], list[Diagnostic]]:
    """Return the formulas that ``autograd: derived`` stands for, and what is wrong with it."""
    place = spec.autograd.locate() if isinstance(spec.autograd, Text) else spec.location
    if program is not None:
        around = Surroundings(spec, {each.name: each for each in arguments}, outputs, contract)
        return derived_formulas(around, program, package, place)
    if spec.pointwise or spec.reduce or not {"pointwise", "reduce"}.isdisjoint(spec.unread):
        return (), []  # what is wrong with the expression has been said
    message = "the gradient is derived from an expression, and the op has none"
    return (), [Diagnostic(codes.UNDERIVED, message, place, "write `pointwise: …`, or formulas, `{x: …}`")]
