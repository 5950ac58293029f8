"""The kernel of one program: an iteration space, the types to compute in, and what is done to each tile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from opgen.model.compute.functions import FUNCTIONS, Result
from opgen.model.compute.nodes import (
    Binding,
    Call,
    Load,
    Named,
    Operand,
    Program,
    Scalar,
    SizeOf,
    Store,
    Value,
)
from opgen.model.compute.walk import axes_of, every
from opgen.model.op import Op
from opgen.records import dataclass
from opgen.spec.expression import Expression, Name
from opgen.targets.checks.lines import fill, indented
from opgen.targets.cpp.expressions.operands import Handle, Operands
from opgen.targets.cpp.expressions.primitives import Count, Pass, RowValue, primitives
from opgen.targets.cpp.expressions.types import Types, dtype_arguments
from opgen.targets.cpp.expressions.values import Renderer, Variables
from opgen.targets.cpp.skeleton import sizes
from opgen.targets.cpp.unused import mentions, unused_arguments
from opgen.targets.expressions.cpp import render_cpp
from opgen.targets.expressions.names import Names
from opgen.targets.names import cpp_name

_SHORT = 90
"""What fits on a line, some levels deep."""


def kernel_body(op: Op, program: Program) -> list[str]:
    """Return the statements of the kernel."""
    wanted: dict[Operand | str, set[str]] = {}
    _Kernel(op, program, wanted, {}).body()
    # What all of its uses want in one type is read in that type, so that an operand of any dtype needs no code of its own.
    types = {operand: next(iter(found)) for operand, found in wanted.items() if len(found) == 1}
    return _Kernel(op, program, {}, types).body()


@dataclass(frozen=True, slots=True)
class _Row:
    """A value of each row: its type, and the text that computes it in terms of others."""

    type: str
    text: str


class _Kernel:
    def __init__(
        self, op: Op, program: Program, wanted: dict[Operand | str, set[str]], types: dict[Operand | str, str]
    ) -> None:
        self._op, self._program = op, program
        self._names = Names.of(op, cpp_name)
        self._taken = {cpp_name(each.name) for each in program.bindings}
        self._taken |= {cpp_name(each.name) for each in program.reductions}
        self._space_name, self._tile, self._row, self._found, self._at = map(
            self._free, ("space", "tile", "row", "types", "at_point")
        )
        self._wanted, self._load_types = wanted, types
        self._types = Types(op, self._free)
        self._hoisted: dict[str, str] = {}
        self._variables = Variables(self._load, self._index, self._scalar, self._size_of, self._given)
        self._renderer = Renderer(self._types, self._variables)
        self._operands = Operands(op, program, self._types, self._free, self._size)
        self._bindings = {binding.name: binding for binding in program.bindings}
        self._primitives = primitives(program)
        self._varies: dict[str, frozenset[str]] = {}
        self._rows: dict[str, _Row] = {}
        self._known_rows: set[str] = set()
        self._used: dict[str, Handle] = {}
        self._kept: dict[str, Handle] = {}
        self._keepable: frozenset[str] = frozenset()
        self._body: list[str] = []

    # --- names ---
    def _free(self, name: str) -> str:
        """Make a name that is none of the op's own, nor one of those made before."""
        while name in self._taken or self._names.local(name) != name:
            name += "_"
        self._taken.add(name)
        return name

    def _size(self, expression: Expression) -> str:
        """Render a size: its name, or a constant of its own."""
        text = render_cpp(expression, self._names)
        if isinstance(expression, Name) or text.isdigit():
            return text
        return self._constant(f"const int64_t {{}} = {text};", "size")

    def _constant(self, declaration: str, name: str) -> str:
        if declaration not in self._hoisted:
            self._hoisted[declaration] = self._free(name)
        return self._hoisted[declaration]

    # --- leaves ---
    def _load(self, operand: Operand, type_: str) -> tuple[str, str]:
        self._wanted.setdefault(operand, set()).add(type_)
        handle = self._operands.handles.get(operand)
        if handle is None:
            decides = self._types.is_own(operand.argument, self._own[operand], is_output=False)
            own = self._types.peek(self._own[operand]) if decides else ""
            chosen = self._load_types.get(operand) or self._types.of(self._own[operand])
            handle = self._operands.add_load(operand, chosen, own)
        return self._element(handle)

    def _index(self, axis: str, type_: str) -> tuple[str, str]:
        self._wanted.setdefault(axis, set()).add(type_)
        handle = self._operands.handles.get(axis)
        if handle is None:
            handle = self._operands.add_index(axis, self._load_types.get(axis, "int64_t"))
        return self._element(handle)

    def _element(self, handle: Handle) -> tuple[str, str]:
        if handle.rows:
            self._rows.setdefault(handle.element, _Row(handle.type, f"{handle.rows}[{self._row}]"))
        else:
            self._used[handle.name] = handle
        return handle.element, handle.type

    def _scalar(self, scalar: Scalar) -> str:
        name = cpp_name(scalar.argument)
        is_any = self._names.type_name(scalar.argument) == "Scalar"
        if not scalar.is_optional and not is_any:
            return name
        value = f"abi::number({name})" if is_any else name
        value = f"{value}.value_or(0)" if scalar.is_optional else value
        return self._constant(f"const auto {{}} = {value};", f"{name}_value")

    def _size_of(self, size: SizeOf) -> str:
        return self._size(size.size)

    def _given(self, argument: str) -> str:
        name = cpp_name(argument)
        return self._constant(f"const bool {{}} = {name}.has_value();", f"has_{name}")

    # --- the kernel ---
    def body(self) -> list[str]:
        """Lay out the kernel."""
        self._note_types_of_loads()
        outs = [self._out(store) for store in self._program.stores]
        walk = self._tiles(outs) if self._program.reduced else self._points(outs)
        handles = [*outs, *self._operands.handles.values()]
        walk = [*(handle.declaration for handle in handles), *walk]
        space = self._space()
        names, cases = self._types.names, self._types.cases()
        if names:
            uses = [
                f"using {name} = typename decltype({self._found})::template at<{i}>;"
                for i, name in enumerate(names.values())
            ]
            choices = [f"points::Types<{', '.join(case)}>" for case in cases]
            found = [dtype_arguments(key, cpp_name) for key in names]
            walk = [
                *fill("points::in_types<", choices, ">("),
                *indented(
                    [*fill("{", found, f"}}, [&](auto {self._found}) {{"), *indented([*uses, *walk], 2), "});"], 4
                ),
            ]
        hoisted = [declaration.format(name) for declaration, name in self._hoisted.items()]
        lines = [*hoisted, *space, *walk]
        return [*_needed_sizes(sizes(self._op), lines), *lines, *unused_arguments(self._op, lines)]

    def _note_types_of_loads(self) -> None:
        program = self._program
        values: list[Value] = [each.value for each in program.bindings]
        values += [each.value for each in program.reductions] + [each.value for each in program.stores]
        loads = (each for value in values for each in every(value) if isinstance(each, Load))
        self._own = {load.operand: load.type for load in loads}

    def _space(self) -> list[str]:
        def axis(name: str, text: str) -> str:
            return f"{{{text}, true}}" if name in self._program.reduced else f"{{{text}}}"

        axes = ", ".join(
            axis(each.name, "points::kPack" if each.is_pack or each.size is None else self._size(each.size))
            for each in self._program.axes
        )
        operands = self._operands.texts
        return fill(f"const points::Space<{len(operands)}> {self._space_name}({{{axes}}}, {{", operands, "});")

    def _out(self, store: Store) -> Handle:
        return self._operands.add_store(store.target, store.dims, self._types.of(store.value.type), store.value.type)

    # --- points ---
    def _points(self, outs: Sequence[Handle]) -> list[str]:
        lines, loads = self._at_point(self._program.stores)
        ins = [handle.name for handle in loads]
        return [
            *_with_body(f"const auto {self._at} = [=]({_parameters(loads)})", lines, ";"),
            *fill(f"{self._space_name}.for_each_point({self._at}, ", [_tuple(outs), *ins], ");"),
        ]

    def _at_point(self, stores: Sequence[Store]) -> tuple[list[str], list[Handle]]:
        """Return the statements at a point that compute what is stored, and what they read."""
        values = [store.value for store in stores]
        lines = self._statements(values)
        texts = [self._renderer.render(value, self._types.of(value.type)) for value in values]
        loads = [*self._used.values()]
        if len(texts) == 1:
            return [*lines, f"return {texts[0]};"], loads
        return [*lines, *fill("return std::tuple(", texts, ");")], loads

    def _statements(self, values: Iterable[Value]) -> list[str]:
        """Return constants for the bindings that values need at a point, in order; note anew what is read from here on."""
        self._used = {}
        self._variables.named.clear()
        self._variables.named.update({name: (cpp_name(name), row.type) for name, row in self._named_rows().items()})
        lines = []
        for binding in self._needed(values):
            if self._is_per_row(binding.value):
                self._add_row(binding.name, binding.value)
                continue
            if binding.name in self._keepable:
                kept = self._keep(binding)
                self._used[kept.name] = kept
                self._variables.named[binding.name] = (kept.element, kept.type)
                continue
            type_ = self._types.of(binding.value.type)
            name = cpp_name(binding.name)
            lines.append(f"const {type_} {name} = {self._renderer.render(binding.value, type_)};")
            self._variables.named[binding.name] = (name, type_)
        return lines

    def _needed(self, values: Iterable[Value]) -> list[Binding]:
        names: set[str] = set()

        def note(value: Value) -> None:
            for each in every(value):
                if isinstance(each, Named) and each.name in self._bindings and each.name not in names:
                    names.add(each.name)
                    if each.name not in self._keepable:
                        note(self._bindings[each.name].value)

        for value in values:
            note(value)
        return [binding for binding in self._program.bindings if binding.name in names]

    # --- rows ---
    def _is_per_row(self, value: Value) -> bool:
        """Whether a value is the same all along the reduced axes."""
        return bool(self._program.reduced) and not axes_of(value, self._varies) & set(self._program.reduced)

    def _named_rows(self) -> dict[str, _Row]:
        return {name: row for name, row in self._rows.items() if name in self._known_rows}

    def _add_row(self, name: str, value: Value, type_: str = "") -> None:
        own = type_ or self._types.of(value.type)
        text = self._renderer.render(value, own)
        self._rows[name] = _Row(own, text)
        self._known_rows.add(name)
        self._variables.named[name] = (cpp_name(name), own)

    def _tiles(self, outs: Sequence[Handle]) -> list[str]:
        for binding in self._program.bindings:
            self._varies[binding.name] = axes_of(binding.value, self._varies)
        self._keepable = frozenset(self._worth_keeping())
        body = self._body
        for each in self._primitives:
            if isinstance(each, Pass):
                body += self._pass(each)
            else:
                self._result(each)
        points = [(store, out) for store, out in zip(self._program.stores, outs, strict=True) if not store.per_row]
        for store, out in zip(self._program.stores, outs, strict=True):
            if store.per_row:
                lines = self._statements([store.value])
                text = self._renderer.render(store.value, out.type)
                rows = self._row_constants([text, *lines])
                body += _with_body(
                    f"{self._tile}.store_rows([&]({self._row_parameter([text, *rows])})",
                    [*rows, *lines, f"return {text};"],
                    f", {out.name});",
                )
        if points:
            lines, loads = self._at_point([store for store, _ in points])
            rest = [_tuple([out for _, out in points]), *(handle.name for handle in loads)]
            body += self._call(f"{self._tile}.store(", lines, loads, rest)
        per_row = [
            f"const auto {handle.rows} = {self._tile}.rows_of({handle.name});"
            for handle in self._operands.handles.values()
            if handle.rows
        ]
        return _with_body(f"{self._space_name}.for_each_tile([&](auto& {self._tile})", [*per_row, *body], ");")

    def _worth_keeping(self) -> Iterator[str]:
        """Yield the bindings that take long at a point and are needed more than once a row."""
        points = [store.value for store in self._program.stores if not store.per_row]
        walks = [*([each.value] for each in self._primitives if isinstance(each, Pass)), points]
        needed = Counter(binding.name for values in walks for binding in self._needed(values))
        for binding in self._program.bindings:
            takes_long = any(
                isinstance(each, Call) and FUNCTIONS[each.function].result is Result.FLOAT
                for each in every(binding.value)
            )
            if needed[binding.name] > 1 and takes_long and not self._is_per_row(binding.value):
                yield binding.name

    def _keep(self, binding: Binding) -> Handle:
        """Return what stands for the kept value of a binding; where it is needed first, it is declared."""
        if binding.name not in self._kept:
            used, named = self._used, dict(self._variables.named)
            type_ = self._types.of(binding.value.type)
            lines = self._statements([binding.value])
            text = self._renderer.render(binding.value, type_)
            loads = [*self._used.values()]
            name = self._free(f"kept_{cpp_name(binding.name)}")
            head = (
                f"const auto {name} = {self._tile}.keep(points::In<{self._operands.add_place()}, {type_}, Dtypes<>>(), "
            )
            self._body += self._call(head, [*lines, f"return {text};"], loads, [handle.name for handle in loads])
            self._kept[binding.name] = Handle(name, cpp_name(binding.name), type_, "")
            self._used = used
            self._variables.named.update(named)
        return self._kept[binding.name]

    def _pass(self, each: Pass) -> list[str]:
        """Return a walk along the reduced axes."""
        is_place = each.reducer.startswith("Arg")
        type_ = self._types.of(each.value.type if is_place else each.type)
        lines = self._statements([each.value])
        text = self._renderer.render(each.value, type_)
        loads = [*self._used.values()]
        array = self._free(f"{cpp_name(each.name)}_of")
        reducer = each.reducer if each.reducer in ("Any", "All") else f"{each.reducer}<{type_}>"
        head = f"const auto {array} = {self._tile}.template reduce<points::{reducer}>("
        call = self._call(head, [*lines, f"return {text};"], loads, [handle.name for handle in loads])
        self._rows[each.name] = _Row("int64_t" if is_place else type_, f"{array}[{self._row}]")
        self._known_rows.add(each.name)
        return call

    def _result(self, result: RowValue) -> None:
        self._statements([])
        if isinstance(result.value, Count):
            type_ = self._types.of(result.type)
            count = f"{self._space_name}.reduced_points()"
            if result.value.correction:
                count = f"std::max<int64_t>({count} - {result.value.correction}, 0)"
            self._rows[result.name] = _Row(type_, f"{cpp_name(result.value.of)} / static_cast<{type_}>({count})")
            self._known_rows.add(result.name)
        else:
            self._add_row(result.name, result.value)

    def _call(self, head: str, point: list[str], loads: Sequence[Handle], rest: Sequence[str]) -> list[str]:
        """Return a call of a function that makes, for each row, a function of its points."""
        inner = _with_body(f"return [=]({_parameters(loads)})", point, ";")
        rows = self._row_constants(point)
        parameter = self._row_parameter(rows)
        tail = "".join(f", {each}" for each in rest)
        return _with_body(f"{head}[&]({parameter})", [*rows, *inner], f"{tail});")

    def _row_parameter(self, lines: Iterable[str]) -> str:
        """Return the parameter for the number of a row, with a name where lines mention it."""
        return f"int64_t {self._row}" if any(f"[{self._row}]" in line for line in lines) else "int64_t"

    def _row_constants(self, lines: Sequence[str]) -> list[str]:
        """Return constants for the values of a row that lines mention, each after those that it mentions."""
        found: list[str] = []
        text = "\n".join(lines)
        for name, row in reversed(self._rows.items()):
            identifier = cpp_name(name)
            if mentions(text, identifier):
                found.append(f"const {row.type} {identifier} = {row.text};")
                text += f"\n{row.text}"
        return found[::-1]


def _with_body(head: str, lines: Sequence[str], tail: str) -> list[str]:
    """Lay out a function: on one line where it is short."""
    if len(lines) == 1 and len(head) + len(lines[0]) + len(tail) < _SHORT:
        return [f"{head} {{ {lines[0]} }}{tail}"]
    return [f"{head} {{", *indented(lines, 2), f"}}{tail}"]


def _parameters(handles: Iterable[Handle]) -> str:
    return ", ".join(f"{handle.type} {handle.element}" for handle in handles)


def _tuple(handles: Sequence[Handle]) -> str:
    return f"std::tuple{{{', '.join(handle.name for handle in handles)}}}"


def _needed_sizes(declarations: Iterable[str], lines: Sequence[str]) -> list[str]:
    """Return the declarations of sizes that the kernel mentions, directly or not."""
    found: list[str] = []
    text = "\n".join(lines)
    for declaration in reversed([*declarations]):
        name, _, value = declaration.removeprefix("[[maybe_unused]] const ").partition(" = ")
        if mentions(text, name.split()[-1]):
            found.append(declaration.removeprefix("[[maybe_unused]] "))
            text += value
    return found[::-1]
