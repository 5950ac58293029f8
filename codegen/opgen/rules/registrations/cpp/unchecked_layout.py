"""OPG535: raw pointers to a tensor whose layout nobody looks at."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.readers.cpp.lexical import without_literals
from opgen.readers.cpp.pointers import pointer_accesses
from opgen.rules.registrations.cpp.kernels import cpp_kernels
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at
from opgen.source import Location

CODE = Code(
    id="OPG535",
    name="unchecked-layout",
    severity=Severity.WARNING,
    summary="A kernel takes a raw pointer to an argument, and never looks at whether it is contiguous.",
    why=(
        "Callers pass slices and transposed tensors, and `torch.compile` may choose other strides than eager code had: the "
        "kernel then reads the wrong elements without an error (pytorch/pytorch#137437). Functions that the tensor is "
        "given to are not looked into: a kernel that gives it away is not judged."
    ),
    bad=cpp(
        "void twice(const at::Tensor& x, at::Tensor& out) {\n"
        "  const float* in = x.const_data_ptr<float>();\n"
        "  float* to = out.mutable_data_ptr<float>();\n"
        "  for (int64_t i = 0; i < x.numel(); ++i) to[i] = 2 * in[i];\n"
        "}\n"
        'TORCH_LIBRARY(mylib, m) { m.def("twice(Tensor x, Tensor(a!) out) -> ()"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("twice", &twice); }\n'
    ),
    good=cpp(
        "void twice(const at::Tensor& x, at::Tensor& out) {\n"
        '  TORCH_CHECK(x.is_contiguous() && out.is_contiguous(), "twice: contiguous tensors expected");\n'
        "  const float* in = x.const_data_ptr<float>();\n"
        "  float* to = out.mutable_data_ptr<float>();\n"
        "  for (int64_t i = 0; i < x.numel(); ++i) to[i] = 2 * in[i];\n"
        "}\n"
        'TORCH_LIBRARY(mylib, m) { m.def("twice(Tensor x, Tensor(a!) out) -> ()"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("twice", &twice); }\n'
    ),
    remedy="begin with `TORCH_CHECK(x.is_contiguous(), …)`, or pass `x.strides()` on",
)
_POINTERS = frozenset({"data_ptr", "const_data_ptr", "mutable_data_ptr"})
_LOOKS = r"contiguous|stride|is_non_overlapping|memory_format|layout"
_GIVEN_AWAY = r"[(,]\s*(?:\*|std::move\s*\(\s*)?{name}\s*[,)]"


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Judge the first pointer to each tensor argument; a tensor that is given to a function may be checked there."""
    seen: set[Location] = set()
    for kernel in cpp_kernels(joined):
        if kernel.function.body is None or kernel.function.location in seen:
            continue
        seen.add(kernel.function.location)
        code = without_literals(kernel.function.body.value)
        judged: set[str] = set()
        for access in pointer_accesses(kernel.function):
            index = kernel.argument_of(access.variable)
            if index is None or access.methods or access.method not in _POINTERS or access.variable in judged:
                continue
            judged.add(access.variable)
            if not _is_looked_at(code, access.variable) and index < len(kernel.op.schema.arguments):
                name = kernel.op.schema.arguments[index].name
                message = f"the kernel takes a pointer to '{name}', and never looks at whether it is contiguous"
                help_ = f'begin with `TORCH_CHECK({access.variable}.is_contiguous(), "…")`, or pass its strides on'
                yield found_at(CODE, kernel.name, message, access.location, help=help_)


def _is_looked_at(code: str, name: str) -> bool:
    """Whether the layout of a variable is asked for, or may be elsewhere."""
    own = re.compile(rf"\b{re.escape(name)}\s*(?:\.|->)\s*\w*(?:{_LOOKS})")
    given = re.compile(_GIVEN_AWAY.format(name=re.escape(name)))
    rebound = re.compile(rf"(?<![\w.>]){re.escape(name)}\s*=(?!=)")
    return any(pattern.search(code) for pattern in (own, given, rebound))


RULE = RegistrationRule(CODE, check)
