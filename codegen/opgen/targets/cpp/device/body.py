"""The device function of a CUDA kernel: it computes some points of the iteration space, or a row to be reduced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from opgen.model.compute.nodes import Load, Operand, Store, Value
from opgen.model.compute.steps import Reduced, Step, needed, value_in
from opgen.model.compute.walk import every
from opgen.targets.cpp.device.identifiers import Identifiers
from opgen.targets.cpp.device.values import Values
from opgen.targets.expressions.device_program import DeviceProgram, reduced_of
from opgen.targets.expressions.device_values import TypeKey
from opgen.targets.expressions.kernel_parameters import KernelParameters


class Body:
    """Writes the lines of the function, and collects the scalars and sizes in them, which the launcher must pass."""

    def __init__(self, program: DeviceProgram, names: Identifiers, loads: Mapping[Operand, TypeKey]) -> None:
        """Prepare; ``loads`` gives the type to read an operand in, where that isn't the operand's own."""
        self._program, self._names = program, names
        at, place = (
            {axis: f"{place}.offset[{program.number_of(axis)}]" for axis in program.indices}
            for place in ("at", "place")
        )
        self.values = Values(KernelParameters(), names.steps, names.loads, at, loads)
        self._of_row = replace(self.values, places=place)
        self._loaded: set[Operand] = set()

    def lines(self) -> Iterator[str]:
        """Yield the lines; only when all have been yielded is ``values.parameters`` complete."""
        if not self._program.reduces:
            yield from self._points(self._program.stores, ())
            return
        for steps in self._program.of_rows():
            if isinstance(steps[0].value, Reduced):
                yield from self._reductions(steps)
            else:
                yield from self._row_loads(value_in(steps[0].value))
                text, type_ = self._of_row.plain(value_in(steps[0].value))
                yield f"const {type_} {self._names.steps[steps[0].name]} = {text};"
        if once := [store for store in self._program.stores if store.per_row]:
            yield "if (threadIdx.x == 0) {"
            for store in once:
                yield from (f"  {line}" for line in self._row_loads(store.value))
                text, type_ = self._of_row.plain(store.value)
                member = f"{self._names.stores[store.target]}_"
                yield f"  device::store<{type_}, 1>({member}, place, {self._program.number_of(store)}, {{{text}}});"
            yield "}"
        if all_points := [store for store in self._program.stores if not store.per_row]:
            yield from self._walk(self._points(all_points, ()))

    def _walk(self, lines: Iterator[str]) -> Iterator[str]:
        yield "walk.each([&](const auto& at, auto count) {"
        yield "  constexpr int kCount = decltype(count)::value;"
        yield from (f"  {line}" for line in lines)
        yield "});"

    def _reductions(self, steps: Sequence[Step]) -> Iterator[str]:
        """Yield a pass over a row that takes several reductions at once."""
        for step in steps:
            name = self._names.steps[step.name]
            yield f"device::{self._part(reduced_of(step))} {name}_part;"
            yield f"{name}_part.start();"
        yield from self._walk(self._points((), steps))
        for step in steps:
            name, reduced = self._names.steps[step.name], reduced_of(step)
            count = str(reduced.correction) if reduced.function == "var" else "walk.count()"
            yield f"const auto {name} = device::joined({name}_part).result({count});"

    def _part(self, reduced: Reduced) -> str:
        return f"{reduced.function.capitalize()}<{self._taken_type(reduced)}>"

    def _taken_type(self, reduced: Reduced) -> str:
        if reduced.function in {"any", "all"}:
            return "bool"
        return self.values.type_of(reduced.value.type if reduced.function in {"argmax", "argmin"} else reduced.type)

    def _points(self, stores: Sequence[Store], reductions: Sequence[Step]) -> Iterator[str]:
        """Yield what is done for ``kCount`` points: load, compute one after the other, store."""
        values = [*(store.value for store in stores), *(reduced_of(step).value for step in reductions)]
        steps = needed(self._program.at_points, values)  # steps of a row have been computed before
        loaded = _loaded([*values, *(value_in(step.value) for step in steps)])
        for operand in loaded:
            name, type_, number = self._names.loads[operand], self._type(operand), self._program.number_of(operand)
            yield f"const auto {name}_pack = device::load<{type_}, kCount>({name}_, at, {number});"
        for store in stores:
            type_ = self.values.type_of(store.value.type)
            yield f"Pack<{type_}, kCount> {self._names.stores[store.target]}_pack;"
        yield "for (int j = 0; j < kCount; ++j) {"
        for operand in loaded:
            name = self._names.loads[operand]
            yield f"  const {self._type(operand)} {name} = {name}_pack.at[j];"
        for step in steps:
            text, type_ = self.values.plain(value_in(step.value))
            yield f"  const {type_} {self._names.steps[step.name]} = {text};"
        for store in stores:
            yield f"  {self._names.stores[store.target]}_pack.at[j] = {self.values.plain(store.value)[0]};"
        for step in reductions:
            taken = self.values.text(reduced_of(step).value, self._taken_type(reduced_of(step)))
            yield f"  {self._names.steps[step.name]}_part.take({taken}, at.along + j);"
        yield "}"
        for store in stores:
            name = self._names.stores[store.target]
            yield f"device::store({name}_, at, {self._program.number_of(store)}, {name}_pack);"

    def _row_loads(self, value: Value) -> Iterator[str]:
        """Yield the loads that a value of the whole row needs, unless an earlier value has loaded the same."""
        for operand in _loaded([value]):
            if operand in self._loaded:
                continue
            self._loaded.add(operand)
            name, type_, number = self._names.loads[operand], self._type(operand), self._program.number_of(operand)
            yield f"const {type_} {name} = device::load<{type_}, 1>({name}_, place, {number}).at[0];"

    def _type(self, operand: Operand) -> str:
        return self.values.load_type(operand, self._program.types[operand])


def _loaded(values: Sequence[Value]) -> list[Operand]:
    return [*dict.fromkeys(each.operand for value in values for each in every(value) if isinstance(each, Load))]
