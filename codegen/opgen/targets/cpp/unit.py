"""The unit of one kernel: includes the author's file, asserts its signature, wraps it in its contract, registers it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opgen.model.contract import Contract
from opgen.model.kernel import Kernel
from opgen.model.op import Derivation, Library, Op
from opgen.records import dataclass
from opgen.targets.checks.cpp import allocations, host_checks, result_checks
from opgen.targets.checks.lines import fill
from opgen.targets.cpp.library import LibraryView, units_folder
from opgen.targets.cpp.members import member_body
from opgen.targets.cpp.resizing import resize_empty
from opgen.targets.cpp.signature import Signature, function_head, kernel_signature, kernel_symbol
from opgen.targets.cpp.types import result_type
from opgen.targets.cpp.writes import write_checks
from opgen.targets.expressions.names import Names
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
        library: the names that every file of the library uses.
        op: the qualified name.
        schema: the op's schema.
        namespace: the namespace that it is registered in.
        is_classic: it is compiled for the classic ABI.
        kernel: the kernel, with its path and dispatch key.
        symbol: the qualified name of the kernel's function.
        template: the head of the template specialisation that deduces the types of the kernel's signature.
        found: the function type that it specialises for.
        assertions: a ``static_assert`` for each type of the signature.
        arity: the ``static_assert`` that fails for another number of parameters.
        wrappers: the registered functions, in an order in which each only calls those before it.
        records: the texts by which ``opgen audit`` knows what the binary holds, one for each op:
            ``opgen: CPU kernel of NAMESPACE::SCHEMA`` and a NUL.
    """

    library: LibraryView
    op: str
    schema: str
    namespace: str
    is_classic: bool
    kernel: Kernel
    symbol: str
    template: str
    found: str
    assertions: tuple[str, ...]
    arity: str
    wrappers: tuple[Wrapper, ...]
    records: tuple[str, ...]


def unit_path(op: Op, kernel: Kernel) -> str:
    """Return the path of a compiled kernel's unit, relative to the folder of ``ops.yaml``."""
    return f"{units_folder(op.abi)}/{kernel.unit}.{'cu' if kernel.kind == 'cuda' else 'cpp'}"


def unit_file(library: Library, op: Op, kernel: Kernel) -> OutputFile:
    """Emit ``generated/csrc/units/BACKEND/OP.cpp``."""
    signature = kernel_signature(op, kernel)
    types = ["Result", *(f"P{index}" for index in range(len(signature.parameters)))]
    family = library.families[op.qualified_name]
    view = UnitView(
        library=LibraryView.of(library),
        op=op.qualified_name,
        schema="\n".join(map(definition, family)),
        namespace=op.namespace,
        is_classic=op.abi == "classic",
        kernel=kernel,
        symbol=kernel_symbol(kernel),
        template=_call("template ", [f"class {name}" for name in types], "<>"),
        found=_call("struct Kernel<signature::Of", types, "<>"),
        assertions=tuple(_assertions(op, signature)),
        arity=_arity(op, signature),
        wrappers=tuple(wrapper for member in family for wrapper in _wrappers(member, kernel)),
        records=tuple(
            f"opgen: {kernel.dispatch_key} kernel of {member.namespace}::{definition(member)}\0" for member in family
        ),
    )
    return OutputFile(unit_path(op, kernel), render("cpp/unit.cpp.j2", view))


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


SUFFIX = {Contract.FUNCTIONAL: "_functional", Contract.INPLACE: "_inplace", Contract.OUT: "_out"}
"""Suffixes of the functions of derived ops, which share a file with the functions of the declared op."""


def _wrappers(op: Op, kernel: Kernel) -> Iterator[Wrapper]:
    """Yield the wrapper ``call`` of the op and of each derived op.

    An op with a hidden ``-> ()`` twin has a wrapper ``write`` for the twin, and a ``call`` that returns its arguments.
    """
    signature = kernel_signature(op, kernel)
    schema_name = f"{op.name}.{op.overload}" if op.overload else op.name
    suffix = SUFFIX[op.contract] if op.is_derived else ""
    call, write = f"call{suffix}", f"write{suffix}"
    result = result_type(tuple(output.type for output in op.outputs), op.abi)
    body = tuple(_derived_body(op, op.derivation, kernel) if op.derivation else _body(op, kernel, signature))
    if kernel.kind == "cuda" and op.tensor_arguments:
        tensors = [cpp_name(argument.name) for argument in op.tensor_arguments]
        guard = Names.of(op, cpp_name).local("device_guard")
        body = (f"{_call(f'const DeviceGuard {guard}', tensors)};", *body)
    if op.twin is not None:
        yield Wrapper(function_head("void", write, signature.arguments), body, write, op.twin)
        forward = _call(f"generated::{write}", [parameter.name for parameter in signature.arguments])
        body = (f"{forward};", return_outputs(op))
    yield Wrapper(function_head(result, call, signature.arguments), body, call, schema_name)


def _derived_body(op: Op, derivation: Derivation, kernel: Kernel) -> Iterator[str]:
    yield from member_body(op, derivation, kernel)
    if op.twin is None:
        yield return_outputs(op)


def _body(op: Op, kernel: Kernel, signature: Signature) -> Iterator[str]:
    yield from resize_empty(op)
    yield from host_checks(op, returned=signature.returned)
    yield from write_checks(op, kernel)
    if signature.filled:
        yield from allocations(op)
    checks = result_checks(op, signature.returned)
    yield from kernel_call(op, kernel, signature, checks, returns=op.twin is None)


def kernel_call(
    op: Op, kernel: Kernel, signature: Signature, checks: Sequence[str] = (), *, returns: bool = True
) -> Iterator[str]:
    """Yield the call of the kernel, the checks of what it returned, and the statement that returns the outputs."""
    names = [cpp_name(output.name) for output in signature.returned]
    only_returns = len(names) == len(op.outputs) and not checks
    if not names:
        head = ""
    elif only_returns:
        head = "return "
    else:
        head = f"auto {names[0] if len(names) == 1 else '[' + ', '.join(names) + ']'} = "
    yield _call(f"{head}::{kernel_symbol(kernel)}", [parameter.name for parameter in signature.parameters]) + ";"
    yield from checks
    if op.outputs and returns and not (names and only_returns):
        yield return_outputs(op)


def return_outputs(op: Op) -> str:
    """Return the statement that returns all outputs."""
    names = [cpp_name(output.name) for output in op.outputs]
    return f"return {names[0]};" if len(names) == 1 else _call("return ", names, "{}") + ";"
