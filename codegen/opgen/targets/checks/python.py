"""The body of a fake kernel: check as the C++ kernels do, then allocate what they would return.

Every condition goes through ``torch._check``, one link of a chain at a time: on symbolic sizes it becomes a guard or a
run-time assertion, where ``if`` would fail for sizes that depend on data (``torch/__init__.py``, ``_check``). The text
calls the helpers of ``templates/python/checks.py.j2``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from opgen.model.op import Op
from opgen.model.tensors import (
    BindPack,
    BindSize,
    BroadcastExtent,
    CheckAligned,
    CheckContiguous,
    CheckDevice,
    CheckDtype,
    CheckPack,
    CheckRank,
    CheckSize,
    CheckStride,
    DtypeArgument,
    DtypeEither,
    DtypeLike,
    DtypePromoted,
    DtypeSet,
    DynamicExtent,
    Extent,
    OutputExtent,
    OutputSpec,
    PackExtent,
    ResolvedDtype,
    SolveSize,
)
from opgen.spec.expression import Binary, Comparison, Constant, Expression, Size
from opgen.targets.checks.lines import call, indented
from opgen.targets.checks.messages import DtypeOf, Element, Message, Pack, Run, Slot, Trait, Value, message
from opgen.targets.checks.plan import (
    CheckBroadcast,
    CheckExtent,
    CheckPart,
    CheckSizes,
    PlanStep,
    complete_plan,
    has_optional_elements,
)
from opgen.targets.expressions import Binding, Names, render_python
from opgen.targets.names import python_name
from opgen.targets.quoting import py_string

_INDENT = "    "


def fake_body(op: Op) -> list[str]:
    """Return the lines of the fake kernel's body, unindented: checks, allocations, ``return``.

    The function's parameters are the arguments by ``python_name``. Every fresh output must have a contract.
    """
    return [*fake_checks(op), *fake_allocations(op), *fake_return(op)]


def fake_checks(op: Op) -> list[str]:
    """Return the lines that bind the names and refuse a wrong call with ``RuntimeError``."""
    writer = _Writer(op)
    lines: list[str] = []
    for (given, looped), steps in groupby(complete_plan(op, tuple(op.tensors.outputs.values())), key=PlanStep.block):
        body = [line for step in steps for line in writer.step(step)]
        if looped:
            body = writer.loop(looped, body)
        if given and body:
            condition = " and ".join(f"{writer.names.argument(name)} is not None" for name in given)
            body = [f"if {condition}:", *indented(body, 4)]
        lines += body
    return lines


def fake_allocations(op: Op) -> list[str]:
    """Return the lines that make each fresh output, in a variable called as the output."""
    writer = _Writer(op)
    bounds: dict[str, list[Expression]] = {}
    for spec in op.tensors.outputs.values():
        for extent in spec.extents:
            if isinstance(extent, DynamicExtent):
                bounds.setdefault(extent.name, []).extend([] if extent.bound is None else [extent.bound])
    lines = [line for name, upper in bounds.items() for line in writer.dynamic_size(name, upper)]
    return lines + [writer.allocation(op.tensors.outputs[output.name]) for output in op.fresh_outputs]


def fake_return(op: Op) -> list[str]:
    """Return the ``return`` statement; none for an op that returns nothing."""
    results = [python_name(output.alias_of or output.name) for output in op.outputs]
    return [f"return {', '.join(results)}"] if results else []


@dataclass(frozen=True)
class _Writer:
    op: Op

    @cached_property
    def names(self) -> Names:
        return Names.of(self.op, python_name)

    def render(self, expression: Expression) -> str:
        return render_python(expression, self.names)

    def loop(self, name: str, body: list[str]) -> list[str]:
        """Run the body for each element of a list; absent elements are no mistake."""
        element, index = self.names.local("element"), self.names.local("index")
        skip = [f"if {element} is None:", _INDENT + "continue"] if has_optional_elements(self.op, name) else []
        head = f"for {index}, {element} in enumerate({self.names.argument(name)}):"
        return [head, *indented(skip + body, 4)]

    # --- steps --------------------------------------------------------------------------------------------------------
    def step(self, step: PlanStep) -> Iterator[str]:  # noqa: C901, PLR0912 - one case a check
        tensor = self.subject(step)
        check = step.check
        match check:
            case BindSize(name, _, dim):
                yield f"{self.names.value(name)} = {tensor}.size({dim})"
            case BindPack(name, _, lead, trail):
                yield f"{self.names.value(name)} = {_run(tensor, lead, trail)}"
            case SolveSize():
                yield from self.solve(step, check)
            case CheckRank(_, rank, exact):
                yield from self.check(step, f"{tensor}.dim() {'==' if exact else '>='} {rank}")
            case CheckDtype(_, dtype):
                yield from self.check(step, self.dtype_condition(tensor, dtype))
            case CheckDevice(_, like, device_type):
                device = f"{tensor}.device"
                wanted = f"{device} == {self.first(like)}.device" if like else f'{device}.type == "{device_type}"'
                yield from self.check(step, wanted)
            case CheckSize(_, dim, size):
                yield from self.check(step, f"{tensor}.size({dim}) == {self.operand(size)}")
            case CheckPack(_, lead, trail, pack):
                yield from self.call("_check_sizes", [_run(tensor, lead, trail), self.pack(pack)], step)
            case CheckContiguous(_, memory_format):
                argument = "" if memory_format == "contiguous" else f"memory_format=torch.{memory_format}"
                yield from self.check(step, f"{tensor}.is_contiguous({argument})")
            case CheckStride(_, dim, stride):
                yield from self.check(step, f"{tensor}.stride({dim}) == {self.operand(stride)}")
            case CheckAligned():
                pass  # a fake tensor has no address
            case CheckPart(condition):
                yield from self.check(step, self.render(condition))
            case CheckBroadcast(packs):
                yield from self.call("_check_broadcast", [f"[{', '.join(map(self.names.value, packs))}]"], step)
            case CheckExtent(_, _, size):
                yield from self.check(step, f"{self.operand(size)} >= 0")
            case CheckSizes(argument):
                element = self.names.local("size")
                yield f"for {element} in {self.names.value(argument)}:"
                yield from indented(self.check(step, f"{element} >= 0"), 4)

    def operand(self, expression: Expression) -> str:
        """Render as one side of a comparison."""
        return render_python(expression, self.names, Binding.BIT_OR)

    def solve(self, step: PlanStep, check: SolveSize) -> Iterator[str]:
        size: Expression = Size(check.tensor, 0 if step.each else None, check.dim)
        total = size if check.offset is None else Binary("-", size, check.offset)
        remainder = Comparison(("==",), (Binary("%", total, check.factor), Constant(0)))
        yield from self.check(step, self.render(remainder))
        quotient = Binary("//", total, check.factor)
        if check.offset is not None or not isinstance(check.factor, Constant):
            yield from self.check(step, self.render(Comparison((">=",), (quotient, Constant(0)))))
        if not step.unread:
            yield f"{self.names.value(check.name)} = {self.render(quotient)}"

    def dtype_condition(self, tensor: str, dtype: ResolvedDtype) -> str:
        match dtype:
            case DtypeSet((name,)):
                return f"{tensor}.dtype == torch.{name}"
            case DtypeSet(names):
                return f"{tensor}.dtype in ({', '.join(f'torch.{name}' for name in names)})"
            case DtypeEither(like, names):
                choices = [self.dtype(like), *(f"torch.{name}" for name in names)]
                return f"{tensor}.dtype in ({', '.join(choices)})"
        return f"{tensor}.dtype == {self.dtype(dtype)}"

    def check(self, step: PlanStep, condition: str) -> list[str]:
        return self.call("torch._check", [condition], step)

    def call(self, function: str, arguments: list[str], step: PlanStep) -> list[str]:
        return call(function, [*arguments, f"lambda: {self.words(message(self.op, step), step)}"])

    # --- messages -----------------------------------------------------------------------------------------------------
    def words(self, parts: Message, step: PlanStep) -> str:
        texts = [py_string(part) if isinstance(part, str) else self.slot(part, step) for part in parts]
        return texts[0] if len(texts) == 1 else "\n".join(call("_text", texts))

    def slot(self, slot: Slot, step: PlanStep) -> str:
        match slot:
            case Value(expression):
                return self.render(expression)
            case Element():
                return self.names.local("index")
            case Trait(what, number, of):
                return _trait(self.first(of) if of else self.subject(step), what, number)
            case Run(lead, trail):
                return _run(self.subject(step), lead, trail)
            case Pack(extent):
                return self.pack(extent)
            case DtypeOf(dtype):
                return self.dtype(dtype)

    # --- tensors and what outputs are made of -------------------------------------------------------------------------
    def subject(self, step: PlanStep) -> str:
        """Return the checked tensor: an argument, or an element of a list."""
        name = step.tensor
        if name is None:
            return ""
        if step.each:
            return f"{self.names.argument(name)}[0]" if step.is_bind else self.names.local("element")
        return self.names.argument(name)

    def first(self, name: str) -> str:
        """Return a tensor argument, the first one of a list."""
        text = self.names.argument(name)
        return f"{text}[0]" if self.op.argument[name].is_tensor_list else text

    def pack(self, extent: PackExtent | BroadcastExtent) -> str:
        if isinstance(extent, PackExtent):
            return self.names.argument(extent.name) if extent.is_argument else self.names.value(extent.name)
        return f"torch.broadcast_shapes({', '.join(map(self.names.value, extent.packs))})"

    def dtype(self, dtype: ResolvedDtype) -> str:
        match dtype:
            case DtypeSet(names):
                return f"torch.{names[0]}"
            case DtypeLike(tensor) | DtypeEither(DtypeLike(tensor)):
                return f"{self.first(tensor)}.dtype"
            case DtypePromoted(arguments):
                return f"_promote({', '.join(map(self.names.argument, arguments))})"
            case DtypeArgument(argument, otherwise):
                name = self.names.argument(argument)
                return name if otherwise is None else f"({name} if {name} is not None else {self.dtype(otherwise)})"

    def dynamic_size(self, name: str, bounds: list[Expression]) -> Iterator[str]:
        size = self.names.value(name)
        yield f"{size} = torch.library.get_ctx().new_dynamic_size()"
        yield from (f"torch._check({size} <= {self.operand(bound)})" for bound in dict.fromkeys(bounds))

    def extent(self, extent: OutputExtent) -> str:
        match extent:
            case Extent(size):
                return self.render(size)
            case DynamicExtent(name):
                return self.names.value(name)
            case PackExtent() | BroadcastExtent():
                return f"*{self.pack(extent)}"

    def allocation(self, spec: OutputSpec) -> str:
        function, arguments = "empty", [_tuple(map(self.extent, spec.extents))]
        if spec.strides is not None:
            function = "empty_strided"
            arguments.append(_tuple(map(self.render, spec.strides)))
        arguments.append(f"dtype={self.dtype(spec.dtype)}")
        arguments.append(f"device={self.device(spec)}")
        if spec.memory_format != "contiguous":
            arguments.append(f"memory_format=torch.{spec.memory_format}")
        return f"{python_name(spec.output)} = torch.{function}({', '.join(arguments)})"

    def device(self, spec: OutputSpec) -> str:
        otherwise = f"{self.first(spec.device_of)}.device" if spec.device_of else f'"{spec.device_type or "cpu"}"'
        if spec.device_type:
            otherwise = f'"{spec.device_type}"'
        if spec.device_argument is None:
            return otherwise
        name = self.names.argument(spec.device_argument)
        is_optional = self.op.argument[spec.device_argument].is_optional
        return f"{name} if {name} is not None else {otherwise}" if is_optional else name


def _trait(tensor: str, what: str, number: int) -> str:
    match what:
        case "rank":
            return f"{tensor}.dim()"
        case "strides":
            return f"{tensor}.stride()"
        case "size" | "stride":
            return f"{tensor}.{what}({number})"
    return f"{tensor}.{what}"


def _run(tensor: str, lead: int, trail: int) -> str:
    return f"{tensor}.shape[{lead or ''}:{-trail or ''}]" if lead or trail else f"{tensor}.shape"


def _tuple(items: Iterable[str]) -> str:
    texts = [*items]
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"
