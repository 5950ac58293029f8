"""OPG537: a kernel launch on the default stream."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.diagnostics.codes import Example
from opgen.readers.cpp.devices import launches
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
    id="OPG537",
    name="default-stream",
    severity=Severity.WARNING,
    summary="A registered function launches a CUDA kernel on the default stream.",
    why=(
        "PyTorch orders work on its current stream. A launch on another stream runs concurrently with the work that "
        "produces its inputs, or waits for everything, and is not captured into CUDA graphs (pytorch/FBGEMM#5113)."
    ),
    bad=Example(_GOOD.replace(", 0, c10::cuda::getCurrentCUDAStream()", ""), "csrc/ops.cu"),
    good=Example(_GOOD, "csrc/ops.cu"),
    remedy="pass the current stream as the fourth launch parameter: `c10::cuda::getCurrentCUDAStream()`",
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Report kernel launches without a stream, or on stream 0."""
    seen: set[Location] = set()
    for kernel in cpp_kernels(joined):
        if kernel.function.location in seen:
            continue
        seen.add(kernel.function.location)
        for launch in launches(kernel.function):
            if launch.stream is None or launch.stream.strip() in {"0", "nullptr", "NULL"}:
                message = f"'{launch.kernel}' is launched on the default stream, not on PyTorch's current one"
                yield found_at(CODE, kernel.name, message, launch.location)


RULE = RegistrationRule(CODE, check)
