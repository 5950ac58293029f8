"""Differentiates a program in reverse mode: from the gradients of its results to those of its arguments.

Gradients are propagated point by point, and summed where a value has fewer axes than the values computed from it. A
branch that a condition excludes gets no gradient, whatever its formula would give: ``where(x > 0, log(x), 0)`` has the
gradient 0 at 0, not NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce as fold
from typing import TypeAlias

from opgen.model.compute import rules_of_calculus as rules
from opgen.model.compute.nodes import (
    Axis,
    Binary,
    Call,
    Cast,
    Given,
    Load,
    Named,
    Operand,
    Program,
    Select,
    SizeOf,
    Store,
    Unary,
    Value,
    ValueType,
)
from opgen.model.compute.rules_of_calculus import ZERO, add, choose, compare, div, is_zero, mul, neg, sub
from opgen.model.compute.sharing import may_move, share
from opgen.model.compute.steps import Computed, Reduced, Step, in_order, needed, steps_of
from opgen.model.compute.value_types import BOOL, INT64, as_float
from opgen.model.compute.walk import axes_of, every, is_number
from opgen.records import dataclass
from opgen.spec.expression import Call as SizeCall
from opgen.spec.expression import Expression, Name

Guards: TypeAlias = tuple[tuple[Value, bool], ...]
"""Conditions, and whether each has to hold."""

_LONG = 64
"""The number of steps above which the gradient of each is named, and of summands above which they are added in halves:
written in one expression, they would be nested in each other."""


@dataclass(frozen=True, slots=True)
class Part:
    """The gradient of a tensor argument, or of a slice of it.

    Attributes:
        operand: the argument or slice that the program read.
        value: the gradient, still to be summed along the axes that the operand lacks. Several parts of one operand are
            added after that.
    """

    operand: Operand
    value: Value


@dataclass(frozen=True, slots=True)
class Backward:
    """The program that computes gradients.

    Attributes:
        axes: the axes of the differentiated program.
        steps: the bindings and reductions, in order.
        parts: argument -> the parts of its gradient; empty if it is 0 everywhere.
        grads: result -> the parameter that takes its gradient.
    """

    axes: tuple[Axis, ...]
    steps: tuple[Step, ...]
    parts: Mapping[str, tuple[Part, ...]]
    grads: Mapping[str, str]


def derivative(
    program: Program, arguments: Iterable[str], grads: Mapping[str, str], guards: Mapping[str, Guards]
) -> Backward | str:
    """Return the gradients of arguments, or the name of a ``prod`` reduction, which can't be differentiated here.

    Args:
        program: the program to differentiate.
        arguments: the tensors that may require grad.
        grads: result that may have a gradient -> the parameter that takes it.
        guards: binding that stands for a part of choices -> the conditions under which it has a gradient.
    """
    for reduction in program.reductions:
        if reduction.function == "prod":
            return reduction.name
    return _Derivative(program, arguments, grads, guards).backward()


class _Derivative:
    """Accumulates gradients by operand and by name, from the results back to the arguments."""

    def __init__(
        self, program: Program, arguments: Iterable[str], grads: Mapping[str, str], guards: Mapping[str, Guards]
    ) -> None:
        self._program = program
        self._arguments = tuple(arguments)
        self._grads = grads
        self._forward = steps_of(program)
        self._added: list[Step] = []
        self._by_name: dict[str, list[Value]] = {}
        self._by_operand: dict[Operand, dict[frozenset[str], list[Value]]] = {}
        self._numbers: set[str] = set()
        self._guards_of = guards
        self._guards: list[tuple[Value, bool]] = []
        self._varies: dict[str, frozenset[str]] = {}
        for step in self._forward:
            self._note(step)

    def backward(self) -> Backward:
        for store in self._program.stores:
            if store.target in self._grads:
                grad = self._gradient(store)
                self._push(store.value, grad, axes_of(grad, {}))
        for step in reversed(self._forward):
            adjoint = _total(self._by_name.get(step.name, ()))
            if is_zero(adjoint):
                continue
            if len(self._forward) > _LONG and may_move(adjoint):
                adjoint = self._new_step("adjoint", adjoint)
            self._guards = [*self._guards_of.get(step.name, ())]
            if isinstance(step.value, Reduced):
                self._push_reduced(step.name, step.value, adjoint)
            else:
                self._push(step.value, adjoint, axes_of(adjoint, self._varies) | self._varies[step.name])
        return self._result()

    def _result(self) -> Backward:
        found = {
            argument: [
                Part(operand, value)
                for operand, groups in self._by_operand.items()
                for values in groups.values()
                if operand.argument == argument and not is_zero(value := _total(values))
            ]
            for argument in self._arguments
        }
        whole = [part for each in found.values() for part in each]
        steps = needed(in_order([*self._forward, *self._added]), [part.value for part in whole])
        taken = {axis.name for axis in self._program.axes} | set(self._grads.values())
        steps, values = share(steps, [part.value for part in whole], taken)
        changed = iter(values)
        parts_of = {name: tuple(replace(part, value=next(changed)) for part in each) for name, each in found.items()}
        return Backward(self._program.axes, needed(steps, values), parts_of, self._grads)

    def _note(self, step: Step) -> None:
        value = step.value
        axes = axes_of(value.value if isinstance(value, Reduced) else value, self._varies)
        self._varies[step.name] = axes - frozenset(value.axes) if isinstance(value, Reduced) else axes
        if not isinstance(value, Reduced) and is_number(value, self._numbers):
            self._numbers.add(step.name)

    def _gradient(self, store: Store) -> Value:
        """Return the gradient of a result: an element of a tensor with the result's dims."""
        operand = Operand(self._grads[store.target], store.dims)
        return Load(operand, as_float(replace(store.value.type, weak=False)))

    # --- down the tree ------------------------------------------------------------------------------------------------
    def _push(self, value: Value, grad: Value, space: frozenset[str]) -> None:  # noqa: C901, PLR0912 - one case a node
        """Propagate the gradient of a value to the values that it is computed from.

        Args:
            value: the value.
            grad: its gradient, point by point.
            space: the axes over which gradients will be summed, also those along which ``grad`` doesn't vary.
        """
        if is_zero(grad) or not self._depends(value):
            return
        match value:
            case Load(operand):
                self._meet_operand(operand, grad, space)
            case Named(name):
                self._meet_name(name, grad, space)
            case Unary("-", operand):
                self._push(operand, neg(grad), space)
            case Binary(operator, left, right):
                for part, its in zip((left, right), rules.of_operator(operator, left, right, value, grad), strict=True):
                    self._push(part, its, space)
            case Select(condition, then, otherwise):
                for branch, holds in ((then, True), (otherwise, False)):
                    self._guards.append((condition, holds))
                    self._push(branch, grad, space)
                    self._guards.pop()
            case Cast(dtype, operand) if dtype not in _INTEGRAL:
                self._push(operand, grad, space)
            case Call(name, (only,)):
                self._push(only, rules.UNARY[name](only, value, grad) if name in rules.UNARY else ZERO, space)
            case Call("maximum" | "minimum" as name, (left, right)) if self._is_bound(left) or self._is_bound(right):
                part, bound = (right, left) if self._is_bound(left) else (left, right)
                self._push(part, rules.of_bounded(name, part, bound, grad), space)
            case Call(name, (left, right)):
                for part, its in zip((left, right), rules.of_two(name, left, right, grad), strict=True):
                    self._push(part, its, space)

    def _depends(self, value: Value) -> bool:
        """Whether a value may have a gradient: it is a floating-point value computed from one of the arguments."""
        return value.type.kind not in ("bool", "int") and any(
            each.name in self._varies if isinstance(each, Named) else isinstance(each, Load) and self._is_wanted(each)
            for each in every(value)
        )

    def _is_bound(self, value: Value) -> bool:
        return is_number(value, self._numbers)

    def _is_wanted(self, load: Load) -> bool:
        return load.operand.argument in self._arguments

    def _meet_operand(self, operand: Operand, grad: Value, space: frozenset[str]) -> None:
        """Add a gradient of a tensor, guarded by the conditions around its use."""
        for condition, holds in reversed(self._guards):
            if condition != Given(operand.argument, BOOL):  # the gradient is only computed if the argument was given
                grad = _guarded(grad, condition, holds=holds)
        own = frozenset(dim.axis for dim in operand.dims if dim.axis is not None)
        grad = self._repeated(grad, space - own)
        groups = self._by_operand.setdefault(operand, {})
        groups.setdefault(axes_of(grad, self._varies) - own, []).append(grad)

    def _meet_name(self, name: str, grad: Value, space: frozenset[str]) -> None:
        """Add a gradient of a step, guarded by the conditions around its use, and summed to the axes of the step."""
        when = tuple((each, holds) for each, holds in self._guards if is_number(each, self._numbers))
        for condition, holds in reversed(self._guards):
            if (condition, holds) not in when:
                grad = _guarded(grad, condition, holds=holds)
        own = self._varies[name]
        grad = self._repeated(grad, space - own)
        extra = axes_of(grad, self._varies) - own
        if extra:
            axes = tuple(axis.name for axis in self._program.axes if axis.name in extra)
            grad = self._add_step("total", Reduced("sum", grad, axes, grad.type), when)
        for condition, holds in reversed(when):
            grad = _guarded(grad, condition, holds=holds)
        self._by_name.setdefault(name, []).append(grad)

    def _repeated(self, grad: Value, axes: frozenset[str]) -> Value:
        """Return a gradient summed along axes along which it doesn't vary: multiplied by their sizes."""
        for name in sorted(axes - axes_of(grad, self._varies)):
            grad = mul(grad, SizeOf(self._count(name), ValueType("int", weak=True)))
        return grad

    def _add_step(self, name: str, value: Reduced, when: Guards = ()) -> Named:
        """Return the name of a step with this value; a new one is added if there is none."""
        known = next((s for s in (*self._forward, *self._added) if s.value == value and s.when == when), None)
        return Named(known.name, value.type) if known is not None else self._new_step(name, value, when)

    def _new_step(self, name: str, value: Computed, when: Guards = ()) -> Named:
        taken = {*self._varies, *self._arguments, *self._grads.values(), *(axis.name for axis in self._program.axes)}
        number, free = 1, name
        while free in taken:
            number += 1
            free = f"{name}{number}"
        step = Step(free, value, when)
        self._added.append(step)
        self._note(step)
        return Named(free, value.type)

    def _count(self, name: str) -> Expression:
        axis = self._program.axis[name]
        return axis.size if axis.size is not None else SizeCall("prod", (Name(axis.name),))

    # --- reductions ---------------------------------------------------------------------------------------------------
    def _push_reduced(self, name: str, reduced: Reduced, grad: Value) -> None:
        value, result = reduced.value, Named(name, reduced.type)
        rule: Mapping[str, Callable[[], Value]] = {
            "sum": lambda: grad,
            "mean": lambda: div(grad, self._size(reduced)),
            "max": lambda: self._of_extreme(reduced, result, grad),
            "min": lambda: self._of_extreme(reduced, result, grad),
            "logsumexp": lambda: mul(grad, rules.call("exp", sub(value, result))),
            "var": lambda: self._of_variance(reduced, grad),
        }
        if reduced.function in rule:
            space = axes_of(grad, self._varies) | axes_of(value, self._varies)
            self._push(value, rule[reduced.function](), space)

    def _size(self, reduced: Reduced) -> Value:
        sizes: list[Value] = [SizeOf(self._count(axis), ValueType("int", weak=True)) for axis in reduced.axes]
        return fold(mul, sizes)

    def _of_extreme(self, reduced: Reduced, result: Value, grad: Value) -> Value:
        """Return the gradient of ``max`` or ``min``, which equal elements share, as in the gradient of ``amax``."""
        is_it = compare("==", reduced.value, result)
        count = self._add_step("ties", Reduced("sum", is_it, reduced.axes, INT64))
        return choose(is_it, div(grad, replace(count, type=ValueType("int", weak=True))), ZERO)

    def _of_variance(self, reduced: Reduced, grad: Value) -> Value:
        mean = self._add_step("centre", Reduced("mean", reduced.value, reduced.axes, reduced.type))
        count = self._size(reduced)
        less = sub(count, rules.number(reduced.correction)) if reduced.correction else count
        return mul(div(mul(rules.number(2), grad), less), sub(reduced.value, mean))


def _total(values: Sequence[Value]) -> Value:
    """Add values: one after the other, or many of them in halves, so that their sum isn't nested as deeply."""
    if len(values) <= _LONG:
        return fold(add, values, ZERO)
    half = len(values) // 2
    return add(_total(values[:half]), _total(values[half:]))


def _guarded(grad: Value, condition: Value, *, holds: bool) -> Value:
    return choose(condition, grad, ZERO) if holds else choose(condition, ZERO, grad)


_INTEGRAL = frozenset({"bool", "uint8", "int8", "int16", "int32", "int64"})
