"""Emits ``generated/PACKAGE/_triton_kernels/OP.py``: the kernel of an expression, in Triton."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from opgen.model.compute.dtypes import TensorTypes
from opgen.model.compute.nodes import Axis, Index, Load, Operand, Program, Store, Value
from opgen.model.compute.steps import Reduced, Step, needed, steps_of, value_in
from opgen.model.compute.varying import axes_of_steps
from opgen.model.compute.walk import every
from opgen.model.op import Library, Op
from opgen.model.tensors import BindPack, BindSize, SolveSize
from opgen.records import dataclass
from opgen.spec.dtypes import FLOAT8
from opgen.spec.kernel_written import Tightness
from opgen.spec.kernel_written import render as render_written
from opgen.targets.expressions import Names, render_python
from opgen.targets.expressions.handed import Members
from opgen.targets.names import python_name
from opgen.targets.output import OutputFile
from opgen.targets.python.layout import lay_out, lay_out_body, py_string
from opgen.targets.python.place import folder
from opgen.targets.python.sizes import size_text
from opgen.targets.python.types import passed_type
from opgen.targets.templates import render, templates_folder
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
"""What a block begins with, how a value is taken in, how a block becomes one value."""

_IMPORTED = frozenset({"torch", "triton", "tl", "Tensor", "wrap_triton", "Space"})
_IMPORTED |= {"bits", "block_for", "kind", "width"}
_OF_LAUNCHER = _IMPORTED | {"space", "count", "operands", "block", "part", "tensor", "strides", "meta"}
_OF_LAUNCHER |= {"zip", "min", "max"}
"""What the function that launches uses unqualified."""

_OF_KERNEL = _IMPORTED | {"row", "first", "second", "start", "column", "columns", "inside", "outer", "inner", "place"}
_OF_KERNEL |= {"ACC", "BLOCK", "CONFIGS", "range", "float"}
"""What the kernel uses unqualified, beside the functions of the template ``_MATHS``."""

_MATHS = "triton/maths.py.j2"


@dataclass(frozen=True, slots=True)
class TritonKernelView:
    """One kernel.

    Attributes:
        op: the qualified name.
        expression: what was written, for a comment.
        name: of the function that launches.
        head: of that function, laid out.
        sizes: statements that bind the named sizes.
        space: the statement that makes the iteration space, laid out.
        pointers: names of the operands in the kernel, in the same order.
        scalars: parameters of the kernel.
        constants: the same for what a kernel is compiled for.
        passed: what is passed for either, laid out.
        loaded: statements that make scalars values, laid out.
        body: statements of the kernel, laid out.
        reduces: whether there are reductions.
        restored: the argument that names the pointers which are written, laid out.
    """

    op: str
    expression: str
    name: str
    head: str
    sizes: tuple[str, ...]
    space: str
    pointers: tuple[str, ...]
    scalars: tuple[str, ...]
    constants: tuple[str, ...]
    passed: tuple[str, ...]
    loaded: tuple[str, ...]
    body: tuple[str, ...]
    reduces: bool
    restored: str


def triton_kernel_file(library: Library, op: Op, program: Program) -> OutputFile:
    """Emit the file."""
    path = f"{folder(library)}/_triton_kernels/{python_name(op.identifier)}.py"
    return OutputFile(path, render("triton/kernel.py.j2", _Writer(op, program).view()))


class _Writer:
    def __init__(self, op: Op, program: Program) -> None:
        self.op, self.program = op, program
        self.names = Names.of(op, _launcher_name)
        self.steps = steps_of(program)
        values = [*(value_in(step.value) for step in self.steps), *(store.value for store in program.stores)]
        nodes = [each for value in values for each in every(value)]
        self.loads = tuple(dict.fromkeys(each.operand for each in nodes if isinstance(each, Load)))
        self.indices = tuple(dict.fromkeys(each.axis for each in nodes if isinstance(each, Index)))
        self.types = {each.operand: each.type for each in nodes if isinstance(each, Load)}
        self.taken = set(_taken_in_kernel())
        self.load_names = {operand: self._free(python_name(operand.argument)) for operand in self.loads}
        self.index_names = {axis: self._free(f"index_{python_name(axis)}") for axis in self.indices}
        self.store_names = {store.target: self._free(python_name(store.target)) for store in program.stores}
        self.step_names = {step.name: self._free(python_name(step.name)) for step in self.steps}
        self.members = Members()
        self.values = Values(self.members, self.step_names, self.load_names, self.index_names)
        self.axes = axes_of_steps(self.steps)
        self.reduces = bool(program.reduced)

    def _free(self, name: str) -> str:
        while name in self.taken or f"{name}_pointer" in self.taken:
            name += "_"
        self.taken.update((name, f"{name}_pointer"))
        return name

    def view(self) -> TritonKernelView:
        body = tuple(lay_out_body(self._body()))
        pointers = (*self.store_names.values(), *self.load_names.values(), *self.index_names.values())
        parameters = [
            f"{self.names.argument(argument.name)}: {passed_type(argument, self.op)}" for argument in self.op.arguments
        ]
        parameters += (f"{self.names.argument(output.name)}: Tensor" for output in self.op.fresh_outputs)
        name = python_name(self.op.identifier)
        restored = [py_string(f"{each}_pointer") for each in self.store_names.values()]
        axes, operands = ", ".join(map(self._axis, self.program.axes)), ", ".join(self._operands())
        scalars, constants = tuple(self._scalars()), tuple(self._constants())
        passed = [*(f"{text}," for _, text in scalars), *(f"{name}={text}," for name, text in constants)]
        host = " ".join([axes, operands, *(text for _, text in (*scalars, *constants))])
        return TritonKernelView(
            op=self.op.qualified_name,
            expression="\n".join(written(self.op)),
            name=name,
            head=lay_out(f"def fill_{name}({', '.join(parameters)}) -> None:"),
            sizes=tuple(self._sizes(host)),
            space=lay_out(f"space = Space([{axes}], [{operands}], {len(self.program.stores)})", 1),
            pointers=pointers,
            scalars=tuple(name for name, _ in scalars),
            constants=tuple(name for name, _ in constants),
            passed=tuple(lay_out(text, 2) for text in passed),
            loaded=tuple(lay_out_body(self._loaded_scalars())),
            body=body,
            reduces=self.reduces,
            restored=lay_out(f"restore_value=[{', '.join(restored)}],", 1),
        )

    # --- what the host does -------------------------------------------------------------------------------------------
    def _sizes(self, host: str) -> Iterator[str]:
        lines: list[str] = []
        for step in reversed(self.op.tensors.steps):
            check = step.check
            if step.given or step.each or not isinstance(check, BindSize | BindPack | SolveSize):
                continue
            name = self.names.value(check.name)
            if re.search(rf"\b{name}\b", host):
                lines.append(f"{name} = {size_text(step, self.names)}")
                host += lines[-1].partition(" = ")[2]
        yield from reversed(lines)

    def _axis(self, axis: Axis) -> str:
        size = "None" if axis.size is None else render_python(axis.size, self.names)
        return f"({size}, {axis.name in self.program.reduced})"

    def _operands(self) -> Iterator[str]:
        def places(dims: Iterable[str | None]) -> str:
            found = ["None" if axis is None else str(self._place(axis)) for axis in dims]
            return f"({', '.join(found)}{',' if len(found) == 1 else ''})"

        for store in self.program.stores:
            yield f"({self.names.argument(store.target)}, {places(dim.axis for dim in store.dims)})"
        for operand in self.loads:
            tensor = self.names.argument(operand.argument)
            if operand.start is not None:
                bound = render_python(operand.start, self.names)
                start = f"{tensor}[..., {bound}{'' if bound.isidentifier() or bound.isdigit() else ' '}:]"
                tensor = f"None if {tensor} is None else {start}" if operand.is_optional else start
            yield f"({tensor}, {places(dim.axis for dim in operand.dims)})"
        for axis in self.indices:
            size = self.program.axis[axis].size
            assert size is not None  # noqa: S101 - an index is along a single axis
            device = f"{self.names.argument(self.program.stores[0].target)}.device"
            yield f"(torch.arange({render_python(size, self.names)}, device={device}), ({self._place(axis)},))"

    def _place(self, axis: str) -> int:
        return [each.name for each in self.program.axes].index(axis)

    def _scalars(self) -> Iterator[tuple[str, str]]:
        for argument, scalar in self.members.scalars.items():
            name = self.names.argument(argument)
            text = f"0 if {name} is None else {name}" if scalar.is_optional else name
            yield f"{argument}_passed", text if scalar.type.kind in {"bool", "int"} else f"bits({text})"
        for size, name in self.members.sizes.items():
            yield f"{name}_passed", render_python(size, self.names)

    def _constants(self) -> Iterator[tuple[str, str]]:
        for argument, name in self.members.given.items():
            yield name, f"{self.names.argument(argument)} is not None"
        for operand in self.loads:
            if operand.is_optional and operand.argument not in self.members.given:
                yield f"HAS_{operand.argument.upper()}", f"{self.names.argument(operand.argument)} is not None"
        for (tensors, dtypes), name in self.members.widths.items():
            yield name, f"width({', '.join(self._dtypes(tensors, dtypes))})"
        for (tensors, dtypes, may_be_integer), name in self.members.types.items():
            yield f"{name}_KIND", f"kind({not may_be_integer}, {', '.join(self._dtypes(tensors, dtypes))})"

    def _dtypes(self, tensors: Iterable[str], dtypes: Iterable[str]) -> Iterator[str]:
        for name in tensors:
            tensor = self.names.argument(name)
            dtype = f"{tensor}.dtype"
            yield f"None if {tensor} is None else {dtype}" if self.op.argument[name].is_optional else dtype
        yield from (f"torch.{dtype}" for dtype in dtypes)

    def _loaded_scalars(self) -> Iterator[str]:
        for argument, scalar in self.members.scalars.items():
            passed = f"{argument}_passed"
            if scalar.type.kind == "bool":
                yield f"{argument}_scalar = integer({passed}) != 0"
            else:
                yield f"{argument}_scalar = {'integer' if scalar.type.kind == 'int' else 'number'}({passed})"
        yield from (f"{name}_scalar = integer({name}_passed)" for name in self.members.sizes.values())
        for name in self.members.types.values():
            other = f"tl.float32 if {name}_KIND == 1 else tl.int64"
            yield f"{name}: tl.constexpr = tl.float64 if {name}_KIND == 2 else {other}"

    # --- what the device does -----------------------------------------------------------------------------------------
    def _body(self) -> Iterator[str]:
        if not self.reduces:
            yield from self._points(self.program.stores, self.steps)
            return
        reduced = frozenset(self.program.reduced)
        varying = [
            step for step in self.steps if not isinstance(step.value, Reduced) and self.axes[step.name] & reduced
        ]
        pending: list[Step] = []
        loaded: set[Operand] = set()
        for step in self.steps:
            if step in varying:
                continue
            if {each.name for each in needed(self.steps, [value_in(step.value)])} & {each.name for each in pending}:
                yield from self._passes(pending, varying)
                pending = []
            if isinstance(step.value, Reduced):
                pending.append(step)
            else:
                yield from self._row_loads([value_in(step.value)], loaded)
                yield f"{self.step_names[step.name]} = {self.values.text(value_in(step.value))}"
        yield from self._passes(pending, varying)
        for store in self.program.stores:
            if store.per_row:
                yield from self._row_loads([store.value], loaded)
                name = self.store_names[store.target]
                value = f"convert({self.values.text(store.value)}, {name}_pointer.dtype.element_ty)"
                yield f"tl.store({name}_pointer + integer(first * {name}_outer + second * {name}_inner), {value})"
        everywhere = [store for store in self.program.stores if not store.per_row]
        if everywhere:
            yield from self._walk(self._points(everywhere, varying))

    def _passes(self, steps: Sequence[Step], varying: Sequence[Step]) -> Iterator[str]:
        """Yield the walks that some reductions need, of which none uses another: one for those that are simple."""
        simple = [step for step in steps if _reduced(step).function in _SIMPLE]
        for step in simple:
            kind = self._part_type(_reduced(step))
            yield f"{self.step_names[step.name]}_part = {_SIMPLE[_reduced(step).function][0]}([BLOCK], {kind})"
        if simple:
            yield from self._walk(self._taken(simple, varying))
        for step in simple:
            yield from self._result(step)
        for step in steps:
            if step not in simple:
                yield from self._in_two_walks(step, varying)

    def _result(self, step: Step) -> Iterator[str]:
        reduced, name = _reduced(step), self.step_names[step.name]
        text = f"{_SIMPLE[reduced.function][2]}({name}_part)"
        if reduced.function == "mean":
            text += f" / convert(integer(columns), {self._part_type(reduced)})"
        yield f"{name} = {f'{text} != 0' if reduced.function in {'any', 'all'} else text}"

    def _part_type(self, reduced: Reduced) -> str:
        if reduced.function in {"any", "all"}:
            return "tl.int32"
        return self.values.type_of(reduced.value.type if reduced.function in {"argmax", "argmin"} else reduced.type)

    def _taken(self, steps: Sequence[Step], varying: Sequence[Step]) -> Iterator[str]:
        yield from self._computed([_reduced(step).value for step in steps], varying)
        for step in steps:
            reduced, part = _reduced(step), f"{self.step_names[step.name]}_part"
            kind = self._part_type(reduced)
            value = self.values.text(reduced.value, "tl.int1" if kind == "tl.int32" else kind)
            value = f"convert({value}, tl.int32)" if kind == "tl.int32" else value
            yield f"{part} = tl.where(inside, {_SIMPLE[reduced.function][1]}({value}, {part}), {part})"

    def _in_two_walks(self, step: Step, varying: Sequence[Step]) -> Iterator[str]:
        """Yield a variance, a logarithm of a sum of powers, or the place of a largest or smallest value."""
        reduced, name = _reduced(step), self.step_names[step.name]
        kind = self._part_type(reduced)
        value = self.values.text(reduced.value, kind, Tightness.SUM)
        before = [*self._computed([reduced.value], varying)]
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

    def _points(self, stores: Sequence[Store], steps: Sequence[Step]) -> Iterator[str]:
        yield from self._computed([store.value for store in stores], steps)
        for store in stores:
            name = self.store_names[store.target]
            value = f"convert({self.values.text(store.value)}, {name}_pointer.dtype.element_ty)"
            yield f"tl.store({name}_pointer + {self._offset(name)}, {value}, mask=inside)"

    def _computed(self, values: Sequence[Value], steps: Sequence[Step]) -> Iterator[str]:
        """Yield what values at a point need: loads and the steps that vary."""
        used = [step for step in needed(self.steps, values) if step in steps]
        everything = [*values, *(value_in(step.value) for step in used)]
        nodes = [each for value in everything for each in every(value)]
        for operand in dict.fromkeys(each.operand for each in nodes if isinstance(each, Load)):
            yield from self._load(operand, self._offset(self.load_names[operand]), "inside")
        for axis in dict.fromkeys(each.axis for each in nodes if isinstance(each, Index)):
            name = self.index_names[axis]
            yield f"{name} = tl.load({name}_pointer + {self._offset(name)}, mask=inside, other=0)"
        for step in used:
            yield f"{self.step_names[step.name]} = {self.values.text(value_in(step.value))}"

    def _offset(self, name: str) -> str:
        if self.reduces:
            return f"first * {name}_outer + second * {name}_inner + column * {name}_column"
        return f"first * {name}_outer + second * {name}_inner"

    def _load(self, operand: Operand, offset: str, mask: str) -> Iterator[str]:
        name, kind = self.load_names[operand], self.values.type_of(self.types[operand])
        held = TensorTypes(self.op.tensors).of_argument(operand.argument)
        zero = "0.0" if set(FLOAT8) & set(held.names) else "0"  # Triton makes no eight-bit float of an integer
        masked = f", mask={mask}, other={zero}" if mask else ""
        text = f"{name} = convert(tl.load({name}_pointer + {offset}{masked}), {kind})"
        if not operand.is_optional:
            yield text
            return
        yield f"if {self.members.given.setdefault(operand.argument, f'HAS_{operand.argument.upper()}')}:"
        yield f"    {text}"
        yield "else:"
        yield f"    {name} = zeros([BLOCK], {kind})" if mask else f"    {name} = zeros([1], {kind})"

    def _row_loads(self, values: Sequence[Value], loaded: set[Operand]) -> Iterator[str]:
        for each in (each for value in values for each in every(value)):
            if isinstance(each, Load) and each.operand not in loaded:
                loaded.add(each.operand)
                name = self.load_names[each.operand]
                yield from self._load(each.operand, f"integer(first * {name}_outer + second * {name}_inner)", "")
            elif isinstance(each, Index):
                name = self.index_names[each.axis]
                yield f"{name} = tl.load({name}_pointer + integer(first * {name}_outer + second * {name}_inner))"


def _launcher_name(name: str) -> str:
    """Return a name as a variable of the function that launches."""
    return f"{name}_" if name.rstrip("_") in _OF_LAUNCHER else python_name(name)


@cache
def _taken_in_kernel() -> frozenset[str]:
    """Return what no value in a kernel may be called."""
    maths = (templates_folder() / _MATHS).read_text(encoding="utf-8")
    return _OF_KERNEL | frozenset(re.findall(r"^def (\w+)", maths, re.MULTILINE))


def _reduced(step: Step) -> Reduced:
    if not isinstance(step.value, Reduced):
        raise TypeError(f"'{step.name}' is no reduction")
    return step.value


def written(op: Op) -> Iterator[str]:
    """Yield the expressions as their author wrote them."""
    for entry in (*op.spec.reduce, *op.spec.pointwise):
        yield (
            f"{entry.key.value}: {render_written(entry.expression)}" if entry.key else render_written(entry.expression)
        )
