"""A call that runs, for the page of an op: the first one that its contract allows, with results that are asserted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

from opgen.model.contract import Contract
from opgen.model.evaluate import EvaluatedOutputs, evaluate
from opgen.model.op import Argument, Library, Op
from opgen.model.sample_values import Elements, SampleValue, TensorValue
from opgen.model.samples import dynamic_samples
from opgen.model.samples.call import unmade_arguments
from opgen.schema.types import is_tensor
from opgen.spec.dtypes import COMPLEX, FLOAT
from opgen.targets.docs.place import WIDTH
from opgen.targets.names import parameter_name
from opgen.targets.python.functions import Function
from opgen.targets.python.layout import lay_out, py_string
from opgen.targets.python.types import public_default
from opgen.targets.tests.values import value_text


def example(library: Library, functions: Sequence[Function], op: Op) -> tuple[str, ...]:
    """Return the statements of a call of a declared op, laid out, with the sizes of the generated tests.

    There are none for an op without tests, or whose author supplies its samples: derived inputs may not suit it.
    """
    function = next(function for function in functions if op in function.ops)
    op = function.op  # the functional op, even where its out= form is the declared one
    if op.spec.tests.samples is not None or op.spec.tests.skip is not None or unmade_arguments(op):
        return ()
    samples = dynamic_samples(op, 1)
    if not samples:
        return ()
    values = samples[0].arguments
    call = f"{library.package}.{function.name}({', '.join(_passed(op, values))})"
    tensors = (_tensors(op, argument, values[argument.name]) for argument in op.arguments)
    statements = [statement for each in tensors for statement in each]
    lines = [*statements, *_called(op, call, values)]
    modules = [library.package, *(["torch"] if any("torch." in line for line in lines) else [])]
    return (*(f"import {module}" for module in sorted(modules)), "", *(lay_out(line, width=WIDTH) for line in lines))


def _tensors(op: Op, argument: Argument, value: SampleValue) -> Iterator[str]:
    """Yield the statement that makes the tensors of an argument."""
    device = _device(op)
    empty = argument.overwrites or argument.scratch
    if isinstance(value, TensorValue):
        yield f"{parameter_name(argument.name)} = {_tensor(value, device, empty=empty)}"
    elif isinstance(value, tuple) and any(isinstance(element, TensorValue) for element in value):
        made = (
            _tensor(element, device, empty=empty) if isinstance(element, TensorValue) else "None" for element in value
        )
        yield f"{parameter_name(argument.name)} = [{', '.join(made)}]"


def _device(op: Op) -> str:
    """Return the first device that has a kernel: the CPU, if it has one."""
    keys = [kernel.dispatch_key for kernel in op.declared.kernels]
    composite = any(kernel.is_composite for kernel in op.declared.kernels)
    return "cpu" if composite or not keys or "CPU" in keys else keys[0].lower()


def _tensor(value: TensorValue, device: str, *, empty: bool) -> str:
    where = value.device if value.device != "cpu" else device
    on = "" if where == "cpu" else f", device={py_string(where)}"
    if value.strides is not None:
        made = f"torch.empty_strided({value.shape}, {value.strides}, dtype=torch.{value.dtype}{on})"
        return made if empty else f"{made}.copy_({_filled(value, on)})"
    return f"torch.empty({_sizes(value)}, dtype=torch.{value.dtype}{on})" if empty else _filled(value, on)


def _filled(value: TensorValue, on: str) -> str:
    kind = f", dtype=torch.{value.dtype}{on}"
    if value.elements is not None:
        return _elements(value.elements, value.shape, kind)
    if value.dtype == "float32":
        return f"torch.randn({_sizes(value)}{on})"
    if value.dtype in {*FLOAT, *COMPLEX}:
        return f"torch.randn({_sizes(value)}{kind})"
    if value.dtype.startswith(("float", "complex")):  # no `torch.randn` of this dtype
        return f"torch.randn({_sizes(value)}{on}).to(torch.{value.dtype})"
    return f"torch.randint({2 if value.dtype == 'bool' else 8}, {value.shape}{kind})"


def _sizes(value: TensorValue) -> str:
    return ", ".join(map(str, value.shape)) or "()"


def _elements(elements: Elements, shape: tuple[int, ...], kind: str) -> str:
    """Write elements that satisfy the contract: indices in range, offsets, permutations."""
    view = "" if len(shape) == 1 else f".view{shape}"
    if elements.permutation:
        return f"torch.randperm({prod(shape)}{kind}){view}"
    if elements.offsets is not None:
        rising = f"torch.arange({prod(shape)}{kind}) * {elements.offsets} // {max(prod(shape) - 1, 1)}"
        return f"({rising}){view}" if view else rising
    return f"torch.randint({elements.low}, {elements.high}, {shape}{kind})"


def _passed(op: Op, values: Mapping[str, SampleValue]) -> Iterator[str]:
    """Yield the arguments to pass: tensors as variables, and no argument whose value equals its default."""
    by_name = False
    for argument in op.arguments:
        value, name = values[argument.name], parameter_name(argument.name)
        text = name if _holds_tensor(value) else value_text(value)
        if argument.default is not None and text == public_default(argument.default, argument.type):
            by_name = True
            continue
        by_name = by_name or argument.kwarg_only or argument.default is not None
        yield f"{name}={text}" if by_name else text


def _holds_tensor(value: SampleValue) -> bool:
    return isinstance(value, TensorValue) or (isinstance(value, tuple) and any(map(_holds_tensor, value)))


def _called(op: Op, call: str, values: Mapping[str, SampleValue]) -> Iterator[str]:
    """Yield the call, and assertions about its results that hold by the contract."""
    names = [parameter_name(output.name) for output in op.outputs]
    if op.contract in {Contract.INPLACE, Contract.OUT} and len(names) == 1:
        yield f"assert {call} is {names[0]}"
        return
    yield f"{', '.join(names)} = {call}" if names else call
    made = evaluate(op.tensors, values)
    if not isinstance(made, EvaluatedOutputs):
        return
    for output, name in zip(op.outputs, names, strict=True):
        known = made.outputs.get(output.name)
        if known is not None and is_tensor(output.type):
            sized = f"{name}.shape == {known.shape} and " if None not in known.shape else ""
            yield f"assert {sized}{name}.dtype == torch.{known.dtype}"
