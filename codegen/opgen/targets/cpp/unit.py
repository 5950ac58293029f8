"""The unit of one kernel: the author's file, the assertion of its signature, the contract in front, the registration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from opgen.model.contract import Contract
from opgen.model.op import Argument, Library, Op
from opgen.model.tensors import Kernel
from opgen.targets.checks.cpp import allocations, host_checks
from opgen.targets.cpp.layout import lay_out
from opgen.targets.cpp.library import UNITS_FOLDER, LibraryView
from opgen.targets.cpp.signature import Signature, kernel_signature
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
        kernel: path, symbol and dispatch key.
        assertion_types: names for the types that the kernel has.
        wanted: the whole signature, for a message.
        assertions: one a type of the signature.
        wrappers: in an order in which each only calls those before it.
    """

    library: LibraryView
    op: str
    schema: str
    namespace: str
    kernel: Kernel
    assertion_types: tuple[str, ...]
    wanted: str
    assertions: tuple[str, ...]
    wrappers: tuple[Wrapper, ...]


def unit_file(library: Library, op: Op, kernel: Kernel) -> OutputFile:
    """Emit ``generated/csrc/units/BACKEND/OP.cpp``."""
    signature = kernel_signature(op, kernel)
    path = kernel.path.removeprefix("kernels/")
    view = UnitView(
        library=LibraryView.of(library),
        op=op.qualified_name,
        schema=definition(op),
        namespace=op.namespace,
        kernel=kernel,
        assertion_types=("Result", *(f"P{index}" for index in range(len(signature.parameters)))),
        wanted=c_string(f"{op.qualified_name}: the kernel must be {signature.type}"),
        assertions=tuple(_assertions(op, signature)),
        wrappers=tuple(_wrappers(op, kernel, signature)),
    )
    return OutputFile(f"{UNITS_FOLDER}/{path}", render("cpp/unit.cpp.j2", view))


def _assertions(op: Op, signature: Signature) -> Iterator[str]:
    def same(found: str, wanted: str, rule: str) -> str:
        text = c_string(f"{op.qualified_name}: {rule}")
        return lay_out("static_assert(", [f"std::is_same_v<{found}, {wanted}>", text], ");", indent=2)

    yield same("Result", signature.result, f"the kernel must return {signature.result}")
    for index, parameter in enumerate(signature.parameters):
        yield same(f"P{index}", parameter.type, f"{parameter.rule}, so the kernel must take {parameter.type}")


def _wrappers(op: Op, kernel: Kernel, signature: Signature) -> Iterator[Wrapper]:
    """Yield ``call``, or for an op with a twin ``write``, which is the twin, and a ``call`` that returns its arguments."""
    parameters = [str(parameter) for parameter in signature.arguments]
    schema_name = f"{op.name}.{op.overload}" if op.overload else op.name
    result = result_type(tuple(output.type for output in op.outputs))
    body = tuple(_body(op, kernel, signature))
    if op.twin is None:
        yield Wrapper(lay_out(f"{result} call(", parameters, ")"), body, "call", schema_name)
        return
    yield Wrapper(lay_out("void write(", parameters, ")"), body, "write", op.twin)
    forward = lay_out("generated::write(", [parameter.name for parameter in signature.arguments], ");", indent=2)
    results = _return([cpp_name(output.name) for output in op.outputs])
    yield Wrapper(lay_out(f"{result} call(", parameters, ")"), (forward, *results), "call", schema_name)


def _body(op: Op, kernel: Kernel, signature: Signature) -> Iterator[str]:
    yield from host_checks(op)
    yield from _write_checks(op, kernel)
    if signature.filled:
        yield from allocations(op)
    call = lay_out(f"::{kernel.symbol}(", [parameter.name for parameter in signature.parameters], ")", indent=2)
    returned = [cpp_name(output.name) for output in signature.returned]
    if op.twin is not None:
        yield f"{call};"
    elif len(returned) == len(op.outputs):
        yield f"return {call};" if returned else f"{call};"
    else:
        names = returned[0] if len(returned) == 1 else f"[{', '.join(returned)}]"
        yield f"auto {names} = {call};" if returned else f"{call};"
        yield from _return([cpp_name(output.name) for output in op.outputs])


def _return(names: list[str]) -> list[str]:
    if not names:
        return []
    return [f"return {names[0]};" if len(names) == 1 else lay_out("return {", names, "};", indent=2)]


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
