"""The unit of one kernel: the author's file, the assertion of its signature, the contract in front, the registration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from opgen.model.contract import Contract
from opgen.model.op import Argument, Library, Op
from opgen.model.tensors import Kernel
from opgen.targets.checks.cpp import allocations, host_checks
from opgen.targets.checks.lines import fill
from opgen.targets.cpp.library import UNITS_FOLDER, LibraryView
from opgen.targets.cpp.signature import Signature, kernel_signature, kernel_symbol
from opgen.targets.cpp.types import result_type
from opgen.targets.names import cpp_name
from opgen.targets.output import OutputFile
from opgen.targets.quoting import c_string
from opgen.targets.schema_hash import definition
from opgen.targets.templates import render


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A generated function and the name that it is registered under.

    Attributes:
        head: return type, name and parameters.
        body: statements, each perhaps of several lines.
        name: the C++ function's name.
        schema_name: ``add.out``.
    """

    head: str
    body: tuple[str, ...]
    name: str
    schema_name: str


@dataclass(frozen=True, slots=True)
class UnitView:
    """One unit.

    Attributes:
        library: names of the library.
        op: the qualified name.
        schema: what callers see.
        namespace: the namespace that it is registered in.
        kernel: path and dispatch key.
        symbol: the kernel's function.
        template: the head of the specialisation that sees the kernel's types.
        found: what it is a specialisation for.
        assertions: one a type of the signature.
        arity: the assertion that fails for another number of parameters.
        wrappers: in an order in which each only calls those before it.
    """

    library: LibraryView
    op: str
    schema: str
    namespace: str
    kernel: Kernel
    symbol: str
    template: str
    found: str
    assertions: tuple[str, ...]
    arity: str
    wrappers: tuple[Wrapper, ...]


def unit_file(library: Library, op: Op, kernel: Kernel) -> OutputFile:
    """Emit ``generated/csrc/units/BACKEND/OP.cpp``."""
    signature = kernel_signature(op, kernel)
    path = kernel.path.removeprefix("kernels/")
    types = ["Result", *(f"P{index}" for index in range(len(signature.parameters)))]
    view = UnitView(
        library=LibraryView.of(library),
        op=op.qualified_name,
        schema=definition(op),
        namespace=op.namespace,
        kernel=kernel,
        symbol=kernel_symbol(kernel),
        template=_call("template ", [f"class {name}" for name in types], "<>"),
        found=_call("struct Kernel<signature::Of", types, "<>"),
        assertions=tuple(_assertions(op, signature)),
        arity=_arity(op, signature),
        wrappers=tuple(_wrappers(op, kernel, signature)),
    )
    return OutputFile(f"{UNITS_FOLDER}/{path}", render("cpp/unit.cpp.j2", view))


def _assertions(op: Op, signature: Signature) -> Iterator[str]:
    def same(found: str, wanted: str, rule: str) -> str:
        return _call("static_assert", [f"std::is_same_v<{found}, {wanted}>", c_string(f"{op.qualified_name}: {rule}")])

    yield same("Result", signature.result, f"the kernel must return {signature.result}")
    for index, parameter in enumerate(signature.parameters):
        yield same(f"P{index}", parameter.type, f"{parameter.rule}, so the kernel must take {parameter.type}")


def _arity(op: Op, signature: Signature) -> str:
    text = c_string(f"{op.qualified_name}: the kernel must be {signature.type}")
    return _call("static_assert", ["sizeof(Signature) == 0", text])


def _call(function: str, arguments: Sequence[str], ends: str = "()") -> str:
    return "\n".join(fill(function + ends[0], arguments, ends[1]))


