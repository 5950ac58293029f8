"""The function that computes the gradients of an op's arguments, from those of its results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opgen.model.compute.derivative import Part
from opgen.model.compute.gradients import GradientPlan
from opgen.model.compute.nodes import Named, Operand
from opgen.model.compute.sizes import as_expression, is_of_names, minus, plus, polynomial
from opgen.model.compute.torch_names import backward_name
from opgen.model.compute.walk import every
from opgen.model.family.entries import entry_of
from opgen.model.op import Op
from opgen.records import dataclass
from opgen.spec.expression import Constant, Expression
from opgen.spec.kernel_written import Tightness
from opgen.spec.tensor_spec import DimSize, TensorSpec
from opgen.targets.expressions import render_python
from opgen.targets.names import python_name
from opgen.targets.python.layout import lay_out
from opgen.targets.python.torch_functions import TorchFunction
from opgen.targets.python.types import passed_type
from opgen.targets.quoting import py_docstring


def backward_function(op: Op, plan: GradientPlan) -> str:
    """Return the function definition."""
    values = tuple(part.value for each in plan.backward.parts.values() for part in each)
    function = TorchFunction(
        op, plan.backward.axes, plan.backward.steps, values, tuple(plan.grads.values()), plan.known
    )
    writer = _Writer(op, plan, function)
    arguments = [*plan.backward.parts]
    parameters = [*(f"{name}: Tensor" for name in plan.grads.values()), *writer.parameters()]
    result = "Tensor" if len(arguments) == 1 else f"tuple[{', '.join(writer.result_type(name) for name in arguments)}]"
    body = [
        *writer.dtypes(),
        *function.widened(),
        *function.computed(),
        *writer.results(arguments),
    ]
    words = " and ".join(f"`{name}`" for name in arguments)
    return "\n".join(
        [
            lay_out(f"def {backward_name(op.identifier)}({', '.join(parameters)}) -> {result}:"),
            f"    {py_docstring(f'Return the gradients of `{op.qualified_name}` for {words}.')}",
            *(lay_out(line.lstrip(), 2 if line.startswith(" ") else 1) for line in body),
        ]
    )


@dataclass(frozen=True)
class _Writer:
    op: Op
    plan: GradientPlan
    function: TorchFunction

    def parameters(self) -> Iterator[str]:
        """Yield the parameters that follow the gradients, in the order in which the formula passes them."""
        for name in self.plan.read:
            yield f"{python_name(name)}: {passed_type(self.op.argument[name], self.op)}"
        for name in self.plan.known:
            yield from (f"{name}_shape: Sequence[int]", f"{name}_dtype: torch.dtype")
        for name in self.plan.sizes:
            is_pack = name in self.function.names.packs
            yield f"{self.function.names.value(name)}: {'Sequence[int]' if is_pack else 'int'}"

    def result_type(self, name: str) -> str:
        """Return the annotation of an argument's gradient: ``Tensor``; ``Tensor | None`` for an optional argument."""
        return "Tensor | None" if self.op.argument[name].is_optional else "Tensor"

    def dtypes(self) -> Iterator[str]:
        """Yield the statements that keep the dtypes of tensors before these are widened."""
        for name in self.plan.backward.parts:
            if name in self.plan.read:
                tensor = python_name(name)
                otherwise = f" if {tensor} is not None else {next(iter(self.plan.grads.values()))}.dtype"
                is_optional = self.op.argument[name].is_optional
                yield f"{self._dtype(name)} = {tensor}.dtype{otherwise if is_optional else ''}"

    def _dtype(self, name: str) -> str:
        return f"{name}_dtype"

    def results(self, arguments: Sequence[str]) -> Iterator[str]:
        """Yield the statements that return the gradients."""
        texts = [self._gradient(name) for name in arguments]
        if len(texts) == 1:
            yield f"return {texts[0]}"
            return
        names = [self.function.variable(f"{name}_grad") for name in arguments]
        yield from (f"{name} = {text}" for name, text in zip(names, texts, strict=True))
        yield f"return {', '.join(names)}"

    def _gradient(self, name: str) -> str:
        parts, is_optional = self.plan.backward.parts[name], self.op.argument[name].is_optional
        if not parts:
            return (
                f"torch.zeros({self._shape(name)}, dtype={self._dtype(name)}, device={self.function.device_of}.device)"
            )
        is_one = len(parts) == 1
        whole = [self._summed(p, Tightness.ATOM if is_one else Tightness.SUM) for p in parts if not p.operand.is_part]
        terms = [*whole, *self._joined(name, [part for part in parts if part.operand.is_part])]
        text = terms[0] if len(terms) == 1 else f"({' + '.join(terms)})"
        if is_optional:
            return f"{text}.to({self._dtype(name)}) if {python_name(name)} is not None else None"
        return f"{text}.to({self._dtype(name)})"

    def _shape(self, name: str) -> str:
        return f"{name}_shape" if name in self.plan.known else f"{python_name(name)}.shape"

    def _summed(self, part: Part, at_least: Tightness = Tightness.ATOM) -> str:
        """Return a gradient summed over broadcast dims, to the sizes of the operand that was read."""
        values, operand = self.function.values, part.operand
        own = {dim.axis for dim in operand.dims if dim.axis is not None}
        space = values.space
        is_plain = space.aligned("x", operand.dims) == "x"
        is_broadcast = any(axis.packs for axis in space.axes if axis.name in own)
        # The result of a reduction has dims of size 1 on the left, which the argument may lack.
        is_exact = space.axes[0].name in own or not any(isinstance(each, Named) for each in every(part.value))
        if is_plain and is_exact and values.sure_axes(part.value) == own and not is_broadcast:
            return values.render(part.value, at_least)
        shape = self._part_shape(operand)
        if is_plain:
            return f"_summed({values.render(part.value)}, {shape})"
        moved, _ = space.unsorted("", operand.dims)
        ordered = f"{space.ordered(python_name(operand.argument), operand.dims)}.shape" if moved else shape
        return f"_summed({values.render(part.value)}, {values.operand(operand)}.shape).reshape({ordered}){moved}"

    def _part_shape(self, operand: Operand) -> str:
        name = operand.argument
        if not operand.is_part:
            return self._shape(name)
        last = "1" if operand.dims[-1].axis is None else self.function.values.space.size(operand.dims[-1].axis)
        return f"(*{self._shape(name)}[:-1], {last})"

    def _joined(self, name: str, parts: Sequence[Part]) -> Iterator[str]:
        """Yield the gradient of a tensor read in slices: concatenated if they cover the tensor, else zero-padded."""
        entry = entry_of(self.op, name)
        if not parts or entry is None or not isinstance(entry.form, TensorSpec):
            return
        last = entry.form.shapes[0][-1]
        size = last.size if isinstance(last, DimSize) else Constant(0)
        bounds = {part.operand: self._bounds(part.operand) for part in parts}
        ordered, end = list[Part](), polynomial(Constant(0))
        while len(ordered) < len(parts):
            found = [part for part in parts if polynomial(bounds[part.operand][0]) == end and part not in ordered]
            if len(found) != 1:
                break
            ordered.append(found[0])
            end = polynomial(bounds[found[0].operand][1])
        if len(ordered) == len(parts) and end == polynomial(size):
            yield f"torch.cat([{', '.join(self._summed(part, Tightness.CHOICE) for part in ordered)}], -1)"
            return
        for part in parts:
            start, stop = bounds[part.operand]
            behind = _difference(size, stop)
            padding = ", ".join(render_python(each, self.function.names) for each in (start, behind))
            yield f"torch.nn.functional.pad({self._summed(part, Tightness.CHOICE)}, ({padding}))"

    def _bounds(self, operand: Operand) -> tuple[Expression, Expression]:
        start, axis = operand.start or Constant(0), operand.dims[-1].axis
        length = Constant(1) if axis is None else self.function.values.space.size_of(axis)
        return start, as_expression(plus(polynomial(start), polynomial(length)))


def _difference(size: Expression, stop: Expression) -> Expression:
    left = minus(polynomial(size), polynomial(stop))
    return as_expression(left) if is_of_names(left) else size
