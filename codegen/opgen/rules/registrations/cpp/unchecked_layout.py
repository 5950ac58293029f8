"""OPG535: raw pointers to a tensor whose layout is not checked."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.readers.cpp.lexical import without_literals
from opgen.readers.cpp.pointers import PointerAccess, pointer_accesses
from opgen.rules.registrations.cpp.kernels import CppKernel, cpp_kernels
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at
from opgen.rules.rule import listed
from opgen.schema.nodes import OptionalType
from opgen.source import Location

CODE = Code(
    id="OPG535",
    name="unchecked-layout",
    severity=Severity.WARNING,
    summary="A kernel takes a raw pointer to an argument without checking whether it is contiguous.",
    why=(
        "Callers pass slices and transposed tensors, and `torch.compile` may choose other strides than eager code: "
        "the kernel then reads the wrong elements without an error (pytorch/pytorch#137437). The rule does not look "
        "into functions that receive the tensor: a kernel that passes it on is not reported."
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
_CONDITION = r"\b(?:if|while)\s*\(\s*{name}\s*\)"
"""Matches conditions, which look like calls with the argument."""
_VALUE = r"{name}(?:\s*(?:\.|->)\s*value\s*\(\s*\))?"
"""Matches an argument, also ``x.value()`` or ``*x`` of an optional one."""
_COPY = r"\b(\w+)\s*=\s*\*?\s*{value}\s*;"
"""Matches the assignment of the argument, or of its value, to a variable."""


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Check the first pointer to each tensor argument; a tensor that is passed to a function may be checked there."""
    seen: set[Location] = set()
    for kernel in cpp_kernels(joined):
        if kernel.function.body is None or kernel.function.location in seen:
            continue
        seen.add(kernel.function.location)
        found = _unchecked(kernel, without_literals(kernel.function.body.value))
        if found:
            names = [kernel.op.schema.arguments[index].name for index in found]
            them = "whether it is" if len(names) == 1 else "whether they are"
            message = f"the kernel takes a pointer to {listed(names)}, and never looks at {them} contiguous"
            index, first = next(iter(found.items()))
            condition = f"{first.variable}.is_contiguous()"
            if isinstance(kernel.op.schema.arguments[index].type, OptionalType):
                condition = f"!{first.variable} || {first.variable}->is_contiguous()"
            help_ = f'begin with `TORCH_CHECK({condition}, "…")`, or pass its strides on'
            yield found_at(CODE, kernel.name, message, first.location, help=help_)


def _unchecked(kernel: CppKernel, code: str) -> dict[int, PointerAccess]:
    """Return the indices of the arguments whose layout is not checked, each with the first pointer to it."""
    found: dict[int, PointerAccess] = {}
    for access in pointer_accesses(kernel.function):
        index = kernel.argument_of(access.variable)
        if index is None or access.methods or access.method not in _POINTERS or index in found:
            continue
        if index < len(kernel.op.schema.arguments) and not _is_looked_at(code, access.variable):
            found[index] = access
    return found


def _is_looked_at(code: str, name: str) -> bool:
    """Whether the layout of a variable or a copy of it is checked, or may be in a function that it is passed to."""
    copies = re.findall(_COPY.format(value=_VALUE.format(name=re.escape(name))), code)
    rebound = re.search(rf"(?<![\w.>]){re.escape(name)}\s*=(?!=)", code)
    return bool(rebound) or any(map(functools.partial(_is_asked_for, code), (name, *copies)))


def _is_asked_for(code: str, name: str) -> bool:
    value = _VALUE.format(name=re.escape(name))
    own = rf"\b{value}\s*(?:\.|->)\s*\w*(?:{_LOOKS})"
    calls = re.sub(_CONDITION.format(name=value), "", code)
    return bool(re.search(own, code) or re.search(_GIVEN_AWAY.format(name=value), calls))


RULE = RegistrationRule(CODE, check)
