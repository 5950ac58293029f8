"""OPG523: one op, two definitions."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.rules.registrations.differences import difference
from opgen.rules.registrations.joined import Defined, Joined, exclude_each_other
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at

CODE = Code(
    id="OPG523",
    name="two-definitions",
    severity=Severity.ERROR,
    summary="One op is defined by two statements, or with different schemas in branches of `#if`.",
    why=(
        "A second definition of an op raises when the binary is loaded, and Python aborts. If only one of the "
        "statements is built, callers and fake kernels see a different schema in each build "
        "(vllm-project/vllm#18746)."
    ),
    bad=cpp(
        "TORCH_LIBRARY(mylib, m) {\n"
        "#ifdef WITH_AXIS\n"
        '  m.def("route(Tensor(a!) dst, int axis) -> ()");\n'
        "#else\n"
        '  m.def("route(Tensor(a!) dst) -> ()");\n'
        "#endif\n"
        "}\n"
    ),
    good=cpp('TORCH_LIBRARY(mylib, m) {\n  m.def("route(Tensor(a!) dst, int axis=0) -> ()");\n}\n'),
    remedy="define the op once, with one schema for all builds",
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Compare each definition with the first one of its language, and the first ones with each other.

    Definitions by one use of a macro count once. Python may define an op for builds without the C++ definition.
    """
    for op in joined.ops.values():
        cpp_ones, python_ones = (
            [one for one in op.definitions if one.statement.language == language] for language in ("cpp", "python")
        )
        for mine in (cpp_ones, python_ones, cpp_ones[:1] + python_ones[:1]):
            for other in mine[1:]:
                yield from _compared(mine[0], other)


def _compared(first: Defined, second: Defined) -> Iterator[Diagnostic]:
    there, here = first.statement.location, second.statement.location
    if there == here or first.op is None or second.op is None:
        return
    told = difference(first.op.schema, second.op.schema)
    is_one_build = there.source.path == here.source.path and not exclude_each_other(
        first.statement.conditions, second.statement.conditions
    )
    if not told and not is_one_build:  # equal schemas in two files, of which a build may have only one
        return
    place = f"{there.source.path}:{there.start.line}"
    message = f"the op is defined in {place} as well" + (f", with another schema: {told}" if told else "")
    yield found_at(CODE, second.name, message, here, notes=(Note("the other definition is here", there),))


RULE = RegistrationRule(CODE, check)
