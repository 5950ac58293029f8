"""The body of a Python function that computes a program of expressions with PyTorch."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from opgen.model.compute.dtypes import TensorTypes
from opgen.model.compute.nodes import Axis, Dim, Load, Store, Unary, Value
from opgen.model.compute.steps import Reduced, Step, value_in
from opgen.model.compute.value_types import BOOL
from opgen.model.compute.walk import every
from opgen.model.op import Op
from opgen.model.tensors import (
    BindPack,
    BindSize,
    DtypeArgument,
    DtypeLike,
    DtypePromoted,
    DtypeSet,
    OutputSpec,
    ResolvedDtype,
    SolveSize,
)
from opgen.records import dataclass
from opgen.spec.dtypes import FLOAT8
from opgen.spec.kernel_written import Tightness
from opgen.targets.expressions import Names
from opgen.targets.names import python_name
from opgen.targets.python.promotion import Promotion, promoted
from opgen.targets.python.sizes import size_text, sizes_read
from opgen.targets.python.torch_space import TorchSpace
from opgen.targets.python.torch_values import TorchValues


@dataclass(frozen=True)
class TorchFunction:
    """The body of a function over the arguments of an op.

    Attributes:
        op: the op.
        axes: the axes of the iteration space.
        steps: the named values and reductions to compute, in order.
        others: further values that are used: those of the results.
        extra: parameters beside the op's arguments: the gradients of results.
        known: arguments of which only shape and dtype are passed, not the tensor.
    """

    op: Op
    axes: tuple[Axis, ...]
    steps: tuple[Step, ...]
    others: tuple[Value, ...]
    extra: tuple[str, ...] = ()
    known: tuple[str, ...] = ()

    @cached_property
    def names(self) -> Names:
        """The identifiers of arguments and sizes."""
        return Names.of(self.op, python_name)

    @cached_property
    def values(self) -> TorchValues:
        """The renderer of values."""
        taken = self._own_names | set(self.extra) | {self._promotion_name}
        variables: dict[str, str] = {name: name for name in self.extra}
        for step in self.steps:
            variables[step.name] = self._free(python_name(step.name), taken)
        space = TorchSpace(self.axes, self.names)
        promotion = Promotion(self.types, self.names, self._precision)
        values = TorchValues(space, self.names, variables, frozenset(), self.device_of, {}, promotion)
        for step in self.steps:
            is_reduced = isinstance(step.value, Reduced)
            numbers = {step.name} if not is_reduced and values.is_number(value_in(step.value)) else set[str]()
            sure = values.sure_axes(value_in(step.value)) - frozenset(
                step.value.axes if isinstance(step.value, Reduced) else ()
            )
            values = replace(values, numbers=values.numbers | numbers, sure={**values.sure, step.name: sure})
        return values

    def variable(self, name: str) -> str:
        """Return a name for a further variable, with underscores at its end if it is taken."""
        return self._free(python_name(name), {*self._own_names, *self.values.variables.values()})

    @cached_property
    def _own_names(self) -> set[str]:
        return {python_name(name) for name in self.op.argument} | {self.names.value(name) for name in self.names.sizes}

    @staticmethod
    def _free(name: str, taken: set[str]) -> str:
        while name in taken:
            name += "_"
        taken.add(name)
        return name

    @cached_property
    def device_of(self) -> str:
        """The tensor whose device new tensors get."""
        if self.extra:
            return self.extra[0]
        tensors = [argument.name for argument in self.op.tensor_arguments if not argument.is_optional]
        return python_name(next(iter(tensors), self.op.tensor_arguments[0].name))

    @cached_property
    def _all(self) -> tuple[Value, ...]:
        return tuple(each for value in self._wholes for each in every(value_in(value)))

    @cached_property
    def _wholes(self) -> tuple[Value | Reduced, ...]:
        return (*(step.value for step in self.steps), *self.others)

    @cached_property
    def read(self) -> tuple[str, ...]:
        """The tensor arguments that are read, in the order of the schema."""
        found = {each.operand.argument for each in self._all if isinstance(each, Load)}
        return tuple(name for name in (*self.extra, *self.op.argument) if name in found)

    # --- statements ---------------------------------------------------------------------------------------------------
    def sizes(self, texts: Iterable[str]) -> Iterator[str]:
        """Yield the statements that bind the sizes which ``texts`` mention, and those that these depend on."""
        mentioned = " ".join(texts)
        steps = {
            step.check.name: step
            for step in reversed(self.op.tensors.steps)
            if isinstance(step.check, BindSize | BindPack | SolveSize) and not step.given and not step.when
        }
        wanted: dict[str, None] = {}

        def want(name: str) -> None:
            if name in steps and name not in wanted:
                for other in sorted(sizes_read(steps[name])):
                    want(other)
                wanted[name] = None

        for name in reversed(steps):
            if _mentions(mentioned, self.names.value(name)):
                want(name)
        yield from (f"{self.names.value(name)} = {size_text(steps[name], self.names)}" for name in wanted)

    @cached_property
    def types(self) -> TensorTypes:
        """The element types of the tensors."""
        return TensorTypes(self.op.tensors)

    @cached_property
    def _wider(self) -> tuple[str, ...]:
        """The tensors whose dtypes are promoted to the one that is computed in; empty if only one tensor decides it."""
        floating = self._deciding
        return floating if len(floating) > 1 else ()

    @cached_property
    def _deciding(self) -> tuple[str, ...]:
        """The floating-point tensors whose dtypes decide the dtype that is computed in."""
        own = {each.type for each in self._all if each.type.kind == "float" and not each.type.weak}
        names = dict.fromkeys(name for type_ in own for name in type_.tensors)
        return tuple(name for name in names if self.types.of_argument(name).kind != "int")

    @cached_property
    def _is_double(self) -> bool:
        """Whether every call computes in float64."""
        is_cast = any("float64" in each.type.dtypes for each in self._all if each.type.kind == "float")
        present = (name for name in self._deciding if not self.op.argument[name].is_optional)
        return is_cast or any(self.types.of_argument(name).names == ("float64",) for name in present)

    @cached_property
    def _precision(self) -> str:
        """The expression for the dtype that floating-point values are computed in."""
        if self._is_double:
            return "torch.float64"
        is_open = any("float64" in self.types.of_argument(name).names for name in self._deciding)
        return self._promotion_name if is_open else "torch.float32"

    @cached_property
    def _promotion_name(self) -> str:
        """The variable for the dtype that is computed in, if it depends on the call."""
        return self._free("computed", self._own_names | {*self.extra, *(python_name(each.name) for each in self.steps)})

    def widened(self) -> Iterator[str]:
        """Yield the statements that convert tensors to the dtype that is computed in: float32 or wider."""
        narrow = [name for name in self.read if self._is_narrow(name)]
        optional = [name for name in narrow if name in self.op.argument and self.op.argument[name].is_optional]
        computed = "torch.float64" if self._is_double else None
        is_asked = self._precision == self._promotion_name and any(map(self.values.asks_precision, self._wholes))
        if computed is None and ((self._wider and narrow) or is_asked):
            yield f"{self._promotion_name} = {self._promoted}"
            computed = self._promotion_name if self._wider else None
        plain = [python_name(name) for name in narrow if name not in optional]
        wide = "_wide({})" if computed is None else f"{{}}.to({computed})"
        yield from [f"{', '.join(plain)} = {', '.join(map(wide.format, plain))}"] if plain else []
        for name in map(python_name, optional):
            yield f"if {name} is not None:"
            yield f"    {name} = {wide.format(name)}"

    def is_rebound(self, variable: str) -> bool:
        """Whether the statements of ``widened`` assign a new tensor to a variable."""
        return any(python_name(name) == variable and self._is_narrow(name) for name in self.read)

    def _is_narrow(self, name: str) -> bool:
        """Whether a tensor's dtype may be narrower than the one that is computed in."""
        if name in self.extra:
            return True
        held = self.types.of_argument(name)
        is_mixed = held.kind == "float" and bool(self._wider or self._is_double)
        return is_mixed or not {"float16", "bfloat16", *FLOAT8}.isdisjoint(held.names)

    @property
    def _promoted(self) -> str:
        """The expression for the promoted dtype of the deciding tensors."""
        text = "torch.float32"
        for name in self._deciding:
            dtype = f"{name}_dtype" if name in self.known else f"{python_name(name)}.dtype"
            if self.op.argument[name].is_optional:
                dtype = f"{dtype} if {python_name(name)} is not None else torch.float32"
            text = f"torch.promote_types({text}, {dtype})"
        return text

    def computed(self) -> Iterator[str]:
        """Yield a statement for each step."""
        for step in self.steps:
            value = step.value
            text = self.values.reduced(value) if isinstance(value, Reduced) else self.values.render(value)
            conditions = (each if holds else Unary("not", each, BOOL) for each, holds in step.when)
            when = " and ".join(self.values.render(each, Tightness.NOT) for each in conditions)
            yield f"{self.values.variables[step.name]} = {text}{f' if {when} else None' if when else ''}"

    # --- results ------------------------------------------------------------------------------------------------------
    def stored(self, store: Store, dtype: str) -> str:
        """Return the expression for a stored value as a tensor with the target's sizes and dtype."""
        values, space = self.values, self.values.space
        own = [dim.axis for dim in store.dims if dim.axis is not None]
        if values.is_number(store.value):
            shape = space.shape(store.dims)
            return f"torch.full({shape}, {values.render(store.value)}, dtype={dtype}, device={self.device_of}.device)"
        text = values.render(store.value, Tightness.ATOM)
        moved, dims = space.unsorted("", store.dims)
        if values.sure_axes(store.value) == set(own):
            text = self._squeezed(text, dims)
        elif all(axis.name in own for axis in self.axes):
            text = f"{text}.expand({space.shape(dims)})"
        else:
            text = self._squeezed(f"_spread({values.render(store.value)}, {space.spread(own)})", dims)
        return f"{text}{moved}.to({dtype})"

    def _squeezed(self, text: str, dims: tuple[Dim, ...]) -> str:
        """Drop the dims of axes that a target lacks, and add dims of size 1 that lie along no axis."""
        space = self.values.space
        names = [dim.axis for dim in dims]
        order = [axis.name for axis in self.axes]
        last = next((name for name in reversed(names) if name is not None), None)
        behind = order[order.index(last) + 1 :] if last is not None else order
        missing = [axis for axis in self.axes if axis.name not in names]
        if None not in names and not missing:
            return text
        if None not in names and [axis.name for axis in missing] == behind and not any(a.is_pack for a in missing):
            return text + ".squeeze(-1)" * len(missing)
        return f"{text}.reshape({space.shape(dims)})"

    def dtype_of(self, target: str) -> str:
        """Return the expression for a target's dtype, valid in front of the statements of ``widened``."""
        types = self.op.tensors
        spec = types.outputs.get(target)
        dtype = spec.dtype if isinstance(spec, OutputSpec) else None
        if dtype is None:
            held = self.types.of_argument(target)
            if len(held.names) == 1:
                return f"torch.{held.names[0]}"
            is_tied = bool(held.roots) and held.names == self.types.of_argument(held.roots[0]).names
            dtype = DtypeLike(held.roots[0] if is_tied else target)
        return self._dtype_text(dtype, target)

    def _dtype_text(self, dtype: ResolvedDtype, target: str) -> str:
        match dtype:
            case DtypeSet(names):
                return f"torch.{names[0]}"
            case DtypeLike(tensor):
                return f"{python_name(tensor)}.dtype"
            case DtypePromoted(arguments):
                return promoted([self.op.argument[name] for name in arguments])
            case DtypeArgument(argument, otherwise):
                name = python_name(argument)
                return f"{name} if {name} is not None else {self._dtype_text(otherwise, target)}" if otherwise else name
        raise ValueError(f"{target} has no dtype of its own")


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(name)}\b", text) is not None
