"""The body of a fake kernel: check as the C++ kernels do, then allocate what they would return.

Every condition goes through ``torch._check``, one link of a chain at a time: on symbolic sizes it becomes a guard or a
run-time assertion, where ``if`` would fail for sizes that depend on data (``torch/__init__.py``, ``_check``). The text
calls ``Checker``, ``_new_size`` and ``_promote`` of ``templates/python/checks.py.j2``.
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
from opgen.spec.expression import Expression
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
    Ties,
    Values,
)
from opgen.targets.checks.lines import indented
from opgen.targets.checks.plan import PlanStep, complete_plan
from opgen.targets.expressions import Names, render_python
from opgen.targets.names import python_name
from opgen.targets.quoting import py_string


def fake_body(op: Op) -> list[str]:
    """Return the lines of the fake kernel's body, unindented: checks, allocations, ``return``.

    The function's parameters are the arguments by ``python_name``. Every fresh output must have a contract.
    """
    return [*fake_checks(op), *fake_results(op)]


def fake_checks(op: Op) -> list[str]:
    """Return the lines, a statement each, that bind the names and refuse a wrong call with ``RuntimeError``."""
    writer = _Writer(op)
    lines: list[str] = []
    plan = complete_plan(op, tuple(op.tensors.outputs.values()), on_fakes=True)
    for given, steps in groupby(plan, key=writer.calls.guard):
        body = [line for step in steps for line in writer.step(step)]
        if given and body:
            condition = " and ".join(f"{writer.names.argument(name)} is not None" for name in given)
            body = [f"if {condition}:", *indented(body, 4)]
        lines += body
    if any(f"{writer.checker}." in line for line in lines):
        lines.insert(0, f"{writer.checker} = Checker({py_string(op.qualified_name)})")
    return lines


def fake_results(op: Op) -> list[str]:
    """Return the lines that make each fresh output and return all outputs; none for an op that returns nothing."""
    writer = _Writer(op)
    if len(op.outputs) == 1 and op.fresh_outputs:
        spec = op.tensors.outputs[op.outputs[0].name]
        return [*writer.dynamic_sizes(), f"return {writer.allocation(spec)}"]
    specs = [op.tensors.outputs[output.name] for output in op.fresh_outputs]
    made = [f"{python_name(spec.output)} = {writer.allocation(spec)}" for spec in specs]
    return [*writer.dynamic_sizes(), *made, *fake_return(op)]


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

    @cached_property
    def calls(self) -> CheckerCalls:
        return CheckerCalls(self.op)

    @cached_property
    def checker(self) -> str:
        return self.names.local("check")

    def render(self, expression: Expression) -> str:
        return render_python(expression, self.names)

    # --- steps --------------------------------------------------------------------------------------------------------
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

    def operand(self, operand: Operand) -> tuple[str, ...]:  # noqa: PLR0911 - one case an operand
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
            case Values(named):
                return (f"{{{', '.join(f'{py_string(text)}: {self.render(value)}' for text, value in named)}}}",)
        return (self.render(operand),)

    # --- tensors and what outputs are made of -------------------------------------------------------------------------
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
        for spec in self.op.tensors.outputs.values():
            for extent in spec.extents:
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

    def allocation(self, spec: OutputSpec) -> str:
        function, arguments = "empty", [_tuple(map(self.extent, spec.extents))]
        if spec.strides_of is not None:
            function, arguments = "empty_like", [self.first(spec.strides_of)]
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
