"""Host checks in front of a kernel, and the allocation of its outputs, in C++17 on the stable ABI.

The statements stand in a function whose parameters are the op's arguments (by ``cpp_name``, with the types that
``opgen.targets.cpp.types`` gives them), in a namespace where ``checks`` of ``templates/cpp/checks.h.j2`` is visible.
Nothing is allocated and no text is put together unless a call is refused, by ``std::runtime_error``.
"""

from __future__ import annotations

from collections.abc import Iterator
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
from opgen.spec.expression import Binary, Comparison, Constant, Expression, Name, Size
from opgen.targets.checks.lines import block, fill
from opgen.targets.checks.messages import DtypeOf, Element, Pack, Run, Slot, Trait, Value, message
from opgen.targets.checks.plan import (
    CheckBroadcast,
    CheckExtent,
    CheckPart,
    CheckSizes,
    PlanStep,
    complete_plan,
    has_optional_elements,
)
from opgen.targets.dtypes import scalar_type
from opgen.targets.expressions import Binding, Names, render_cpp
from opgen.targets.expressions.questions import negated
from opgen.targets.names import cpp_name
from opgen.targets.quoting import c_string

_BREAK = "\n"


def host_checks(op: Op, *, allocates: bool = True) -> list[str]:
    """Return the statements, unindented, that bind the names and refuse a wrong call.

    ``allocates`` says that ``allocations`` follow: their sizes are then checked, too, and the names that they read bound.
    """
    writer = _Writer(op)
    outputs = [spec for spec in op.tensors.outputs.values() if allocates and not spec.is_dynamic]
    plan = complete_plan(op, outputs)
    lines = [declaration for step in plan if step.given for declaration in writer.declaration(step)]
    for (given, looped), steps in groupby(plan, key=PlanStep.block):
        body = [line for step in steps for line in writer.step(step)]
        if looped:
            body = writer.loop(looped, body)
        if given and body:
            condition = " && ".join(f"{writer.names.argument(name)}.has_value()" for name in given)
            body = block(f"if ({condition})", body)
        lines += body
    return lines


def allocations(op: Op) -> list[str]:
    """Return a statement for each output that can be allocated beforehand: ``Tensor out = ...;``.

    They stand after ``host_checks`` in the same block; the variables are called as the outputs, by ``cpp_name``.
    """
    writer = _Writer(op)
    specs = [op.tensors.outputs[output.name] for output in op.fresh_outputs if output.name in op.tensors.outputs]
    return [line for spec in specs if not spec.is_dynamic for line in writer.allocation(spec)]


@dataclass(frozen=True)
class _Tensor:
    """A tensor in C++: ``value`` as a whole, ``member`` in front of one of its functions."""

    value: str
    member: str

    @staticmethod
    def of(text: str, *, optional: bool) -> _Tensor:
        return _Tensor(f"*{text}", f"{text}->") if optional else _Tensor(text, f"{text}.")


