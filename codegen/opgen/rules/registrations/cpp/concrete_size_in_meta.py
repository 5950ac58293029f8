"""OPG534: a C++ Meta kernel that reads sizes as ``int64_t`` instead of ``SymInt``."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.readers.cpp.expressions import MethodCall, method_calls
from opgen.rules.registrations.cpp.kernels import cpp_kernels
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at
from opgen.rules.rule import listed
from opgen.source import Location

CODE = Code(
    id="OPG534",
    name="concrete-size-in-meta",
    severity=Severity.WARNING,
    summary="A C++ kernel on the Meta key reads sizes or strides as plain numbers.",
    why=(
        "Under `torch.compile` sizes are symbols. `size()` and `sizes()` turn them into the numbers of this call, "
        "and the graph is valid for these only: every new batch size recompiles, or export fails "
        "(vllm-project/vllm-ascend#11006)."
    ),
    bad=cpp(
        "at::Tensor sum(const at::Tensor& x) { return at::zeros({x.size(0)}, x.options()); }\n"
        "at::Tensor sum_meta(const at::Tensor& x) { return at::empty({x.size(0)}, x.options()); }\n"
        'TORCH_LIBRARY(mylib, m) { m.def("sum(Tensor x) -> Tensor"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("sum", &sum); }\n'
        'TORCH_LIBRARY_IMPL(mylib, Meta, m) { m.impl("sum", &sum_meta); }\n'
    ),
    good=cpp(
        "at::Tensor sum(const at::Tensor& x) { return at::zeros({x.size(0)}, x.options()); }\n"
        "at::Tensor sum_meta(const at::Tensor& x) { return at::empty_symint({x.sym_size(0)}, x.options()); }\n"
        'TORCH_LIBRARY(mylib, m) { m.def("sum(Tensor x) -> Tensor"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("sum", &sum); }\n'
        'TORCH_LIBRARY_IMPL(mylib, Meta, m) { m.impl("sum", &sum_meta); }\n'
    ),
    remedy="use `sym_size`, `sym_sizes`, `sym_stride`, `sym_numel`, and factories such as `at::empty_symint`",
)
_CONCRETE = frozenset({"size", "sizes", "stride", "strides", "numel"})


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Report the first such method in each kernel that is registered for Meta only."""
    seen: set[Location] = set()
    for kernel in cpp_kernels(joined):
        if kernel.keys != ("Meta",) or kernel.statement.abi == "stable":
            continue
        arguments = {one.name for one in kernel.parameters or ()}
        calls = [one for one in method_calls(kernel.function) if one.method in _CONCRETE]
        calls = [one for one in calls if one.receiver.variable in arguments and not _is_of_list(one)]
        if calls and kernel.function.location not in seen:
            seen.add(kernel.function.location)
            methods = list(dict.fromkeys(one.method for one in calls))
            symbolic = listed(f"sym_{method}" for method in methods)
            message = f"the fake reads {listed(methods)} as numbers, which are fixed in the graph"
            help_ = f"use {symbolic}, and factories that take symbols, such as `at::empty_symint`"
            yield found_at(CODE, kernel.name, message, min(calls, key=_place).location, help=help_)


def _is_of_list(call: MethodCall) -> bool:
    """Whether a ``size()`` is that of a list, as that of a tensor has a dim as argument."""
    return call.method == "size" and not call.arguments


def _place(call: MethodCall) -> int:
    return call.node.start_byte


RULE = RegistrationRule(CODE, check)
