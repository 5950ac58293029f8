"""OPG529: a C++ kernel writes an argument that its schema does not mark."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.readers.cpp.stores.summary import Stores, Written
from opgen.records import dataclass
from opgen.rules.marks import mark_fix
from opgen.rules.registrations.cpp.bodies import aliases_in, writes
from opgen.rules.registrations.cpp.kernels import CppKernel, cpp_kernels
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at
from opgen.schema.aliases import is_written
from opgen.schema.nodes import Argument
from opgen.schema.types import is_tensor, is_tensor_list

CODE = Code(
    id="OPG529",
    name="cpp-undeclared-write",
    severity=Severity.ERROR,
    summary="A C++ kernel writes an argument that the schema does not mark with `!`.",
    why=(
        "`torch.compile` may pass such a kernel a copy, or reorder it with readers: the write is lost and the "
        "results are silently wrong (flashinfer-ai/flashinfer#4361). The rule considers methods with a trailing "
        "underscore, stores through pointers and accessors, and functions and CUDA kernels in the sources that the "
        "memory is passed to; if only some of the functions that a call may mean write, it is a warning. It doesn't see "
        "pointers in structs, class templates such as those of CUTLASS, functors, and functions outside of the sources."
    ),
    bad=cpp(
        "void scale(const at::Tensor& x, const at::Tensor& out) { out.copy_(x * 2); x.zero_(); }\n"
        'TORCH_LIBRARY(mylib, m) { m.def("scale(Tensor x, Tensor(a!) out) -> ()"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("scale", &scale); }\n'
    ),
    good=cpp(
        "void scale(const at::Tensor& x, const at::Tensor& out) { out.copy_(x * 2); }\n"
        'TORCH_LIBRARY(mylib, m) { m.def("scale(Tensor x, Tensor(a!) out) -> ()"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("scale", &scale); }\n'
    ),
    remedy="mark the argument in the schema, `Tensor(a!) x`, or write a copy of it",
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Report writes of unmarked arguments, once for each argument and definition, at the schema, certain ones first."""
    seen: set[tuple[str, str]] = set()
    for kernel in cpp_kernels(joined):
        for found in sorted(_writes(joined, kernel), key=lambda one: not one.is_certain):
            index = kernel.argument_of(found.variable)
            if index is None or not _is_unmarked(kernel, index):
                continue
            argument = kernel.op.schema.arguments[index]
            if (kernel.name, argument.name) not in seen:
                seen.add((kernel.name, argument.name))
                yield _finding(kernel, argument, found)


@dataclass(frozen=True)
class _Write:
    """One write of a kernel.

    Attributes:
        variable: the parameter.
        how: in the words of a message, ``{}`` being the argument.
        otherwise: what else but a mark is a remedy.
        notes: the places.
        is_certain: a function that a pointer goes to may only read.
    """

    variable: str
    how: str
    otherwise: str
    notes: tuple[Note, ...]
    is_certain: bool


def _is_unmarked(kernel: CppKernel, index: int | None) -> bool:
    """Whether an argument is a tensor, or some, whose memory the schema promises not to write."""
    listed = kernel.op.schema.arguments
    if index is None or index >= len(listed) or is_written(listed[index]):
        return False
    return is_tensor(listed[index].type) or is_tensor_list(listed[index].type)


def _writes(joined: Joined, kernel: CppKernel) -> Iterator[_Write]:
    names = frozenset(one.name for one in kernel.parameters or () if one.name)
    for variable, method, place, is_certain in writes(kernel.function, aliases_in(kernel.function, names)):
        is_pointer = method.startswith("mutable")
        how = "takes a pointer to {} for writing" if is_pointer else f"writes {{}} (`{method}`)"
        otherwise = "use `const_data_ptr` to read it" if is_pointer else "let the kernel write a copy"
        yield _Write(variable, how, otherwise, (Note("it is written here", place),), is_certain)
    parameters = kernel.function.parameters or ()
    wanted = [index for index, one in enumerate(parameters) if _is_unmarked(kernel, kernel.argument_of(one.name))]
    for stores in joined.registrations.bodies:
        if isinstance(stores, Stores):
            for index, one in stores.of(kernel.function, wanted).items():
                yield _stored(parameters[index].name, one)


def _stored(variable: str, found: Written) -> _Write:
    notes: tuple[Note, ...] = (Note("it is written here", found.store),)
    if found.by and found.store != found.location:
        notes = (Note(f"`{found.by}` is called here", found.location), *notes)
    how = "writes {}" if not found.by else f"passes {{}} to `{found.by}`, which writes it"
    return _Write(variable, how, "let the kernel write a copy", notes, found.is_certain)


def _finding(kernel: CppKernel, argument: Argument, found: _Write) -> Diagnostic:
    message = f"the kernel {found.how.format(repr(argument.name))}, but the schema does not mark it with `!`"
    where = kernel.op.spec.func.locate(argument.span)
    help_ = f"mark it, as in `Tensor(a!) {argument.name}`, or {found.otherwise}"
    fix = mark_fix(kernel.op, argument.name)
    finding = found_at(CODE, kernel.name, message, where, help=help_, notes=found.notes, fix=fix)
    return finding if found.is_certain else replace(finding, severity_override=Severity.WARNING)


RULE = RegistrationRule(CODE, check)