@dataclass(frozen=True)
class _Writer:
    op: Op

    @cached_property
    def names(self) -> Names:
        return Names.of(self.op, cpp_name)

    def render(self, expression: Expression, at_least: Binding = Binding.CHOICE) -> str:
        return render_cpp(expression, self.names, at_least)

    def declaration(self, step: PlanStep) -> Iterator[str]:
        """Declare what is bound inside of an ``if`` in front of it: later steps read it."""
        match step.check:
            case BindPack(name):
                yield f"checks::Sizes {self.names.value(name)};"
            case BindSize(name) | SolveSize(name) if not step.unread:
                yield f"int64_t {self.names.value(name)} = 0;"

    def loop(self, name: str, body: list[str]) -> list[str]:
        """Run the body for each element of a list; absent elements are no mistake."""
        index = self.names.local("index")
        element = self.names.local("element")
        items = self.items(name)
        skip = [f"if (!{element}.has_value()) continue;"] if has_optional_elements(self.op, name) else []
        head = f"for (int64_t {index} = 0; {index} < checks::length({items}); ++{index})"
        return block(head, [f"const auto& {element} = checks::at({items}, {index});", *skip, *body])

    def items(self, name: str) -> str:
        return f"*{self.names.argument(name)}" if self.op.argument[name].is_optional else self.names.argument(name)

    # --- steps --------------------------------------------------------------------------------------------------------
    def step(self, step: PlanStep) -> Iterator[str]:  # noqa: C901, PLR0912 - one case a check
        check = step.check
        x = self.subject(step)
        match check:
            case BindSize(name, _, dim):
                yield self.bind(step, "int64_t", name, f"{x.member}size({dim})")
            case BindPack(name, _, lead, trail):
                yield self.bind(step, "checks::Sizes", name, _run(x, lead, trail))
            case SolveSize():
                yield from self.solve(step, check)
            case CheckRank(_, rank, exact):
                yield from self.refuse(step, f"{x.member}dim() {'!=' if exact else '<'} {rank}")
            case CheckDtype(_, dtype):
                yield from self.refuse(step, self.wrong_dtype(x, dtype))
            case CheckDevice(_, like, device_type):
                yield from self.refuse(step, self.wrong_device(x, like, device_type))
            case CheckSize(_, dim, size):
                yield from self.refuse(step, f"{x.member}size({dim}) != {self.render(size, Binding.BIT_OR)}")
            case CheckPack(_, lead, trail, pack):
                yield from self.refuse(step, f"!checks::equal({_run(x, lead, trail)}, {self.pack(pack)})")
            case CheckContiguous(_, memory_format):
                is_laid_out = f"{x.member}is_contiguous()"
                if memory_format == "channels_last":
                    is_laid_out = f"checks::is_channels_last({x.value})"
                yield from self.refuse(step, f"!{is_laid_out}")
            case CheckStride(_, dim, stride):
                yield from self.refuse(step, f"{x.member}stride({dim}) != {self.render(stride, Binding.BIT_OR)}")
            case CheckAligned(_, count):
                yield from self.refuse(step, f"checks::misalignment({x.value}, {count}) != 0")
            case CheckPart(condition):
                yield from self.refuse(step, self.render(negated(condition)))
            case CheckBroadcast(packs):
                yield from self.refuse(step, f"!checks::broadcasts({{{', '.join(map(self.names.value, packs))}}})")
            case CheckExtent(_, _, size):
                yield from self.refuse(step, f"{self.render(size, Binding.BIT_OR)} < 0")
            case CheckSizes(argument):
                yield from self.refuse(step, f"!checks::none_negative({self.names.value(argument)})")

    def bind(self, step: PlanStep, kind: str, name: str, value: str) -> str:
        declaration = "" if step.given else f"const {kind} "
        return f"{declaration}{self.names.value(name)} = {value};"

    def refuse(self, step: PlanStep, condition: str) -> Iterator[str]:
        parts = [c_string(part) if isinstance(part, str) else self.slot(part, step) for part in message(self.op, step)]
        yield from block(f"if ({condition.replace(_BREAK, _BREAK + '    ')})", fill("checks::fail({", parts, "});"))

    def solve(self, step: PlanStep, check: SolveSize) -> Iterator[str]:
        size: Expression = Size(check.tensor, 0 if step.each else None, check.dim)
        total = size if check.offset is None else Binary("-", size, check.offset)
        remainder = Comparison(("!=",), (Binary("%", total, check.factor), Constant(0)))
        yield from self.refuse(step, self.render(remainder))
        quotient = Binary("//", total, check.factor)
        if check.offset is not None or not isinstance(check.factor, Constant):
            yield from self.refuse(step, self.render(Comparison(("<",), (quotient, Constant(0)))))
        if not step.unread:
            yield self.bind(step, "int64_t", check.name, self.render(quotient))

    def wrong_dtype(self, x: _Tensor, dtype: ResolvedDtype) -> str:
        match dtype:
            case DtypeSet(names):
                return _has_none_of(x, names)
            case DtypeEither(like, names):
                return f"{self.wrong_dtype(x, like)} && {_has_none_of(x, names)}"
        return f"checks::DtypeCode({x.value}) != {self.dtype(dtype)}"

    def wrong_device(self, x: _Tensor, like: str | None, device_type: str | None) -> str:
        device = f"checks::DeviceCode({x.value})"
        if like is None:
            return f"{device}.type != checks::DeviceCode({_device_type(device_type or 'cpu')}).type"
        return f"{device} != checks::DeviceCode({self.first(like).value})"

    # --- messages -----------------------------------------------------------------------------------------------------
    def slot(self, slot: Slot, step: PlanStep) -> str:
        match slot:
            case Value(expression):
                return self.value(expression)
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

    def value(self, expression: Expression) -> str:
        """Render for a message: an optional stays one, and is spelled ``None`` where it is absent."""
        if isinstance(expression, Name) and self.names.scalar(expression.name):
            return self.names.value(expression.name)
        return self.render(expression)

    # --- tensors and what outputs are made of -------------------------------------------------------------------------
    def subject(self, step: PlanStep) -> _Tensor:
        """Return the checked tensor: an argument, or an element of a list."""
        name = step.tensor
        if name is None:
            return _Tensor("", "")
        if step.each and not step.is_bind:
            return _Tensor.of(self.names.local("element"), optional=has_optional_elements(self.op, name))
        return self.first(name)

    def first(self, name: str) -> _Tensor:
        """Return a tensor argument, the first one of a list."""
        argument = self.op.argument[name]
        if argument.is_tensor_list:
            return _Tensor.of(f"checks::at({self.items(name)}, 0)", optional=has_optional_elements(self.op, name))
        return _Tensor.of(self.names.argument(name), optional=argument.is_optional)

    def pack(self, extent: PackExtent | BroadcastExtent) -> str:
        if isinstance(extent, BroadcastExtent):
            return f"checks::broadcast({{{', '.join(map(self.names.value, extent.packs))}}})"
        return self.items(extent.name) if extent.is_argument else self.names.value(extent.name)

    def dtype(self, dtype: ResolvedDtype) -> str:
        match dtype:
            case DtypeSet(names):
                return f"checks::code<{scalar_type(names[0])}>()"
            case DtypeLike(tensor) | DtypeEither(DtypeLike(tensor)):
                return f"checks::DtypeCode({self.first(tensor).value})"
            case DtypePromoted(arguments):
                return f"checks::promote({', '.join(map(self.names.argument, arguments))})"
            case DtypeArgument(argument, otherwise):
                name = self.names.argument(argument)
                if otherwise is None:
                    return f"checks::DtypeCode({name})"
                return f"({name}.has_value() ? checks::DtypeCode(*{name}) : {self.dtype(otherwise)})"

    def extent(self, extent: OutputExtent) -> str:
        match extent:
            case Extent(size):
                return self.render(size)
            case PackExtent() | BroadcastExtent():
                return self.pack(extent)
            case DynamicExtent(name):
                raise AssertionError(f"the kernel allocates outputs of the size {name!r}")

    def allocation(self, spec: OutputSpec) -> list[str]:
        function = "empty" if spec.memory_format == "contiguous" else "empty_channels_last"
        arguments = [f"checks::Shape({', '.join(map(self.extent, spec.extents))})"]
        if spec.strides is not None:
            function = "empty_strided"
            arguments.append(f"checks::Shape({', '.join(map(self.render, spec.strides))})")
        arguments += [self.dtype(spec.dtype), self.device(spec)]
        return fill(f"Tensor {cpp_name(spec.output)} = checks::{function}(", arguments, ");")

    def device(self, spec: OutputSpec) -> str:
        source = _device_type(spec.device_type or "cpu")
        if spec.device_of and not spec.device_type:
            source = self.first(spec.device_of).value
        otherwise = f"checks::DeviceCode({source})"
        if spec.device_argument is None:
            return otherwise
        name = self.names.argument(spec.device_argument)
        if not self.op.argument[spec.device_argument].is_optional:
            return f"checks::DeviceCode({name})"
        return f"({name}.has_value() ? checks::DeviceCode(*{name}) : {otherwise})"


