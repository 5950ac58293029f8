"""Emits ``generated/csrc/expressions/cuda/OP.cu``: the kernel of an expression, in CUDA."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from opgen.model.compute.nodes import Axis, Dim, Index, Load, Operand, Program, Store, Value, ValueType
from opgen.model.compute.steps import Reduced, Step, needed, steps_of, value_in
from opgen.model.compute.varying import axes_of_steps
from opgen.model.compute.walk import every
from opgen.model.op import Library, Op
from opgen.model.tensors import Kernel
from opgen.records import dataclass
from opgen.spec.expression import Constant
from opgen.spec.kernel_written import render as render_written
from opgen.targets.cpp.device.values import Values
from opgen.targets.cpp.expressions.element_lists import ElementLists
from opgen.targets.cpp.expressions.types import Types
from opgen.targets.cpp.header import header_path
from opgen.targets.cpp.library import LibraryView
from opgen.targets.cpp.signature import kernel_signature, kernel_symbol
from opgen.targets.cpp.skeleton import sizes
from opgen.targets.cpp.unused import unused_arguments
from opgen.targets.dtypes import scalar_type
from opgen.targets.expressions.cpp import render_cpp
from opgen.targets.expressions.device_values import TypeKey, type_key
from opgen.targets.expressions.handed import Members
from opgen.targets.expressions.names import Names
from opgen.targets.names import cpp_name
from opgen.targets.output import OutputFile
from opgen.targets.templates import render

_RESERVED = frozenset({"at", "j", "place", "walk", "kernel", "space", "acc", "count", "data", "bytes", "acc_t"})


@dataclass(frozen=True, slots=True)
class DeviceKernelView:
    """One kernel.

    Attributes:
        op: the qualified name.
        expression: what was written, for a comment.
        headers: as an ``#include`` spells them.
        namespace: of the kernel.
        using: the namespace with the header's names, where they aren't in sight.
        struct: the name of the struct.
        types: parameters of its template, what is handed to one that takes such a type, and the call that chooses it by
            dtypes.
        head: of the function.
        sizes: declarations of the named sizes.
        axes: of the iteration space.
        operands: as they are placed in it.
        elements: element types, member and the expression that makes it, of each operand; empty for places along an axis.
        members: type, name and value of what else is handed over.
        body: the lines of the function that computes.
        reduces: whether there are reductions.
        on: the tensor whose device and stream are used.
        space: the variable of the function that is the iteration space.
        launched: the one that is the struct.
        unused: statements for arguments that nothing of this mentions.
    """

    op: str
    expression: str
    headers: tuple[str, ...]
    namespace: str
    using: str
    struct: str
    types: tuple[tuple[str, str, str], ...]
    head: str
    sizes: tuple[str, ...]
    axes: tuple[str, ...]
    operands: tuple[str, ...]
    elements: tuple[tuple[str, str, str], ...]
    members: tuple[tuple[str, str, str], ...]
    body: tuple[str, ...]
    reduces: bool
    on: str
    space: str
    launched: str
    unused: tuple[str, ...]


def device_kernel_file(library: Library, op: Op, program: Program, kernel: Kernel) -> OutputFile:
    """Emit the file."""
    first = _Writer(library, op, program, kernel, {})
    first.view()
    # What all of its uses want in one type is read in that type, so that its own needs no code.
    loads = {operand: next(iter(found)) for operand, found in first.values.wanted.items() if len(found) == 1}
    return OutputFile(kernel.path, render("cpp/expression.cu.j2", _Writer(library, op, program, kernel, loads).view()))


class _Writer:
    def __init__(
        self, library: Library, op: Op, program: Program, kernel: Kernel, loads: Mapping[Operand, TypeKey]
    ) -> None:
        self.library, self.op, self.program, self.kernel = library, op, program, kernel
        self.names = Names.of(op, cpp_name)
        self.steps = steps_of(program)
        self.stores = program.stores
        values = [*(value_in(step.value) for step in self.steps), *(store.value for store in self.stores)]
        nodes = [each for value in values for each in every(value)]
        self.loads = tuple(dict.fromkeys(each.operand for each in nodes if isinstance(each, Load)))
        self.indices = tuple(dict.fromkeys(each.axis for each in nodes if isinstance(each, Index)))
        self.types = {each.operand: each.type for each in nodes if isinstance(each, Load)}
        self.taken = set(_RESERVED)
        self.operand_names = {operand: self._free(cpp_name(operand.argument)) for operand in self.loads}
        self.store_names = {store.target: self._free(cpp_name(store.target)) for store in self.stores}
        self.step_names = {step.name: self._free(cpp_name(step.name)) for step in self.steps}
        self.members = Members()
        self.places = {axis: f"at.offset[{self._number_of(axis)}]" for axis in self.indices}
        self.values = Values(self.members, self.step_names, self.operand_names, self.places, loads)
        self.lists = ElementLists(op, Types(op, self._free))
        self.axes = axes_of_steps(self.steps)
        self.loaded_once: set[Operand] = set()

    def _free(self, name: str) -> str:
        """Return an identifier; those that are made of it, of a member and of several elements, are free as well."""
        made = ("", "_", "_pack", "_part")
        while any(f"{name}{end}" in self.taken for end in made):
            name += "_"
        self.taken.update(f"{name}{end}" for end in made)
        return name

    def _number_of(self, what: Operand | Store | str) -> int:
        return [*self.stores, *self.loads, *self.indices].index(what)

    def view(self) -> DeviceKernelView:
        namespace, _, name = kernel_symbol(self.kernel).rpartition("::")
        folder = LibraryView.of(self.library).folder
        body = tuple(self._body())
        types, axes, operands = tuple(self._types()), tuple(map(self._axis, self.program.axes)), tuple(self._operands())
        elements, members, sized = tuple(self._elements()), tuple(self._members()), tuple(sizes(self.op))
        handed = [maker for *_, maker in (*types, *elements, *members)]
        maths = "reductions" if self.program.reduced else "maths"
        return DeviceKernelView(
            op=self.op.qualified_name,
            expression="\n".join(_written(self.op)),
            headers=(header_path(self.library, self.op), *(f"{folder}/device/{part}.h" for part in (maths, "walk"))),
            namespace=namespace,
            using=""
            if namespace.partition("::")[0] in {self.op.namespace, self.library.namespace}
            else f"::{self.library.namespace}",
            struct="".join(part.capitalize() for part in self.op.identifier.split("_")) + "Kernel",
            types=types,
            head=kernel_signature(self.op, self.kernel).declare(name),
            sizes=sized,
            axes=axes,
            operands=operands,
            elements=elements,
            members=members,
            body=body,
            reduces=bool(self.program.reduced),
            on=self._on(),
            space=self.names.local("space"),
            launched=self.names.local("kernel"),
            unused=unused_arguments(self.op, [*sized, *axes, *operands, *handed, self._on()]),
        )

    def _on(self) -> str:
        plain = [self.op.argument[each.argument] for each in self.loads if not each.is_optional]
        targets = [cpp_name(store.target) for store in self.stores]
        return next(iter([cpp_name(argument.name) for argument in plain]), targets[0])

    # --- what the host does -------------------------------------------------------------------------------------------
    def _axis(self, axis: Axis) -> str:
        size = "device::kPackOfDims" if axis.size is None else render_cpp(axis.size, self.names)
        return f"{{{size}, true}}" if axis.name in self.program.reduced else f"{{{size}}}"

    def _operands(self) -> Iterator[str]:
        for store in self.stores:
            yield f"device::Operand({cpp_name(store.target)}, {self._dims(store.dims)})"
        for operand in self.loads:
            start = "" if operand.start in {None, Constant(0)} else f", {render_cpp(operand.start, self.names)}"
            yield f"device::Operand({cpp_name(operand.argument)}, {self._dims(operand.dims)}{start})"
        for axis in self.indices:
            yield f"device::Operand({self._place(axis)})"

    def _dims(self, dims: Sequence[Dim]) -> str:
        places = ("device::kNone" if dim.axis is None else str(self._place(dim.axis)) for dim in dims)
        return f"{{{', '.join(places)}}}"

    def _place(self, axis: str) -> int:
        return [each.name for each in self.program.axes].index(axis)

    def _elements(self) -> Iterator[tuple[str, str, str]]:
        for store in self.stores:
            name = store.target
            elements = self._element_list(name, store.value.type, is_output=name not in self.op.argument)
            yield elements, f"{self.store_names[name]}_", f"device::Memory::written({cpp_name(name)})"
        for operand in self.loads:
            read = self.values.loads.get(operand, type_key(self.types[operand]))
            is_own = read == type_key(self.types[operand])
            elements = self._element_list(operand.argument, self.types[operand] if is_own else None, is_output=False)
            yield elements, f"{self.operand_names[operand]}_", f"device::Memory({cpp_name(operand.argument)})"
        yield from (("", "", "") for _ in self.indices)

    def _element_list(self, tensor: str, type_: ValueType | None, *, is_output: bool) -> str:
        """Return the element types of an operand; where its dtype decides what is computed in, those that have come to that."""
        listed = self.lists.of(tensor, is_output=is_output)
        if type_ is None or type_.weak or not isinstance(type_key(type_), tuple):
            return listed
        is_own = self.lists.types.is_own(tensor, type_, is_output=is_output)
        return f"device::own_t<{self.values.type_of(type_)}, {listed}>" if is_own else listed

    def _members(self) -> Iterator[tuple[str, str, str]]:
        for argument, scalar in self.members.scalars.items():
            type_ = {"bool": "bool", "int": "int64_t"}.get(scalar.type.kind, "double")
            name = cpp_name(argument)
            yield type_, f"{argument}_", f"{name} ? *{name} : {type_}(0)" if scalar.is_optional else name
        for size, name in self.members.sizes.items():
            yield "int64_t", name, render_cpp(size, self.names)
        for argument, name in self.members.given.items():
            yield "bool", name, f"{cpp_name(argument)}.has_value()"
        for (tensors, dtypes), name in self.members.widths.items():
            yield "device::Width", name, f"device::Width::of({{{', '.join(self._dtypes(tensors, dtypes))}}})"

    def _dtypes(self, tensors: Iterable[str], dtypes: Iterable[str]) -> list[str]:
        return [f"device::dtype_of({cpp_name(name)})" for name in tensors] + [scalar_type(dtype) for dtype in dtypes]

    def _types(self) -> Iterator[tuple[str, str, str]]:
        for (tensors, dtypes, may_be_integer), name in self.members.types.items():
            found = ", ".join(self._dtypes(tensors, dtypes))
            chosen = self.names.local(name.removesuffix("_t"))
            yield name, chosen, f"device::with_{'number' if may_be_integer else 'float'}({{{found}}}"

    # --- what the device does -----------------------------------------------------------------------------------------
    def _body(self) -> Iterator[str]:
        """Yield the lines of the function that computes: a point or several, or a row."""
        if not self.program.reduced:
            yield from self._points(self.stores, [])
            return
        reduced = frozenset(self.program.reduced)
        pending: list[Step] = []
        for step in self.steps:
            is_reduction = isinstance(step.value, Reduced)
            if not is_reduction and self.axes[step.name] & reduced:
                continue  # computed in each pass that uses it
            if {each.name for each in needed(self.steps, [value_in(step.value)])} & {each.name for each in pending}:
                yield from self._reductions(pending)
                pending = []
            if is_reduction:
                pending.append(step)
            else:
                yield from self._row_loads([value_in(step.value)])
                text, type_ = self._of_row(value_in(step.value))
                yield f"const {type_} {self.step_names[step.name]} = {text};"
        yield from self._reductions(pending)
        if once := [store for store in self.stores if store.per_row]:
            yield "if (threadIdx.x == 0) {"
            for store in once:
                yield from (f"  {line}" for line in self._row_loads([store.value]))
                text, type_ = self._of_row(store.value)
                number = self._number_of(store)
                member = f"{self.store_names[store.target]}_"
                yield f"  device::store<{type_}, 1>({member}, place, {number}, {{{text}}});"
            yield "}"
        if all_points := [store for store in self.stores if not store.per_row]:
            yield "walk.each([&](const auto& at, auto count) {"
            yield "  constexpr int kCount = decltype(count)::value;"
            yield from (f"  {line}" for line in self._points(all_points, []))
            yield "});"

    def _of_row(self, value: Value) -> tuple[str, str]:
        """Render a value of a whole row, whose place is another one than those of its points."""
        text, type_ = self.values.plain(value)
        return text.replace("at.offset[", "place.offset["), type_

    def _reductions(self, steps: Sequence[Step]) -> Iterator[str]:
        """Yield a pass over a row that takes several reductions at once."""
        if not steps:
            return
        for step in steps:
            yield f"device::{self._part(step)} {self.step_names[step.name]}_part;"
            yield f"{self.step_names[step.name]}_part.start();"
        yield "walk.each([&](const auto& at, auto count) {"
        yield "  constexpr int kCount = decltype(count)::value;"
        yield from (f"  {line}" for line in self._points((), steps))
        yield "});"
        for step in steps:
            reduced = _reduced(step)
            name, count = (
                self.step_names[step.name],
                str(reduced.correction) if reduced.function == "var" else "walk.count()",
            )
            yield f"const auto {name} = device::joined({name}_part).result({count});"

    def _part(self, step: Step) -> str:
        return f"{_reduced(step).function.capitalize()}<{self._taken_type(_reduced(step))}>"

    def _taken_type(self, reduced: Reduced) -> str:
        if reduced.function in {"any", "all"}:
            return "bool"
        return self.values.type_of(reduced.value.type if reduced.function in {"argmax", "argmin"} else reduced.type)

    def _points(self, stores: Sequence[Store], reductions: Sequence[Step]) -> Iterator[str]:
        """Yield what is done for ``kCount`` points: load, compute one after the other, store."""
        values = [*(store.value for store in stores), *(_reduced(step).value for step in reductions)]
        reduced = frozenset(self.program.reduced)
        steps = [
            step
            for step in needed(self.steps, values)
            if not isinstance(step.value, Reduced) and (not reduced or self.axes[step.name] & reduced)
        ]
        for operand in self._loaded([*values, *(value_in(step.value) for step in steps)]):
            name, type_ = self.operand_names[operand], self.values.load_type(operand, self.types[operand])
            number = self._number_of(operand)
            yield f"const auto {name}_pack = device::load<{type_}, kCount>({name}_, at, {number});"
        for store in stores:
            yield f"Pack<{self.values.type_of(store.value.type)}, kCount> {self.store_names[store.target]}_pack;"
        yield "for (int j = 0; j < kCount; ++j) {"
        for operand in self._loaded([*values, *(value_in(step.value) for step in steps)]):
            name, type_ = self.operand_names[operand], self.values.load_type(operand, self.types[operand])
            yield f"  const {type_} {name} = {name}_pack.at[j];"
        for step in steps:
            text, type_ = self.values.plain(value_in(step.value))
            yield f"  const {type_} {self.step_names[step.name]} = {text};"
        for store in stores:
            yield f"  {self.store_names[store.target]}_pack.at[j] = {self.values.plain(store.value)[0]};"
        for step in reductions:
            taken = self.values.text(_reduced(step).value, self._taken_type(_reduced(step)))
            yield f"  {self.step_names[step.name]}_part.take({taken}, at.along + j);"
        yield "}"
        for store in stores:
            name = self.store_names[store.target]
            yield f"device::store({name}_, at, {self._number_of(store)}, {name}_pack);"

    def _loaded(self, values: Sequence[Value]) -> list[Operand]:
        return [*dict.fromkeys(each.operand for value in values for each in every(value) if isinstance(each, Load))]

    def _row_loads(self, values: Sequence[Value]) -> Iterator[str]:
        """Yield what a value of the whole row needs of memory."""
        for operand in self._loaded(values):
            if operand in self.loaded_once:
                continue
            self.loaded_once.add(operand)
            name, type_ = self.operand_names[operand], self.values.load_type(operand, self.types[operand])
            number = self._number_of(operand)
            yield f"const {type_} {name} = device::load<{type_}, 1>({name}_, place, {number}).at[0];"


def _reduced(step: Step) -> Reduced:
    if not isinstance(step.value, Reduced):
        raise TypeError(f"'{step.name}' is no reduction")
    return step.value


def _written(op: Op) -> Iterator[str]:
    """Yield the expressions as their author wrote them."""
    for entry in (*op.spec.reduce, *op.spec.pointwise):
        yield (
            f"{entry.key.value}: {render_written(entry.expression)}" if entry.key else render_written(entry.expression)
        )
