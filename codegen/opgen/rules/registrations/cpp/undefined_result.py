"""OPG533: a kernel that returns an undefined tensor, ``at::Tensor()``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.readers.cpp.returns import returned
from opgen.rules.registrations.cpp.bodies import is_otherwise, is_reached
from opgen.rules.registrations.cpp.kernels import cpp_kernels
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at
from opgen.schema.types import is_plain_tensor

CODE = Code(
    id="OPG533",
    name="undefined-result",
    severity=Severity.ERROR,
    summary="A C++ kernel returns an undefined tensor, `at::Tensor()`, where the schema says `Tensor`.",
    why=(
        "Python receives `None` for it, although callers were promised a tensor; under `torch.compile` the fake "
        "kernel can't express that (pytorch/pytorch#182328)."
    ),
    bad=cpp(
        "at::Tensor pick(const at::Tensor& x, bool any) {\n"
        "  if (!any) return at::Tensor();\n"
        "  return x.clone();\n"
        "}\n"
        'TORCH_LIBRARY(mylib, m) { m.def("pick(Tensor x, bool any) -> Tensor"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("pick", &pick); }\n'
    ),
    good=cpp(
        "std::optional<at::Tensor> pick(const at::Tensor& x, bool any) {\n"
        "  if (!any) return std::nullopt;\n"
        "  return x.clone();\n"
        "}\n"
        'TORCH_LIBRARY(mylib, m) { m.def("pick(Tensor x, bool any) -> Tensor?"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("pick", &pick); }\n'
    ),
    remedy="declare the return as `Tensor?` and return `std::nullopt`, or return an empty tensor",
)
_UNDEFINED = re.compile(r"(?:(?:at|torch|torch::stable)::)?Tensor\s*(?:\(\s*\)|\{\s*\})")


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Check the values of ``return`` statements."""
    for kernel in cpp_kernels(joined):
        returns = kernel.op.schema.returns
        for each in returned(kernel.function):
            if len(each.values) != len(returns) or not is_reached(each):
                continue
            for index, (value, result) in enumerate(zip(each.values, returns, strict=True)):
                if is_plain_tensor(result.type) and _UNDEFINED.fullmatch(each.parsed.value(value)):
                    message = f"return {index} is an undefined tensor, where the schema says Tensor"
                    finding = found_at(CODE, kernel.name, message, each.location)
                    yield replace(finding, severity_override=Severity.WARNING) if is_otherwise(each) else finding


RULE = RegistrationRule(CODE, check)
