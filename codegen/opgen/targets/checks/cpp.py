"""Host checks in front of a kernel, and the allocation of its outputs, in C++17 on the stable ABI.

The statements stand in a function whose parameters are the op's arguments (by ``cpp_name``, with the types that
``opgen.targets.cpp.types`` gives them), in a namespace where ``checks`` of ``templates/cpp/checks/checker.h.j2`` is
visible. A call that is accepted allocates nothing and formats no message; one that is refused throws
``std::runtime_error``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby

from opgen.model.op import Layout, Op, Output
from opgen.model.tensors import (
    BindPack,
    BindSize,
    BroadcastExtent,
    CheckAligned,
    CheckContiguous,
    CheckDevice,
    CheckDeviceAmong,
    CheckDtype,
    CheckNamedDevice,
    CheckStride,
    CheckStridesLike,
    DtypeArgument,
    DtypeEither,
    DtypeLike,
    DtypePromoted,
    DtypeSet,
    DynamicExtent,
    Extent,
    OutputExtent,
    OutputForm,
    OutputSpec,
    PackExtent,
    ResolvedDtype,
    SolveSize,
)
from opgen.records import dataclass
from opgen.spec.expression import Constant, Expression, Name
from opgen.targets.checks.branches import PlanGuard, branches
from opgen.targets.checks.calls import (
    Argument,
    CheckerCall,
    CheckerCalls,
    Device,
    DeviceType,
    Dtype,
    Dtypes,
    Operand,
    Run,
    Shapes,
    Ties,
    Values,
)
from opgen.targets.checks.lines import block, fill
from opgen.targets.checks.plan import PlanStep, binding_plan, complete_plan
from opgen.targets.checks.results import Known, Result, returned_results
from opgen.targets.checks.written import written_dims, written_layout
from opgen.targets.dtypes import element_type, scalar_type
from opgen.targets.expressions import Binding, Names, render_cpp, render_written
from opgen.targets.names import cpp_name
from opgen.targets.quoting import c_string

_KINDS = (CheckDtype, CheckDevice, CheckDeviceAmong, CheckNamedDevice)


def host_checks(
    op: Op, *, returned: Sequence[Output] = (), read: Iterable[Expression] = (), behind: Iterable[str] = ()
) -> list[str]:
    """Return the statements, unindented, that bind the names and refuse a wrong call.

    Computed sizes of outputs are checked too. A size is bound to a variable only where a later statement reads it.

    Args:
        op: the op.
        returned: the outputs for which ``result_checks`` will follow.
        read: further sizes that the caller's own statements mention.
        behind: the statements of ``written_checks`` that will follow.
    """
    writer = _Writer(op, refuses_overflow=True)
    lines = [*writer.plan(complete_plan(op, tuple(op.tensors.outputs.values()), read)), *behind]
    if any(f"{writer.checker}." in line for line in lines) or any(o.name in op.tensors.outputs for o in returned):
        lines.insert(0, f"const checks::Checker {writer.checker}({c_string(op.qualified_name)});")
    return lines


def bindings(op: Op) -> list[str]:
    """Return the statements that bind the sizes ``allocations`` reads, without a check: for calls known to be valid."""
    return _Writer(op, checks=False).plan(binding_plan(op, tuple(op.tensors.outputs.values())))


def written_checks(op: Op) -> list[str]:
    """Return the statements that check dtype and device of the arguments that the op writes, but not their sizes."""
    writer = _Writer(op)
    written = {argument.name for argument in op.written}
    steps = [step for step in complete_plan(op, ()) if isinstance(step.check, _KINDS) and step.check.tensor in written]
    groups = groupby(steps, key=writer.calls.guard)
    return writer.branches((guard, [line for step in steps for line in writer.step(step)]) for guard, steps in groups)


def allocations(op: Op) -> list[str]:
    """Return a statement for each output that can be allocated beforehand: ``Tensor out = ...;``.

    They must follow ``host_checks`` in the same block. Each variable has the ``cpp_name`` of its output.
    """
    writer = _Writer(op)
    forms = {o.name: op.tensors.outputs[o.name] for o in op.fresh_outputs if o.name in op.tensors.outputs}
    return [line for name, form in forms.items() if not form.is_dynamic for line in writer.made(cpp_name(name), form)]


def allocation(op: Op, head: str, spec: OutputSpec) -> list[str]:
    """Return a statement that begins with ``head`` (``Tensor out = ``) and allocates one of ``op.tensors.outputs``."""
    return _Writer(op).allocation(head, spec)


def output_shape(op: Op, spec: OutputSpec) -> str:
    """Return the sizes of an output of the op, whose names ``host_checks`` has bound."""
    return _Writer(op).shape_of(spec)


def layout_conditions(op: Op, layout: Iterable[Layout]) -> Iterator[str]:
    """Yield C++ conditions that hold for tensors of these layouts; ``host_checks`` has bound the names in them."""
    writer = _Writer(op)
    for check in layout:
        tensor = writer.names.argument(check.tensor)
        match check:
            case CheckContiguous(_, "contiguous"):
                yield f"{tensor}.is_contiguous()"
            case CheckContiguous(_, memory_format):
                yield f"checks::is_{memory_format}({tensor})"
            case CheckStride(_, dim, stride):
                yield f"{tensor}.stride({dim}) == {writer.render(stride)}"
            case CheckStridesLike(_, like):
                yield f"checks::has_strides({tensor}, checks::strides_like({writer.first(like)}))"
            case CheckAligned(_, count):
                yield f"checks::misalignment({tensor}, {count}) == 0"


def result_checks(op: Op, returned: Sequence[Output]) -> list[str]:
    """Return the statements, behind the call of the kernel, that check the outputs it returned against the contract."""
    writer = _Writer(op)
    results = ((PlanGuard(when=each.when), [*writer.result(each)]) for each in returned_results(op, returned))
    return writer.branches(results)


@dataclass(frozen=True)
class _Writer:
    """Writes the statements of one op.

    Attributes:
        op: the op.
        refuses_overflow: arithmetic on sizes goes through methods of ``Checker`` that refuse a result beyond 64 bits.
        checks: without it sizes are bound and nothing is checked.
    """

    op: Op
    refuses_overflow: bool = False
    checks: bool = True

    @cached_property
    def names(self) -> Names:
        return Names.of(self.op, cpp_name)

    @cached_property
    def calls(self) -> CheckerCalls:
        return CheckerCalls(self.op)

    @cached_property
    def checker(self) -> str:
        return self.names.local("check")

    def render(self, expression: Expression) -> str:
        return self.rendered(expression, Binding.CHOICE)

    def rendered(self, expression: Expression, at_least: Binding) -> str:
        return render_cpp(expression, self.names, at_least, self.checker if self.refuses_overflow else "")

    # --- steps --------------------------------------------------------------------------------------------------------
    def plan(self, plan: Sequence[PlanStep]) -> list[str]:
        """Return the statements of some steps, in order, each step under its conditions."""
        at_times = [step for step in plan if step.given or step.when]
        declared = [*dict.fromkeys(declaration for step in at_times for declaration in self.declaration(step))]
        groups = groupby(plan, key=self.calls.guard)
        return declared + self.branches(
            (guard, [line for step in steps for line in self.step(step)]) for guard, steps in groups
        )

    def branches(self, groups: Iterable[tuple[PlanGuard, list[str]]]) -> list[str]:
        """Return groups of lines as ``if`` statements."""
        lines: list[str] = []
        for branch in branches(groups):
            if not branch.keyword:
                lines += branch.lines
                continue
            head = f"if ({self.condition(branch.guard)})" if branch.guard else ""
            if branch.keyword != "if":
                head = f"{lines.pop()} else {head}".rstrip()
            lines += block(head, branch.lines)
        return lines

    def condition(self, guard: PlanGuard) -> str:
        conditions = ["checks::check_values"] if guard.on_request else []
        conditions += [f"{self.names.argument(name)}.has_value()" for name in guard.given]
        binding = Binding.NOT if len(conditions) + len(guard.when) > 1 else Binding.CHOICE
        return " && ".join([*conditions, *(self.rendered(each, binding) for each in guard.when)])

    def declaration(self, step: PlanStep) -> Iterator[str]:
        """Declare, in front of an ``if``, the variables that are bound inside of it and read behind it."""
        match step.check:
            case BindPack(name):
                yield f"checks::Sizes {self.names.value(name)};"
            case BindSize(name) | SolveSize(name) if not step.unread:
                yield f"int64_t {self.names.value(name)} = 0;"

    def step(self, step: PlanStep) -> list[str]:
        match step.check:
            case BindSize(name, tensor, dim, of):
                return [f"{self.target(step, 'int64_t', name)}{self.member(tensor)}{of}({dim});"]
            case BindPack(name, tensor, lead, trail):
                sizes = f"{self.member(tensor)}sizes()"
                run = f"checks::run({sizes}, {lead}, {trail})" if lead or trail else sizes
                return [f"{self.target(step, 'checks::Sizes', name)}{run};"]
            case SolveSize(name, tensor, dim, offset, factor) if not self.checks:
                size = f"{self.first(tensor)}.size({dim})"
                if offset is not None:
                    size += f" - {self.rendered(offset, Binding.SIGN)}"
                if factor != Constant(1):
                    size = f"{size if offset is None else f'({size})'} / {self.rendered(factor, Binding.SIGN)}"
                return [f"{self.target(step, 'int64_t', name)}{size};"]
            case SolveSize(name) if not step.unread:
                return self.call(self.calls.call(step.check), self.target(step, "int64_t", name))
        return self.call(self.calls.call(step.check))

    def target(self, step: PlanStep, kind: str, name: str) -> str:
        return f"{'' if step.given or step.when else f'const {kind} '}{self.names.value(name)} = "

    def call(self, call: CheckerCall, target: str = "") -> list[str]:
        types = [
            element_type(name) for operand in call.operands if isinstance(operand, Dtypes) for name in operand.names
        ]
        template = f"<{', '.join(types)}>" if types else ""
        head = f"{target}{self.checker}.{call.method}{template}("
        return fill(head, [text for operand in call.operands for text in self.operand(operand)], ");")

    def operand(self, operand: Operand) -> tuple[str, ...]:  # noqa: C901, PLR0911 - one case an operand
        match operand:
            case Argument(name):
                return self.names.argument(name), c_string(name)
            case str():
                return (c_string(operand),)
            case int():
                return (str(operand),)
            case Run(extent):
                return (self.pack(extent),)
            case Dtypes():
                return ()
            case Dtype(dtype):
                return (self.dtype(dtype),)
            case Ties(names):
                return (f"{{{', '.join(f'{{{c_string(name)}, {self.names.argument(name)}}}' for name in names)}}}",)
            case DeviceType(name):
                return (_device_type(name),)
            case Device():
                return (self.device(operand),)
            case Shapes(shapes):
                return (f"{{{', '.join(map(self.shape, shapes))}}}",)
            case Values(named):
                return (f"{{{', '.join(f'{{{c_string(text)}, {self.value(value)}}}' for text, value in named)}}}",)
        return (self.render(operand),)

    def value(self, expression: Expression) -> str:
        """Render a value for a message; a ``std::optional`` is passed as it is, and shown as ``None`` if empty."""
        return self.names.value(expression.name) if isinstance(expression, Name) else self.render(expression)

    # --- tensors and what outputs are made of -------------------------------------------------------------------------
    def items(self, name: str) -> str:
        return f"*{self.names.argument(name)}" if self.op.argument[name].is_optional else self.names.argument(name)

    def member(self, name: str) -> str:
        """Return a tensor argument with ``.`` or ``->`` behind it; of a list, its first tensor."""
        argument = self.op.argument[name]
        if argument.is_optional and not argument.is_tensor_list:
            return f"{self.names.argument(name)}->"
        return f"{self.first(name)}."

    def first(self, name: str) -> str:
        """Return a tensor argument; of a list, its first tensor."""
        items = self.items(name)
        if self.op.argument[name].is_tensor_list:
            return f"({items})[0]" if self.op.argument[name].is_optional else f"{items}[0]"
        return items

    def pack(self, extent: PackExtent | BroadcastExtent) -> str:
        if isinstance(extent, BroadcastExtent):
            return f"checks::broadcast({{{', '.join(map(self.names.value, extent.packs))}}})"
        return self.items(extent.name) if extent.is_argument else self.names.value(extent.name)

    def shape(self, shape: tuple[Extent | PackExtent | None, ...]) -> str:
        sizes = ("checks::any_size" if extent is None else self.extent(extent) for extent in shape)
        return f"checks::Shape({', '.join(sizes)})"

    def dtype(self, dtype: ResolvedDtype) -> str:
        match dtype:
            case DtypeSet(names):
                return f"checks::code<{scalar_type(names[0])}>()"
            case DtypeLike(tensor):
                return f"checks::DtypeCode({self.first(tensor)})"
            case DtypeEither():
                raise AssertionError(f"{dtype} is checked, never made")
            case DtypePromoted(arguments):
                return f"checks::promote({', '.join(map(self.names.argument, arguments))})"
            case DtypeArgument(argument, otherwise):
                name = self.names.argument(argument)
                if otherwise is None:
                    return f"checks::DtypeCode({'*' if self.op.argument[argument].is_optional else ''}{name})"
                return f"({name}.has_value() ? checks::DtypeCode(*{name}) : {self.dtype(otherwise)})"

    def extent(self, extent: OutputExtent) -> str:
        match extent:
            case Extent(size):
                return self.render(size)
            case PackExtent() | BroadcastExtent():
                return self.pack(extent)
            case DynamicExtent():
                return "-1"

    def made(self, name: str, form: OutputForm) -> list[str]:
        """Return the statements that declare and allocate an output, with a branch for each case of its contract."""
        if isinstance(form, OutputSpec):
            return self.allocation(f"Tensor {name} = ", form)
        kind = "std::optional<Tensor>" if form.may_be_absent else "Tensor"
        cases = form.cases if form.cases[-1][1] is not None else form.cases[:-1]
        groups = (
            (PlanGuard(when=when), [f"{name} = std::nullopt;"] if spec is None else self.allocation(f"{name} = ", spec))
            for when, spec in cases
        )
        return [f"{kind} {name};", *self.branches(groups)]

    def allocation(self, head: str, spec: OutputSpec) -> list[str]:
        function = "empty" if spec.memory_format == "contiguous" else "empty_channels_last"
        arguments = [self.shape_of(spec)]
        if spec.strides is not None:
            function = "empty_strided"
            arguments.append(f"checks::Shape({', '.join(map(self.render, spec.strides))})")
        if spec.strides_of is not None:
            function = "empty_strided"
            arguments.append(f"checks::strides_like({self.first(spec.strides_of)})")
        arguments += [self.dtype(spec.dtype), self.device(spec)]
        return fill(f"{head}checks::{function}(", arguments, ");")

    def shape_of(self, spec: OutputSpec) -> str:
        return f"checks::Shape({', '.join(map(self.extent, spec.extents))})"

    # --- what a kernel returned ---------------------------------------------------------------------------------------
    def result(self, result: Result) -> Iterator[str]:
        spec, name = result.spec, cpp_name(result.output)
        what = [name, c_string(result.output)]
        if result.may_be_absent:
            yield from fill(f"{self.checker}.output_given(", [*what, "false" if spec is None else "true"], ");")
        if spec is None:
            return
        dims = [
            self.names.value(extent.name) if isinstance(extent, Known) else self.extent(extent)
            for extent in result.extents
        ]
        sizes = f"checks::Shape({', '.join(dims)})"
        operands = [*what, c_string(written_dims(spec)), sizes, self.dtype(spec.dtype), self.device(spec)]
        yield from fill(f"{self.checker}.output(", operands, ");")
        strides = f"checks::{spec.memory_format}_strides"
        if spec.strides is not None:
            strides = f"checks::Shape({', '.join(map(self.render, spec.strides))})"
        if spec.strides_of is not None:
            strides = f"checks::strides_like({self.first(spec.strides_of)})"
        yield from fill(f"{self.checker}.output_layout(", [*what, c_string(written_layout(spec)), strides], ");")
        for size in result.measured:
            yield f"const int64_t {self.names.value(size.name)} = {name}.size({size.dim});"
            if size.bound is not None:
                names = [what[1], c_string(size.name), self.names.value(size.name)]
                bound = [self.render(size.bound), c_string(render_written(size.bound))]
                yield from fill(f"{self.checker}.output_at_most(", [*names, *bound], ");")

    def device(self, spec: OutputSpec | Device) -> str:
        source = _device_type(spec.device_type or "cpu")
        if spec.device_of and not spec.device_type:
            source = self.first(spec.device_of)
        otherwise = f"checks::DeviceCode({source})"
        if spec.device_argument is None:
            return otherwise
        name = self.names.argument(spec.device_argument)
        if not self.op.argument[spec.device_argument].is_optional:
            return f"checks::DeviceCode({name})"
        return f"({name}.has_value() ? checks::DeviceCode(*{name}) : {otherwise})"


def _device_type(name: str) -> str:
    """Return the enumerator of a device type. Source: ``torch/headeronly/core/DeviceType.h``."""
    spelling = {"meta": "Meta", "vulkan": "Vulkan", "metal": "Metal", "lazy": "Lazy", "privateuseone": "PrivateUse1"}
    return f"checks::DeviceType::{spelling.get(name, name.upper())}"
