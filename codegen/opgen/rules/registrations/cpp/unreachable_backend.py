"""OPG532: a kernel of a backend for an op that takes no tensor."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at

CODE = Code(
    id="OPG532",
    name="unreachable-backend",
    severity=Severity.ERROR,
    summary="An op takes no tensor, but its only kernels are for backends.",
    why=(
        "The dispatcher selects the backend by the tensors of a call. Without one it looks for a kernel that serves "
        "every backend and raises NotImplementedError; a `Device` argument does not select the backend "
        "(`aten/src/ATen/core/dispatch/DispatchKeyExtractor.h`)."
    ),
    bad=cpp(
        "at::Tensor ramp(at::Device device) { return at::arange(16, device); }\n"
        "at::Tensor ramp_meta(at::Device device) { return at::arange(16, device); }\n"
        'TORCH_LIBRARY(mylib, m) { m.def("ramp(Device device) -> Tensor"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("ramp", &ramp); }\n'
        'TORCH_LIBRARY_IMPL(mylib, Meta, m) { m.impl("ramp", &ramp_meta); }\n'
    ),
    good=cpp(
        "at::Tensor ramp(at::Device device) { return at::arange(16, device); }\n"
        'TORCH_LIBRARY(mylib, m) { m.def("ramp(Device device) -> Tensor"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CompositeExplicitAutograd, m) { m.impl("ramp", &ramp); }\n'
    ),
    remedy="give it a `Device device` argument, and register the kernel for CompositeExplicitAutograd",
)
_REACHED = ("Composite", "BackendSelect", "Undefined", "CatchAll", "Python")


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Check the dispatch keys of ops without a tensor argument."""
    for op in joined.ops.values():
        first = next((one for one in op.definitions if one.op is not None), None)
        made = [one for one in op.implementations if one.role == "kernel"]
        if first is None or first.op is None or first.op.tensor_arguments or not made:
            continue
        keys = [key for one in made for key in one.keys]
        if first.statement.function is not None or any(not one.keys for one in made):
            continue
        if not any(key.startswith(_REACHED) for key in keys):
            message = f"the op takes no tensor, so no call finds its kernel for {keys[0]}"
            yield found_at(CODE, op.name, message, first.statement.location)


RULE = RegistrationRule(CODE, check)
