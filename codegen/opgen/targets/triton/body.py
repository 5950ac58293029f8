"""The body of a Triton kernel: loads, statements and stores, for a block of points or in loops over a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from opgen.model.compute.dtypes import TensorTypes
from opgen.model.compute.nodes import Index, Load, Operand, Store, Value
from opgen.model.compute.steps import Reduced, Step, needed, value_in
from opgen.model.compute.walk import every
from opgen.model.tensors import TensorContract
from opgen.spec.dtypes import FLOAT8
from opgen.spec.kernel_written import Tightness
from opgen.targets.expressions.device_program import DeviceProgram, reduced_of
from opgen.targets.expressions.kernel_parameters import KernelParameters
from opgen.targets.triton.identifiers import Identifiers, given_name
from opgen.targets.triton.values import Values

_SIMPLE = {
    "sum": ("zeros", "add", "total"),
    "mean": ("zeros", "add", "total"),
    "prod": ("ones", "multiply", "product"),
    "max": ("lowest", "maximum", "most"),
    "min": ("highest", "minimum", "least"),
    "any": ("zeros", "maximum", "most"),
    "all": ("ones", "minimum", "least"),
}
"""For each simple reduction: initial block, update by a block of values, reduction of the block to a scalar."""


class Body:
    """Writes the statements of a kernel, and collects the scalars and sizes in them, which the launcher must pass."""

    def __init__(self, program: DeviceProgram, contract: TensorContract, names: Identifiers) -> None:
        """Prepare."""
        self.parameters = KernelParameters()
        self._program, self._types, self._names = program, TensorTypes(contract), names
        self._values = Values(self.parameters, names.steps, names.loads, names.indices)

    def lines(self) -> Iterator[str]:
        """Yield the statements; only when all have been yielded is ``parameters`` complete."""
        if not self._program.reduces:
            yield from self._points(self._program.stores)
            return
        yield from self._row_loads()
        for steps in self._program.of_rows():
            if isinstance(steps[0].value, Reduced):
                yield from self._passes(steps)
            else:
                yield self._assignment(steps[0])
        for store in self._program.stores:
            if store.per_row:
                place = self._row_offset(self._names.stores[store.target])
                yield f"tl.store({self._pointer(store)} + {place}, {self._stored(store)})"
        if everywhere := [store for store in self._program.stores if not store.per_row]:
            yield from self._walk(self._points(everywhere))

    def scalars(self) -> Iterator[str]:
        """Yield the statements, first in the kernel, that convert passed scalars to the types that are computed in."""
        for argument, scalar in self.parameters.scalars.items():
            passed = f"{argument}_passed"
            if scalar.type.kind == "bool":
                yield f"{argument}_scalar = integer({passed}) != 0"
            else:
                yield f"{argument}_scalar = {'integer' if scalar.type.kind == 'int' else 'number'}({passed})"
        yield from (f"{name}_scalar = integer({name}_passed)" for name in self.parameters.sizes.values())
        for name in self.parameters.types.values():
            other = f"tl.float32 if {name}_KIND == 1 else tl.int64"
            yield f"{name}: tl.constexpr = tl.float64 if {name}_KIND == 2 else {other}"

    # --- reductions ---------------------------------------------------------------------------------------------------
    def _passes(self, steps: Sequence[Step]) -> Iterator[str]:
        """Yield the loops over a row for reductions that don't use each other: one loop for all the simple ones."""
        simple = [step for step in steps if reduced_of(step).function in _SIMPLE]
        for step in simple:
            kind = self._part_type(reduced_of(step))
            yield f"{self._names.steps[step.name]}_part = {_SIMPLE[reduced_of(step).function][0]}([BLOCK], {kind})"
        if simple:
            yield from self._walk(self._taken(simple))
        for step in simple:
            yield from self._result(step)
        for step in steps:
            if step not in simple:
                yield from self._in_two_walks(step)

    def _result(self, step: Step) -> Iterator[str]:
        reduced, name = reduced_of(step), self._names.steps[step.name]
        text = f"{_SIMPLE[reduced.function][2]}({name}_part)"
        if reduced.function == "mean":
            text += f" / convert(integer(columns), {self._part_type(reduced)})"
        yield f"{name} = {f'{text} != 0' if reduced.function in {'any', 'all'} else text}"

    def _part_type(self, reduced: Reduced) -> str:
        if reduced.function in {"any", "all"}:
            return "tl.int32"
        return self._values.type_of(reduced.value.type if reduced.function in {"argmax", "argmin"} else reduced.type)

    def _taken(self, steps: Sequence[Step]) -> Iterator[str]:
        yield from self._computed([reduced_of(step).value for step in steps])
        for step in steps:
            reduced, part = reduced_of(step), f"{self._names.steps[step.name]}_part"
            kind = self._part_type(reduced)
            value = self._values.text(reduced.value, "tl.int1" if kind == "tl.int32" else kind)
            value = f"convert({value}, tl.int32)" if kind == "tl.int32" else value
            yield f"{part} = tl.where(inside, {_SIMPLE[reduced.function][1]}({value}, {part}), {part})"

    def _in_two_walks(self, step: Step) -> Iterator[str]:
        """Yield a ``var``, ``logsumexp``, ``argmax`` or ``argmin``, which needs two loops over the row."""
        reduced, name = reduced_of(step), self._names.steps[step.name]
        kind = self._part_type(reduced)
        value = self._values.text(reduced.value, kind, Tightness.SUM)
        before = [*self._computed([reduced.value])]
        begin, take, end = _SIMPLE[{"var": "mean", "argmin": "min"}.get(reduced.function, "max")]

        def walk(part: str, taken: str) -> Iterator[str]:
            return self._walk([*before, f"{part} = tl.where(inside, {taken}, {part})"])

        yield f"{name}_part = {begin}([BLOCK], {kind})"
        yield from walk(f"{name}_part", f"{take}({value}, {name}_part)")
        yield f"{name}_all = {end}({name}_part)"
        if reduced.function == "var":
            yield f"{name}_all = {name}_all / convert(integer(columns), {kind})"
            yield f"{name}_part = zeros([BLOCK], {kind})"
            yield from walk(f"{name}_part", f"{name}_part + square({value} - {name}_all)")
            count = f"convert(integer(columns), {kind}) - {reduced.correction}"
            yield f"{name} = total({name}_part) / tl.maximum({count}, 0)"
        elif reduced.function == "logsumexp":
            yield f"{name}_all = tl.where(isinf({name}_all), 0.0, {name}_all)"
            yield f"{name}_part = zeros([BLOCK], {kind})"
            yield from walk(f"{name}_part", f"{name}_part + exp({value} - {name}_all)")
            yield f"{name} = {name}_all + log(total({name}_part))"
        else:
            is_best = f"({value} == {name}_all) | ({value} != {value}) & ({name}_all != {name}_all)"
            yield f"{name}_place = highest([BLOCK], tl.int64)"
            taken = f"tl.where({is_best}, tl.minimum(column, {name}_place), {name}_place)"
            yield from walk(f"{name}_place", taken)
            yield f"{name} = least({name}_place)"

    def _walk(self, lines: Iterable[str]) -> Iterator[str]:
        yield "for start in range(0, columns, BLOCK):"
        yield "    column = start + tl.arange(0, BLOCK).to(tl.int64)"
        yield "    inside = column < columns"
        yield from (f"    {line}" for line in lines)

    # --- points -------------------------------------------------------------------------------------------------------
    def _points(self, stores: Sequence[Store]) -> Iterator[str]:
        yield from self._computed([store.value for store in stores])
        for store in stores:
            place = self._offset(self._names.stores[store.target])
            yield f"tl.store({self._pointer(store)} + {place}, {self._stored(store)}, mask=inside)"

    def _computed(self, values: Sequence[Value]) -> Iterator[str]:
        """Yield the loads and steps that values at a point need."""
        used = needed(self._program.at_points, values)  # steps of a row have been computed before
        everything = [*values, *(value_in(step.value) for step in used)]
        nodes = [each for value in everything for each in every(value)]
        for operand in dict.fromkeys(each.operand for each in nodes if isinstance(each, Load)):
            if not self._program.is_of_row(operand):
                yield from self._load(operand, self._offset(self._names.loads[operand]), "inside")
        for axis in dict.fromkeys(each.axis for each in nodes if isinstance(each, Index)):
            name = self._names.indices[axis]
            if not self._program.is_of_row(axis):
                yield f"{name} = tl.load({name}_pointer + {self._offset(name)}, mask=inside, other=0)"
        yield from map(self._assignment, used)

    def _assignment(self, step: Step) -> str:
        return f"{self._names.steps[step.name]} = {self._values.text(value_in(step.value))}"

    def _pointer(self, store: Store) -> str:
        return f"{self._names.stores[store.target]}_pointer"

    def _stored(self, store: Store) -> str:
        return f"convert({self._values.text(store.value)}, {self._pointer(store)}.dtype.element_ty)"

    def _offset(self, name: str) -> str:
        along = f" + column * {name}_column" if self._program.reduces else ""
        return f"first * {name}_outer + second * {name}_inner{along}"

    def _row_offset(self, name: str) -> str:
        return f"integer(first * {name}_outer + second * {name}_inner)"

    def _load(self, operand: Operand, offset: str, mask: str) -> Iterator[str]:
        name, kind = self._names.loads[operand], self._values.type_of(self._program.types[operand])
        held = self._types.of_argument(operand.argument)
        zero = "0.0" if set(FLOAT8) & set(held.names) else "0"  # Triton converts no integer to float8
        masked = f", mask={mask}, other={zero}" if mask else ""
        text = f"{name} = convert(tl.load({name}_pointer + {offset}{masked}), {kind})"
        if not operand.is_optional:
            yield text
            return
        yield f"if {self.parameters.given.setdefault(operand.argument, given_name(operand.argument))}:"
        yield f"    {text}"
        yield "else:"
        yield f"    {name} = zeros([BLOCK], {kind})" if mask else f"    {name} = zeros([1], {kind})"

    def _row_loads(self) -> Iterator[str]:
        """Yield the loads of operands that are the same at all points of a row.

        They come before any loop, since a variable must not change its shape inside of a Triton loop.
        """
        for operand in filter(self._program.is_of_row, self._program.loads):
            yield from self._load(operand, self._row_offset(self._names.loads[operand]), "")
        for axis in filter(self._program.is_of_row, self._program.indices):
            name = self._names.indices[axis]
            yield f"{name} = tl.load({name}_pointer + {self._row_offset(name)})"
