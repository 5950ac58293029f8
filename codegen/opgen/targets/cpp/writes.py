"""What ATen does before one of its own ops writes, here in front of a kernel.

Overlapping memory and leaves that require grad are refused, version counters are bumped, a lost gradient is refused.

Sources: ``TensorIteratorBase::compute_mem_overlaps`` for overlap; ``check_inplace`` and
``throw_error_out_requires_grad`` in ``torch/csrc/autograd/VariableTypeUtils.h`` for leaves and out=. That gradients are
refused at the call, and not only in ``backward``, is a difference to ATen.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.contract import Contract
from opgen.model.kernel import Kernel
from opgen.model.op import Argument, Op
from opgen.targets.expressions.names import Names
from opgen.targets.names import cpp_name
from opgen.targets.quoting import c_string


def write_checks(op: Op, kernel: Kernel, result: str = "") -> Iterator[str]:
    """Yield the statements, unindented, which call functions in ``writes::`` of ``unit.h``.

    There are none for a CompositeImplicitAutograd kernel: the ops that it calls do all of this. ``result`` begins the
    statement that finds out whether a written and a read argument share memory (``const auto common = ``).
    """
    if not op.written or kernel.dispatch_key == "CompositeImplicitAutograd":
        return
    yield from _overlap(op, result)
    refusals = gradient_checks(op)
    begins = [_begin(op, argument.name) for argument in op.written]
    # As in ATen, out= ops, which never have a gradient, refuse gradients first; other ops refuse leaves first.
    yield from (*refusals, *begins) if op.contract is Contract.OUT else (*begins, *refusals)


def resized(op: Op, out: str) -> str:
    """Return the variable that says whether an out argument was resized, which counts as a write of it."""
    return Names.of(op, cpp_name).local(f"{out}_resized")


def _begin(op: Op, argument: str) -> str:
    condition = f"if (!{resized(op, argument)}) " if op.resizing is not None else ""
    return f"{condition}writes::begin({cpp_name(argument)});"


def gradient_checks(op: Op) -> list[str]:
    """Return the statement that refuses arguments whose gradient would be lost; none below an Autograd kernel."""
    return list(_refusals(op)) if op.gradients is None else []


def _overlap(op: Op, result: str) -> Iterator[str]:
    may_overlap = {name.value for name in op.spec.may_overlap}

    def operand(argument: Argument) -> str:
        role = ("written" if argument.written else "read") + ("_may_overlap" if argument.name in may_overlap else "")
        return f"{c_string(argument.name)}, writes::Role::{role}, {cpp_name(argument.name)}"

    operands = [operand(argument) for argument in op.tensor_arguments]
    # A derived op uses a temporary if its kernel must not read memory that it writes.
    same_is_fine = "true" if op.spec.alias_safe or op.is_derived else "false"
    call = f"{result}writes::refuse_overlap("
    pad = " " * len(call)
    if any(argument.is_tensor_list for argument in op.tensor_arguments):  # the number of tensors differs by call
        lines = ["writes::Operands()", *(f"    .add({each})" for each in operands)]
        lines[-1] += ");"
    else:
        lines = ["{", *(f"    {{{each}}}," for each in operands), "});"]
    head = f"{call}{c_string(op.qualified_name)}, /*same_is_fine=*/{same_is_fine},"
    yield "\n".join([head, *(pad + line for line in lines)])


def _refusals(op: Op) -> Iterator[str]:
    lines = [
        f"  {_refusal(op, argument)};" for argument in op.arguments if argument.is_tensor or argument.is_tensor_list
    ]
    yield "\n".join(["if (abi::is_grad_enabled()) {", *lines, "}"])


def _refusal(op: Op, argument: Argument) -> str:
    name = cpp_name(argument.name)
    if op.contract is Contract.OUT:
        return f"writes::refuse_grad_out({c_string(op.name)}, {name})"
    return f"writes::refuse_{'graph' if argument.written else 'grad'}({c_string(op.qualified_name)}, {name})"
