"""OPG526: ``m.def("...", &f)`` with a kernel for one backend, which makes it CompositeImplicitAutograd."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.readers.cpp.devices import launches
from opgen.readers.cpp.pointers import pointer_accesses
from opgen.readers.registrations import Function
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at

CODE = Code(
    id="OPG526",
    name="accidental-composite",
    severity=Severity.ERROR,
    summary="A function passed to the definition becomes composite, but it works on raw memory.",
    why=(
        '`m.def("…", &f)` registers `f` as CompositeImplicitAutograd: it serves every backend, and `torch.compile` '
        "and autograd trace through it. A function that accesses raw memory can't be traced, and works for one "
        "backend only (pytorch/pytorch#123741)."
    ),
    bad=cpp(
        "void bump(at::Tensor& x) {\n"
        "  TORCH_CHECK(x.is_contiguous());\n"
        "  x.mutable_data_ptr<float>()[0] += 1;\n"
        "}\n"
        'TORCH_LIBRARY(mylib, m) { m.def("bump(Tensor(a!) x) -> ()", &bump); }\n'
    ),
    good=cpp(
        "void bump(at::Tensor& x) {\n"
        "  TORCH_CHECK(x.is_contiguous());\n"
        "  x.mutable_data_ptr<float>()[0] += 1;\n"
        "}\n"
        'TORCH_LIBRARY(mylib, m) { m.def("bump(Tensor(a!) x) -> ()"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("bump", &bump); }\n'
    ),
    remedy='define the schema alone, and register the function for its backend: `m.impl("…", c10::DispatchKey::CPU, &f)`',
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Check the functions that are passed to ``m.def``."""
    for op in joined.ops.values():
        for one in op.definitions:
            function = one.statement.function
            if one.statement.language != "cpp" or function is None:
                continue
            if reason := _touches_memory(function):
                message = f"a function given at the definition is composite, for every backend, but {reason}"
                yield found_at(CODE, op.name, message, one.statement.location)


def _touches_memory(function: Function) -> str:
    for each in (function, *function.alternatives):
        if any(True for _ in launches(each)):
            return "it launches a CUDA kernel"
        if access := next(pointer_accesses(each), None):
            return f"it takes a pointer to memory (`{access.method}`)"
    return ""


RULE = RegistrationRule(CODE, check)
