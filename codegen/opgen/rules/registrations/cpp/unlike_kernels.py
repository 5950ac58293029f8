"""OPG521: two kernels of an op with different C++ types."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.rules.registrations.cpp.kernels import CppKernel, cpp_kernels
from opgen.rules.registrations.cpp.types import same_type
from opgen.rules.registrations.joined import MOST_BESIDE, Joined, exclude_each_other
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at

CODE = Code(
    id="OPG521",
    name="unlike-kernels",
    severity=Severity.ERROR,
    summary="Two C++ kernels of one op take the same argument as different C++ types.",
    why=(
        "The dispatcher stores functions of one type per op, and raises when the second is registered: mismatch in "
        "kernel C++ signatures (`aten/src/ATen/core/dispatch/OperatorEntry.cpp`). An additional `const` makes a "
        "different type. A kernel that takes `c10::SymInt` where another takes `int64_t` is stored separately, and "
        "is allowed."
    ),
    bad=cpp(
        "void clear_cpu(at::Tensor& dst) { dst.zero_(); }\n"
        "void clear_xpu(const at::Tensor& dst) { dst.zero_(); }\n"
        'TORCH_LIBRARY(mylib, m) { m.def("clear(Tensor(a!) dst) -> ()"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("clear", &clear_cpu); }\n'
        'TORCH_LIBRARY_IMPL(mylib, XPU, m) { m.impl("clear", &clear_xpu); }\n'
    ),
    good=cpp(
        "void clear_cpu(at::Tensor& dst) { dst.zero_(); }\n"
        "void clear_xpu(at::Tensor& dst) { dst.zero_(); }\n"
        'TORCH_LIBRARY(mylib, m) { m.def("clear(Tensor(a!) dst) -> ()"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("clear", &clear_cpu); }\n'
        'TORCH_LIBRARY_IMPL(mylib, XPU, m) { m.impl("clear", &clear_xpu); }\n'
    ),
    remedy="give all kernels of the op the same parameters",
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Compare each kernel with the first one of its op that the same build may have."""
    first: dict[str, list[CppKernel]] = {}
    for kernel in cpp_kernels(joined):
        if kernel.statement.abi == "stable" or kernel.function.parameters is None:
            continue
        others = first.setdefault(kernel.name, [])
        beside = next((one for one in others if not _apart(one, kernel)), None)
        if len(others) < MOST_BESIDE:
            others.append(kernel)
        if beside is not None:
            yield from _differences(kernel, beside, joined)


def _apart(one: CppKernel, other: CppKernel) -> bool:
    """Whether no build has both kernels, as they are in different files that each define the op."""
    paths = [each.statement.location.source.path for each in (one, other)]
    defining = {each.statement.location.source.path for each in (*one.definitions, *other.definitions)}
    if paths[0] != paths[1] and defining.issuperset(paths):
        return True
    mine, its = ((*each.statement.conditions, *each.function.conditions) for each in (one, other))
    return one.function.location == other.function.location or exclude_each_other(mine, its)


def _differences(kernel: CppKernel, first: CppKernel, joined: Joined) -> Iterator[Diagnostic]:
    mine, others = kernel.parameters or (), first.parameters or ()
    if len(mine) != len(others) or len(mine) != len(kernel.op.schema.arguments):
        return  # `kernel-signature` reports it
    for parameter, other, argument in zip(mine, others, kernel.op.schema.arguments, strict=True):
        spelled, its = (same_type(one.type, joined.type_aliases) for one in (parameter, other))
        if spelled != its:
            message = f"'{kernel.function.name}' takes '{argument.name}' as `{parameter.type}`, '{first.function.name}' as `{other.type}`"
            note = Note("the other kernel is here", other.location)
            help_ = f"PyTorch wants one type for all kernels of an op: take it as `{other.type}` in both, or as `{parameter.type}`"
            yield found_at(CODE, kernel.name, message, parameter.location, help=help_, notes=(note,))


RULE = RegistrationRule(CODE, check)
