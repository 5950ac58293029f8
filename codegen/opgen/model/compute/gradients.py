"""Expands ``autograd: derived`` to a formula: the call of a generated function, as an author could have written it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from opgen.diagnostics import Diagnostic
from opgen.model.compute.codes import UNDERIVED
from opgen.model.compute.depth import limit_depth
from opgen.model.compute.derivative import Backward, derivative
from opgen.model.compute.names import ExpressionContext
from opgen.model.compute.nodes import Index, Load, Program, Scalar, SizeOf, Value
from opgen.model.compute.steps import Reduced, value_in
from opgen.model.compute.torch_names import backward_name, place
from opgen.model.compute.walk import every
from opgen.model.contract import Contract, derive_contract
from opgen.model.tensor_contract.linear import names_in
from opgen.records import dataclass
from opgen.source import DerivedText, Location
from opgen.spec.dtypes import FLOAT
from opgen.spec.expression import Expression
from opgen.spec.library import AutogradFormula


@dataclass(frozen=True)
class GradientPlan:
    """The generated function that computes the gradients of an op, and its parameters.

    Attributes:
        backward: the program that computes the gradients of the arguments, in the order of the schema.
        grads: gradient of a result in the formula (``grad``, ``grads[0]``) -> the parameter that takes it.
        read: the arguments whose values are passed.
        known: the arguments of which only shape and dtype are passed.
        sizes: the sizes and packs of the contract that are passed.
    """

    backward: Backward
    grads: Mapping[str, str]
    read: tuple[str, ...]
    known: tuple[str, ...]
    sizes: tuple[str, ...]

    def call(self, function: str) -> str:
        """Return the formula: the call of the function with this name."""
        facts = (f"{name}.{fact}" for name in self.known for fact in ("shape", "dtype"))
        return f"{function}({', '.join([*self.grads, *self.read, *facts, *self.sizes])})"


def derived_formulas(
    context: ExpressionContext, program: Program, package: str, stated: Location
) -> tuple[tuple[AutogradFormula, ...], list[Diagnostic]]:
    """Return the formulas of an op with ``autograd: derived``, or a diagnostic that says why there are none.

    Args:
        context: the op.
        program: the program that it computes.
        package: the generated Python package.
        stated: the place of the word ``derived``.
    """
    plan = gradient_plan(context, program)
    if isinstance(plan, str):
        return (), [Diagnostic(UNDERIVED, plan, stated, UNDERIVED.remedy)]
    function = place(package, backward_name(context.spec.schema.name.identifier))
    arguments = tuple(DerivedText.at(name, stated) for name in plan.backward.parts)
    return (AutogradFormula(arguments, DerivedText.at(plan.call(function), stated)),), []


def gradient_plan(context: ExpressionContext, program: Program) -> GradientPlan | str:
    """Return the plan for the gradients of an op, or the reason why they can't be derived."""
    grads = dict(_grads(context))
    if not grads:
        return "no result has a gradient"
    read_tensors = _read(program)
    wanted = [name for name in context.arguments if name in read_tensors and _is_differentiable(context, name)]
    if not wanted:
        return "no argument has a gradient"
    parameters = {target: parameter for target, (_, parameter) in grads.items()}
    limited, guards = limit_depth(program)
    backward = derivative(limited, wanted, parameters, guards)
    if isinstance(backward, str):
        return f"the gradient of `prod`, as in '{backward}', can't be derived"
    values = [*_values(backward)]
    read = {each.operand.argument for value in values for each in every(value) if isinstance(each, Load)}
    read |= {each.argument for value in values for each in every(value) if isinstance(each, Scalar)}
    read |= {name for name in wanted if context.arguments[name].is_optional or not _is_plain(backward, name)}
    return GradientPlan(
        backward=backward,
        grads=dict(grads.values()),
        read=tuple(name for name in context.arguments if name in read),
        known=tuple(name for name in wanted if name not in read),
        sizes=tuple(sorted(_sizes(backward, values) - context.arguments.keys())),
    )


def _grads(context: ExpressionContext) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield each result that may have a gradient, with the gradient's name in formulas and its parameter."""
    spec = context.spec
    is_functional = derive_contract(spec.schema) is Contract.FUNCTIONAL
    targets = [output.name for output in context.outputs] if is_functional else [*context.written]
    flags = spec.output_differentiability or [True] * len(targets)
    found = [
        (number, target)
        for number, (target, flag) in enumerate(zip(targets, flags, strict=False))
        if flag and _holds_float(context, target)
    ]
    for number, target in found:
        parameter = "grad" if len(found) == 1 else f"grad_{target}"
        while parameter in context.arguments:
            parameter += "_"
        yield target, ("grad" if len(found) == 1 else f"grads[{number}]", parameter)


def _holds_float(context: ExpressionContext, name: str) -> bool:
    held = context.types.of_argument(name) if name in context.arguments else context.types.of_output(name)
    return held is not None and not set(FLOAT).isdisjoint(held.names)


def _is_differentiable(context: ExpressionContext, name: str) -> bool:
    return not context.arguments[name].written and _holds_float(context, name)


def _read(program: Program) -> frozenset[str]:
    values = (
        *(binding.value for binding in program.bindings),
        *(reduction.value for reduction in program.reductions),
        *(store.value for store in program.stores),
    )
    return frozenset(each.operand.argument for value in values for each in every(value) if isinstance(each, Load))


def _is_plain(backward: Backward, argument: str) -> bool:
    """Whether a tensor's dims are the rightmost axes in order, so that its shape suffices to sum a gradient to it."""
    order = [axis.name for axis in backward.axes]
    dims = [[dim.axis for dim in part.operand.dims] for part in backward.parts[argument]]
    return all(each == order[len(order) - len(each) :] for each in dims)


def _values(backward: Backward) -> Iterator[Value]:
    yield from (value_in(step.value) for step in backward.steps)
    yield from (condition for step in backward.steps for condition, _ in step.when)
    yield from (part.value for each in backward.parts.values() for part in each)


def _sizes(backward: Backward, values: list[Value]) -> set[str]:
    """Return the sizes that the function mentions, and the packs whose numbers of dims tell the position of an axis."""
    axis = {each.name: each for each in backward.axes}
    sizes: list[Expression | None] = []
    operands = [part.operand for each in backward.parts.values() for part in each]
    for each in (each for value in values for each in every(value)):
        match each:
            case SizeOf(size):
                sizes.append(size)
            case Index(name):
                sizes.append(axis[name].size)
            case Load(operand):
                operands.append(operand)
    for operand in operands:
        if operand.is_part and operand.dims[-1].axis is not None:
            sizes += [operand.start, axis[operand.dims[-1].axis].size]
    reduced = {name for step in backward.steps if isinstance(step.value, Reduced) for name in step.value.axes}
    packs = {
        pack
        for number, each in enumerate(backward.axes)
        if each.is_pack and (number > 0 or each.name in reduced)
        for pack in each.packs or (each.name,)
    }
    return packs | {name for size in sizes if size is not None for name in names_in(size)}
