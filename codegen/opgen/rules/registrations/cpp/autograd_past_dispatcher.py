"""OPG530: C++ autograd code that calls a backend's kernel directly instead of redispatching."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.readers.cpp.lexical import without_literals
from opgen.readers.cpp.occurrences import autograd_functions
from opgen.readers.registrations import Function
from opgen.rules.registrations.cpp.kernels import CppKernel, cpp_kernels
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at
from opgen.source import Span

CODE = Code(
    id="OPG530",
    name="autograd-past-dispatcher",
    severity=Severity.ERROR,
    summary="A C++ autograd function calls a backend's kernel directly, not through the dispatcher.",
    why=(
        "`torch.compile` traces through the autograd function. A direct call runs the backend's kernel on fake "
        "tensors, which have no memory: it crashes or reads garbage (pytorch/pytorch#144514)."
    ),
    bad=cpp(
        "at::Tensor cube_cpu(const at::Tensor& x) { return x * x * x; }\n"
        "at::Tensor cube_meta(const at::Tensor& x) { return at::empty_symint(x.sym_sizes(), x.options()); }\n"
        "struct CubeFn : public torch::autograd::Function<CubeFn> {\n"
        "  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x) { return cube_cpu(x); }\n"
        "  static variable_list backward(AutogradContext* ctx, variable_list grads) { return {grads[0]}; }\n"
        "};\n"
        "at::Tensor cube(const at::Tensor& x) { return CubeFn::apply(x); }\n"
        'TORCH_LIBRARY(mylib, m) { m.def("cube(Tensor x) -> Tensor"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("cube", &cube_cpu); }\n'
        'TORCH_LIBRARY_IMPL(mylib, Meta, m) { m.impl("cube", &cube_meta); }\n'
        'TORCH_LIBRARY_IMPL(mylib, Autograd, m) { m.impl("cube", &cube); }\n'
    ),
    good=cpp(
        "at::Tensor cube_cpu(const at::Tensor& x) { return x * x * x; }\n"
        "at::Tensor cube_meta(const at::Tensor& x) { return at::empty_symint(x.sym_sizes(), x.options()); }\n"
        "struct CubeFn : public torch::autograd::Function<CubeFn> {\n"
        "  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x) {\n"
        "    at::AutoDispatchBelowADInplaceOrView guard;\n"
        "    static auto op = c10::Dispatcher::singleton()\n"
        '        .findSchemaOrThrow("mylib::cube", "").typed<at::Tensor(const at::Tensor&)>();\n'
        "    return op.call(x);\n"
        "  }\n"
        "  static variable_list backward(AutogradContext* ctx, variable_list grads) { return {grads[0]}; }\n"
        "};\n"
        "at::Tensor cube(const at::Tensor& x) { return CubeFn::apply(x); }\n"
        'TORCH_LIBRARY(mylib, m) { m.def("cube(Tensor x) -> Tensor"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("cube", &cube_cpu); }\n'
        'TORCH_LIBRARY_IMPL(mylib, Meta, m) { m.impl("cube", &cube_meta); }\n'
        'TORCH_LIBRARY_IMPL(mylib, Autograd, m) { m.impl("cube", &cube); }\n'
    ),
    remedy="call the op: `c10::Dispatcher::singleton().findSchemaOrThrow(…).typed<…>().call(…)` below an `AutoDispatchBelow…` guard",
)
_CALL = re.compile(r"(?<![\w.>&])(\w+)\s*\(")
_ABOVE = ("Autograd", "ADInplaceOrView", "Autocast", "Composite", "Functionalize", "Meta")


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Report calls of registered backend kernels in autograd functions and in kernels on Autograd keys."""
    kernels = list(cpp_kernels(joined))
    own = {
        _last(kernel.function.name): kernel.name
        for kernel in kernels
        if kernel.function.name and kernel.keys and not any(key.startswith(_ABOVE) for key in kernel.keys)
    }
    for kernel in kernels:
        if any(key.startswith("Autograd") for key in kernel.keys) and _last(kernel.function.name) not in own:
            yield from _calls(kernel.function, own)
    paths = dict.fromkeys(one.function.location.source.path for one in kernels if _is_autograd(one))
    for path in paths:
        for found in autograd_functions(joined.registrations.sources[path]):
            for function in (found.forward, found.backward):
                if function is not None:
                    yield from _calls(function, own)


def _is_autograd(kernel: CppKernel) -> bool:
    return any(key.startswith("Autograd") for key in kernel.keys)


def _calls(function: Function, own: dict[str, str]) -> Iterator[Diagnostic]:
    if function.body is None or not own:
        return
    for match in _CALL.finditer(without_literals(function.body.value)):
        if match[1] not in own:
            continue
        message = (
            f"'{match[1]}' is the kernel of a backend, called here past the dispatcher: tracing runs it on fake tensors"
        )
        yield found_at(CODE, own[match[1]], message, function.body.locate(Span(*match.span(1))))


def _last(name: str) -> str:
    return name.rpartition("::")[2]


RULE = RegistrationRule(CODE, check)
