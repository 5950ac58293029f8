"""Sources that accompany declarations in the examples of several rules."""

from __future__ import annotations

from opgen.diagnostics.codes import Example

HAND_WRITTEN = Example(
    "#include <torch/library.h>\n\n"
    "TORCH_LIBRARY(mylib, m) {\n"
    '  m.def("clip(Tensor(a!) x, float high) -> ()");\n'
    "}\n"
    "void clip(at::Tensor& x, double high) { x.clamp_max_(high); }\n"
    'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("clip", &clip); }\n',
    "csrc/bindings.cpp",
)
