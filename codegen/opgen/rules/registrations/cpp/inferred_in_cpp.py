"""OPG527: ``m.def`` with a name only, whose schema PyTorch infers from the function."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at

CODE = Code(
    id="OPG527",
    name="inferred-in-cpp",
    severity=Severity.WARNING,
    summary="`m.def` gets the name of an op without a schema.",
    why=(
        "PyTorch then infers a schema from the C++ function: arguments are called `_0`, `_1` and have no defaults, "
        "and none is marked as written, whatever the function does "
        "(`aten/src/ATen/core/op_registration/infer_schema.cpp`)."
    ),
    bad=cpp('at::Tensor mix(const at::Tensor& x) { return x + 1; }\nTORCH_LIBRARY(mylib, m) { m.def("mix", &mix); }\n'),
    good=cpp(
        "at::Tensor mix(const at::Tensor& x) { return x + 1; }\n"
        'TORCH_LIBRARY(mylib, m) { m.def("mix(Tensor x) -> Tensor", &mix); }\n'
    ),
    remedy='write the schema, with names, defaults and marks: `m.def("name(Tensor x) -> Tensor", …)`',
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Report definitions whose text has no parentheses."""
    for one in joined.definitions:
        if one.statement.language == "cpp" and one.statement.is_name_only:
            message = "the op is defined without a schema: its arguments are called _0, _1, and no write is declared"
            yield found_at(CODE, one.name, message, one.statement.location)


RULE = RegistrationRule(CODE, check)
