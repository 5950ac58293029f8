"""The body of a fake kernel: the checks of the C++ kernels, then the allocation of the results.

Every condition goes through ``torch._check``, one link of a chain at a time: on symbolic sizes it becomes a guard or a
run-time assertion, where ``if`` would fail for sizes that depend on data (``torch/__init__.py``, ``_check``). The text
calls ``Checker``, ``_new_size`` and ``_promote`` of ``templates/python/checks.py.j2``.
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
from opgen.spec.expression import Expression
from opgen.targets.checks.branches import Branch, PlanGuard, branches
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
from opgen.targets.checks.lines import indented
from opgen.targets.checks.plan import PlanStep, complete_plan
from opgen.targets.checks.results import Known, Result, returned_results
from opgen.targets.checks.written import written_dims, written_layout
from opgen.targets.expressions import Binding, Names, render_python, render_written
from opgen.targets.names import python_name
from opgen.targets.quoting import py_string


def fake_checks(op: Op, *, read: Iterable[Expression] = ()) -> list[str]:
    """Return the lines, a statement each, that bind the names and refuse a wrong call with ``RuntimeError``.

    They are for a function whose parameters are the arguments by ``python_name``. Every fresh output must have a
    contract. ``read`` are further sizes that the caller's own statements mention.
    """
    writer = _Writer(op, refuses_overflow=True)
    lines: list[str] = []
    plan = complete_plan(op, tuple(op.tensors.outputs.values()), read, on_fakes=True)
    groups = groupby(plan, key=writer.calls.guard)
    for branch in branches((guard, [line for step in steps for line in writer.step(step)]) for guard, steps in groups):
        lines += writer.branch(branch)
    if any(f"{writer.checker}." in line for line in lines):
        lines.insert(0, f"{writer.checker} = Checker({py_string(op.qualified_name)})")
    return lines


def fake_results(op: Op) -> list[str]:
    """Return the lines that allocate each fresh output and return all outputs; none for an op that returns nothing."""
    writer = _Writer(op)
    if len(op.outputs) == 1 and op.fresh_outputs:
        form = op.tensors.outputs[op.outputs[0].name]
        return [*writer.dynamic_sizes(), *writer.made("return ", form)]
    return [*writer.dynamic_sizes(), *kernel_allocations(op, op.fresh_outputs), *fake_return(op)]


def fake_return(op: Op) -> list[str]:
    """Return the ``return`` statement; none for an op that returns nothing."""
    results = [python_name(output.alias_of or output.name) for output in op.outputs]
    return [f"return {', '.join(results)}"] if results else []


def kernel_allocations(op: Op, outputs: Sequence[Output]) -> list[str]:
    """Return the lines that allocate the outputs which a kernel fills: ``out = torch.empty(...)``."""
    writer = _Writer(op)
    lines: list[str] = []
    for output in outputs:
        name, form = python_name(output.name), op.tensors.outputs[output.name]
        lines += [f"{name}: Tensor | None"] if form.may_be_absent else []
        lines += writer.made(f"{name} = ", form)
    return lines


def allocation(op: Op, spec: OutputSpec) -> str:
    """Return the expression that allocates one of ``op.tensors.outputs``."""
    return _Writer(op).allocation(spec)


def layout_conditions(op: Op, layout: Iterable[Layout]) -> Iterator[str]:
    """Yield Python conditions that hold for tensors of these layouts; ``fake_checks`` has bound the names in them."""
    writer = _Writer(op)
    for check in layout:
        tensor = writer.names.argument(check.tensor)
        match check:
            case CheckContiguous(_, "contiguous"):
                yield f"{tensor}.is_contiguous()"
            case CheckContiguous(_, memory_format):
                yield f"{tensor}.is_contiguous(memory_format=torch.{memory_format})"
            case CheckStride(_, dim, stride):
                yield f"{tensor}.stride({dim}) == {writer.render(stride)}"
            case CheckStridesLike(_, like):
                yield f"{tensor}.stride() == torch.empty_like({writer.first(like)}).stride()"
            case CheckAligned(_, count):
                yield f"{tensor}.data_ptr() % {count} == 0"


def result_checks(op: Op, returned: Sequence[Output]) -> list[str]:
    """Return the lines, behind the call of the kernel, that check the outputs it returned against the contract."""
    writer = _Writer(op)
    results = ((PlanGuard(when=each.when), [*writer.result(each)]) for each in returned_results(op, returned))
    return [line for branch in branches(results) for line in writer.branch(branch)]


def checker_line(op: Op) -> str:
    """Return the line that creates the ``Checker``, for a body that needs one though its ``fake_checks`` are empty."""
    return f"{_Writer(op).checker} = Checker({py_string(op.qualified_name)})"


@dataclass(frozen=True)
class _Writer:
    """Writes the statements of one op.

    Attributes:
        op: the op.
        refuses_overflow: arithmetic on sizes goes through methods of ``Checker`` that refuse a result beyond 64 bits.
    """

    op: Op
    refuses_overflow: bool = False

    @cached_property
    def names(self) -> Names:
        return Names.of(self.op, python_name)

    @cached_property
    def calls(self) -> CheckerCalls:
        return CheckerCalls(self.op)

    @cached_property
    def checker(self) -> str:
        return self.names.local("check")

    def render(self, expression: Expression) -> str:
        return self.rendered(expression, Binding.CHOICE)

    def rendered(self, expression: Expression, at_least: Binding) -> str:
        return render_python(expression, self.names, at_least, self.checker if self.refuses_overflow else "")

    # --- steps --------------------------------------------------------------------------------------------------------
    def branch(self, branch: Branch) -> list[str]:
        """Return the lines of a branch under its ``if``, ``elif`` or ``else``."""
        if not branch.keyword:
            return branch.lines
        given, when = branch.guard.given, branch.guard.when
        conditions = [f"{self.names.argument(name)} is not None" for name in given]
        binding = Binding.NOT if len(given) + len(when) > 1 else Binding.CHOICE
        conditions += [self.rendered(condition, binding) for condition in when]
        head = f"{branch.keyword} {' and '.join(conditions)}".rstrip()
        return [f"{head}:", *indented(branch.lines, 4)]

    def step(self, step: PlanStep) -> Iterator[str]:
        check = step.check
        match check:
            case BindSize(name, tensor, dim, of):
                yield f"{self.names.value(name)} = {self.first(tensor)}.{of}({dim})"
            case BindPack(name, tensor, lead, trail):
                run = f"[{lead or ''}:{-trail or ''}]" if lead or trail else ""
                yield f"{self.names.value(name)} = {self.first(tensor)}.shape{run}"
            case CheckAligned():
                pass  # a fake tensor has no address
            case SolveSize(name) if not step.unread:
                yield f"{self.names.value(name)} = {self.call(self.calls.call(check))}"
            case _:
                yield self.call(self.calls.call(check))

    def call(self, call: CheckerCall) -> str:
        operands = (text for operand in call.operands for text in self.operand(operand))
        return f"{self.checker}.{call.method}({', '.join(operands)})"

    def operand(self, operand: Operand) -> tuple[str, ...]:  # noqa: C901, PLR0911 - one case an operand
        match operand:
            case Argument(name):
                return self.names.argument(name), py_string(name)
            case str():
                return (py_string(operand),)
            case int():
                return (str(operand),)
            case Run(extent):
                return (self.pack(extent),)
            case Dtypes(names):
                return tuple(f"torch.{name}" for name in names)
            case Dtype(dtype):
                return (self.dtype(dtype),)
            case Ties(names):
                return (f"{{{', '.join(f'{py_string(name)}: {self.names.argument(name)}' for name in names)}}}",)
            case DeviceType(name):
                return (py_string(name),)
            case Device():
                return (self.device(operand),)
            case Shapes(shapes):
                return (f"[{', '.join(map(self.shape, shapes))}]",)
            case Values(named):
                return (f"{{{', '.join(f'{py_string(text)}: {self.render(value)}' for text, value in named)}}}",)
        return (self.render(operand),)

    # --- tensors and what outputs are made of -------------------------------------------------------------------------
    def first(self, name: str) -> str:
        """Return a tensor argument; of a list, its first tensor."""
        text = self.names.argument(name)
        return f"{text}[0]" if self.op.argument[name].is_tensor_list else text

    def pack(self, extent: PackExtent | BroadcastExtent) -> str:
        if isinstance(extent, PackExtent):
            return self.names.argument(extent.name) if extent.is_argument else self.names.value(extent.name)
        return f"torch.broadcast_shapes({', '.join(map(self.names.value, extent.packs))})"

    def shape(self, shape: tuple[Extent | PackExtent | None, ...]) -> str:
        return _tuple("None" if extent is None else self.extent(extent) for extent in shape)

    def dtype(self, dtype: ResolvedDtype) -> str:
        match dtype:
            case DtypeSet(names):
                return f"torch.{names[0]}"
            case DtypeLike(tensor):
                return f"{self.first(tensor)}.dtype"
            case DtypeEither():
                raise AssertionError(f"{dtype} is checked, never made")
            case DtypePromoted(arguments):
                return f"_promote({', '.join(map(self.names.argument, arguments))})"
            case DtypeArgument(argument, otherwise):
                name = self.names.argument(argument)
                return name if otherwise is None else f"({name} if {name} is not None else {self.dtype(otherwise)})"

    def dynamic_sizes(self) -> Iterator[str]:
        bounds: dict[str, dict[str, None]] = {}
        for extent in self.op.tensors.output_extents:
            if isinstance(extent, DynamicExtent):
                known = [] if extent.bound is None else [self.render(extent.bound)]
                bounds.setdefault(extent.name, {}).update(dict.fromkeys(known))
        for name, upper in bounds.items():
            yield f"{self.names.value(name)} = _new_size({', '.join(upper)})"

    def extent(self, extent: OutputExtent) -> str:
        match extent:
            case Extent(size):
                return self.render(size)
            case DynamicExtent(name):
                return self.names.value(name)
            case PackExtent() | BroadcastExtent():
                return f"*{self.pack(extent)}"

    # --- what a kernel returned ---------------------------------------------------------------------------------------
    def result(self, result: Result) -> Iterator[str]:
        spec, name = result.spec, python_name(result.output)
        what = f"{name}, {py_string(result.output)}"
        if result.may_be_absent:
            yield f"{self.checker}.output_given({what}, {spec is not None})"
        if spec is None:
            return
        dims = [
            self.names.value(extent.name)
            if isinstance(extent, Known)
            else "None"
            if isinstance(extent, DynamicExtent)
            else self.extent(extent)
            for extent in result.extents
        ]
        place = f"{py_string(written_dims(spec))}, {_tuple(dims)}"
        yield f"{self.checker}.output({what}, {place}, {self.dtype(spec.dtype)}, {self.device(spec)})"
        layout = "torch.contiguous_format" if spec.memory_format == "contiguous" else "torch.channels_last"
        if spec.strides is not None:
            layout = _tuple(map(self.render, spec.strides))
        if spec.strides_of is not None:
            layout = f"torch.empty_like({self.first(spec.strides_of)}).stride()"
        yield f"{self.checker}.output_layout({what}, {py_string(written_layout(spec))}, {layout})"
        for size in result.measured:
            value = self.names.value(size.name)
            yield f"{value} = {name}.size({size.dim})"
            if size.bound is not None:
                bound = f"{self.render(size.bound)}, {py_string(render_written(size.bound))}"
                names = f"{py_string(spec.output)}, {py_string(size.name)}"
                yield f"{self.checker}.output_at_most({names}, {value}, {bound})"

    def made(self, head: str, form: OutputForm) -> Iterator[str]:
        """Yield statements that begin with ``head``, one for each case of an output's contract."""
        cases = (
            (PlanGuard(when=when), [head + ("None" if spec is None else self.allocation(spec))])
            for when, spec in form.cases
        )
        for branch in branches(cases):
            yield from self.branch(branch)

    def allocation(self, spec: OutputSpec) -> str:
        function, arguments = "empty", [_tuple(map(self.extent, spec.extents))]
        if spec.strides_of is not None:
            function = "empty_strided"
            arguments.append(f"torch.empty_like({self.first(spec.strides_of)}).stride()")
        if spec.strides is not None:
            function = "empty_strided"
            arguments.append(_tuple(map(self.render, spec.strides)))
        arguments.append(f"dtype={self.dtype(spec.dtype)}")
        arguments.append(f"device={self.device(spec)}")
        if spec.memory_format != "contiguous":
            arguments.append(f"memory_format=torch.{spec.memory_format}")
        return f"torch.{function}({', '.join(arguments)})"

    def device(self, spec: OutputSpec | Device) -> str:
        otherwise = f"{self.first(spec.device_of)}.device" if spec.device_of else f'"{spec.device_type or "cpu"}"'
        if spec.device_type:
            otherwise = f'"{spec.device_type}"'
        if spec.device_argument is None:
            return otherwise
        name = self.names.argument(spec.device_argument)
        is_optional = self.op.argument[spec.device_argument].is_optional
        return f"{name} if {name} is not None else {otherwise}" if is_optional else name


def _tuple(items: Iterable[str]) -> str:
    texts = [*items]
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"
