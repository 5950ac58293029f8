"""OPG536: a kernel launch on the current device, without a guard for the device of the tensors."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.diagnostics.codes import Example
from opgen.readers.cpp.devices import device_guards, launches
from opgen.rules.registrations.cpp.kernels import cpp_kernels
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, found_at
from opgen.source import Location

_GOOD = (
    "void add_one(at::Tensor& x) {\n"
    "  TORCH_CHECK(x.is_contiguous());\n"
    "  const c10::cuda::OptionalCUDAGuard guard(x.device());\n"
    "  add_one_kernel<<<1, 256, 0, c10::cuda::getCurrentCUDAStream()>>>(x.mutable_data_ptr<float>(), x.numel());\n"
    "}\n"
    'TORCH_LIBRARY(mylib, m) { m.def("add_one(Tensor(a!) x) -> ()"); }\n'
    'TORCH_LIBRARY_IMPL(mylib, CUDA, m) { m.impl("add_one", &add_one); }\n'
)
CODE = Code(
    id="OPG536",
    name="missing-device-guard",
    severity=Severity.WARNING,
    summary="A registered function launches a CUDA kernel without a device guard.",
    why=(
        "The launch goes to the current device. If the tensors are on another one, it fails with an illegal memory "
        "access, or reads them slowly through peer access (pytorch/FBGEMM#5113)."
    ),
    bad=Example(
        _GOOD.replace("  const c10::cuda::OptionalCUDAGuard guard(x.device());\n", ""),
        "csrc/ops.cu",
    ),
    good=Example(_GOOD, "csrc/ops.cu"),
    remedy="begin with `const c10::cuda::OptionalCUDAGuard guard(x.device());`",
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Check the first launch in each registered function, but not launches in functions that it calls."""
    seen: set[Location] = set()
    for kernel in cpp_kernels(joined):
        function = kernel.function
        launch = next(launches(function), None)
        if launch is None or function.location in seen or any(True for _ in device_guards(function)):
            continue
        seen.add(function.location)
        message = f"'{launch.kernel}' is launched without a device guard: it runs on the current device"
        yield found_at(CODE, kernel.name, message, launch.location)


RULE = RegistrationRule(CODE, check)