def _has_none_of(x: _Tensor, names: tuple[str, ...]) -> str:
    head = "!checks::has_dtype<"
    return "\n".join(fill(head, [scalar_type(name) for name in names], f">({x.value})"))


def _device_type(name: str) -> str:
    """Return the enumerator of a device type. Source: ``torch/headeronly/core/DeviceType.h``."""
    spelling = {"meta": "Meta", "vulkan": "Vulkan", "metal": "Metal", "lazy": "Lazy", "privateuseone": "PrivateUse1"}
    return f"checks::DeviceType::{spelling.get(name, name.upper())}"


def _trait(x: _Tensor, what: str, number: int) -> str:  # noqa: PLR0911 - one case a trait
    match what:
        case "rank":
            return f"{x.member}dim()"
        case "shape":
            return f"{x.member}sizes()"
        case "dtype":
            return f"checks::DtypeCode({x.value})"
        case "device":
            return f"checks::DeviceCode({x.value})"
        case "size" | "stride":
            return f"{x.member}{what}({number})"
        case "misalignment":
            return f"checks::misalignment({x.value}, {number})"
    return f"{x.member}{what}()"


def _run(x: _Tensor, lead: int, trail: int) -> str:
    return f"checks::run({x.value}, {lead}, {trail})" if lead or trail else f"{x.member}sizes()"
