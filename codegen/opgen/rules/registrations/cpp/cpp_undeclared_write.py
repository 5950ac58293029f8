"""OPG529: a C++ kernel writes an argument that its schema does not mark."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.rules.marks import mark_fix
from opgen.rules.registrations.cpp.bodies import aliases_in, writes
from opgen.rules.registrations.cpp.kernels import cpp_kernels
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at
from opgen.schema.aliases import is_written

CODE = Code(
    id="OPG529",
    name="cpp-undeclared-write",
    severity=Severity.ERROR,
    summary="A C++ kernel writes an argument that the schema does not mark with `!`.",
    why=(
        "`torch.compile` may pass such a kernel a copy, or reorder it with readers: the write is lost and the "
        "results are silently wrong (flashinfer-ai/flashinfer#4361). The rule considers methods with a trailing "
        "underscore and `mutable_data_ptr`, not what a helper does with the tensor."
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
        names = frozenset(one.name for one in kernel.parameters or () if one.name)
        found = writes(kernel.function, aliases_in(kernel.function, names))
        for variable, method, place, is_certain in sorted(found, key=lambda write: not write[3]):
            index = kernel.argument_of(variable)
            op = kernel.op
            if index is None or index >= len(op.schema.arguments) or is_written(op.schema.arguments[index]):
                continue
            name = op.schema.arguments[index].name
            if (kernel.name, name) not in seen:
                seen.add((kernel.name, name))
                is_pointer = method.startswith("mutable")
                does = f"takes a pointer to '{name}' for writing" if is_pointer else f"writes '{name}' (`{method}`)"
                message = f"the kernel {does}, but the schema does not mark it with `!`"
                where = op.spec.func.locate(op.schema.arguments[index].span)
                note = Note("it is written here", place)
                otherwise = "use `const_data_ptr` to read it" if is_pointer else "let the kernel write a copy"
                help_ = f"mark it, as in `Tensor(a!) {name}`, or {otherwise}"
                finding = found_at(CODE, kernel.name, message, where, help=help_, notes=(note,), fix=mark_fix(op, name))
                yield finding if is_certain else replace(finding, severity_override=Severity.WARNING)


RULE = RegistrationRule(CODE, check)