def _wrappers(op: Op, kernel: Kernel, signature: Signature) -> Iterator[Wrapper]:
    """Yield ``call``; for an op with a twin ``write``, which is the twin, and a ``call`` that returns its arguments."""
    parameters = [str(parameter) for parameter in signature.arguments]
    schema_name = f"{op.name}.{op.overload}" if op.overload else op.name
    result = result_type(tuple(output.type for output in op.outputs))
    body = tuple(_body(op, kernel, signature))
    if op.twin is not None:
        yield Wrapper(_call("void write", parameters), body, "write", op.twin)
        forward = _call("generated::write", [parameter.name for parameter in signature.arguments])
        body = (f"{forward};", _return(op))
    yield Wrapper(_call(f"{result} call", parameters), body, "call", schema_name)


def _body(op: Op, kernel: Kernel, signature: Signature) -> Iterator[str]:
    yield from host_checks(op, allocates=bool(signature.filled))
    yield from _write_checks(op, kernel)
    if signature.filled:
        yield from allocations(op)
    names = [cpp_name(output.name) for output in signature.returned]
    only_returns = bool(names) and len(names) == len(op.outputs)
    if only_returns:
        head = "return "
    elif names:
        head = f"auto {names[0] if len(names) == 1 else '[' + ', '.join(names) + ']'} = "
    else:
        head = ""
    yield _call(f"{head}::{kernel_symbol(kernel)}", [parameter.name for parameter in signature.parameters]) + ";"
    if op.outputs and op.twin is None and not only_returns:
        yield _return(op)


def _return(op: Op) -> str:
    names = [cpp_name(output.name) for output in op.outputs]
    return f"return {names[0]};" if len(names) == 1 else _call("return ", names, "{}") + ";"


# --- written arguments ------------------------------------------------------------------------------------------------
def _write_checks(op: Op, kernel: Kernel) -> Iterator[str]:
    """Yield what ATen does before it writes: overlap, versions, leaves, gradients.

    An implicit composite leaves all of it to the ops that it calls.
    """
    if not op.written or kernel.dispatch_key == "CompositeImplicitAutograd":
        return
    yield from _overlap(op)
    refusals = list(_refusals(op)) if _has_no_derivative(op) else []
    begins = [f"writes::begin({cpp_name(argument.name)});" for argument in op.written]
    # ATen looks at gradients first where it never differentiates, and at leaves first where it could.
    yield from (*refusals, *begins) if op.contract is Contract.OUT else (*begins, *refusals)


def _overlap(op: Op) -> Iterator[str]:
    may_overlap = {name.value for name in op.spec.may_overlap}

    def operand(argument: Argument) -> str:
        role = ("written" if argument.written else "read") + ("_may_overlap" if argument.name in may_overlap else "")
        return f"{{{c_string(argument.name)}, writes::Role::{role}, {cpp_name(argument.name)}}},"

    operands = [operand(argument) for argument in op.arguments if argument.is_tensor]
    if any(argument.written and argument.is_tensor for argument in op.arguments):
        same_is_fine = "true" if op.spec.alias_safe else "false"
        name = c_string(op.qualified_name)
        head = f"writes::refuse_overlap({name}, /*same_is_fine=*/{same_is_fine},"
        pad = " " * len("writes::refuse_overlap(")
        yield "\n".join([head, f"{pad}{{", *(f"{pad}    {line}" for line in operands), f"{pad}}});"])


def _refusals(op: Op) -> Iterator[str]:
    lines = [
        f"  {_refusal(op, argument)};" for argument in op.arguments if argument.is_tensor or argument.is_tensor_list
    ]
    yield "\n".join(["if (aoti_torch_grad_mode_is_enabled()) {", *lines, "}"])


def _refusal(op: Op, argument: Argument) -> str:
    name = cpp_name(argument.name)
    if op.contract is Contract.OUT:
        return f"writes::refuse_grad_out({c_string(op.name)}, {name})"
    return f"writes::refuse_{'graph' if argument.written else 'grad'}({c_string(op.qualified_name)}, {name})"


def _has_no_derivative(op: Op) -> bool:
    """Whether no Autograd kernel stands in front, below which these tests would still see the graph."""
    autograd = op.spec.autograd
    return autograd is None or (not isinstance(autograd, tuple) and autograd.value in {"none", "error"})
