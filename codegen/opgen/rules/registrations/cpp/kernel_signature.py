"""OPG520: a C++ kernel whose signature does not fit its schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from opgen.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.model.op import Op
from opgen.readers.registrations import Parameter
from opgen.rules.registrations.cpp.kernels import CppKernel, cpp_kernels
from opgen.rules.registrations.cpp.types import (
    is_changeable_reference,
    is_symbolic_reference,
    meant,
    plain,
    refused,
    wanted,
)
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at
from opgen.rules.rule import listed
from opgen.schema.nodes import Type
from opgen.schema.printer import print_type
from opgen.source import Location, Span
from opgen.words import counted

CODE = Code(
    id="OPG520",
    name="kernel-signature",
    severity=Severity.ERROR,
    summary="A C++ function is registered for an op whose schema has other parameters or results.",
    why=(
        "PyTorch compares them when the binary is loaded, in a static initialiser: Python aborts during the import "
        "(pytorch/pytorch#124645). Types that no kernel may take fail to compile "
        "(`aten/src/ATen/core/boxing/impl/make_boxed_from_unboxed_functor.h`). On the stable ABI nothing is "
        "compared: the kernel reads the bits as another type. Functions in all branches of `#if` are compared."
    ),
    bad=cpp(
        "void tint(const at::Tensor& src, float strength, at::Tensor& dst) { dst.mul_(strength); }\n"
        "TORCH_LIBRARY(mylib, m) {\n"
        '  m.def("tint(Tensor src, float strength, Tensor(a!) dst) -> ()");\n'
        '  m.impl("tint", c10::DispatchKey::CPU, &tint);\n'
        "}\n"
    ),
    good=cpp(
        "void tint(const at::Tensor& src, double strength, at::Tensor& dst) { dst.mul_(strength); }\n"
        "TORCH_LIBRARY(mylib, m) {\n"
        '  m.def("tint(Tensor src, float strength, Tensor(a!) dst) -> ()");\n'
        '  m.impl("tint", c10::DispatchKey::CPU, &tint);\n'
        "}\n"
    ),
    remedy="give the function the parameters and the result of the schema, in its order",
)


_Misfit: TypeAlias = tuple[str, str, Location, Fix | None]
"""The message, help, place and fix of a finding."""


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Compare each kernel with the schemas that it may be registered for; it has to fit one of them."""
    seen: set[tuple[str, Location]] = set()
    for kernel in cpp_kernels(joined):
        place = kernel.function.location
        if kernel.parameters is None or (kernel.name, place) in seen:
            continue
        seen.add((kernel.name, place))
        misfits = [
            list(_misfits(kernel, one.op, joined.type_aliases)) for one in kernel.definitions if one.op is not None
        ]
        if all(misfits):
            note = Note("the schema is here", kernel.definitions[0].statement.schema.locate())
            for message, help_, where, fix in misfits[0]:
                yield found_at(CODE, kernel.name, message, where, help=help_, notes=(note,), fix=fix)


def _misfits(kernel: CppKernel, op: Op, aliases: Mapping[str, str]) -> Iterator[_Misfit]:
    parameters = kernel.parameters or ()
    function = f"'{kernel.function.name}'" if kernel.function.name else "the lambda"
    if any(one.kind == "variadic" for one in parameters):
        return
    if len(parameters) != len(op.schema.arguments):
        yield _other_count(function, parameters, op, kernel)
        return
    for parameter, argument in zip(parameters, op.schema.arguments, strict=True):
        if problem := _problem(parameter, argument.type, aliases, kernel):
            message = f"{function} takes '{argument.name}' as `{parameter.type}`, {problem}"
            better = wanted(argument.type, kernel.statement.abi)
            help_ = f"take it as `{better} {argument.name}`" if better else ""
            yield message, help_, parameter.location, _fix(kernel, parameter, better)
    yield from _other_result(function, kernel, op, aliases)


def _problem(parameter: Parameter, type_: Type, aliases: Mapping[str, str], kernel: CppKernel) -> str:
    """Return the mistake in the type of a parameter; empty if there is none, or if the type is unknown."""
    expected, found = plain(type_), meant(parameter.type, aliases)
    if refused(parameter.type):
        right = wanted(type_, kernel.statement.abi, is_result=True)
        return f"but the schema's {print_type(type_)} is `{right}` in C++" if right else "which no kernel may take"
    if kernel.statement.abi == "classic" and is_symbolic_reference(parameter.type):
        return "but a symbolic number is taken by value"
    if kernel.statement.abi == "classic" and is_changeable_reference(parameter.type):
        return "but only a tensor can be taken by a reference that is not const"
    if expected is None or found is None or found == expected or {expected, found} == {"Generator", "Generator?"}:
        return ""
    return f"which is {found} in a schema; this one says {print_type(type_)}"


def _fix(kernel: CppKernel, parameter: Parameter, better: str) -> Fix | None:
    """Return a fix that changes the type in the function's definition; declarations and calls elsewhere must follow."""
    start, end = parameter.location.span
    text = parameter.location.source.text
    if kernel.function.body is None or not better or not text[start:end].startswith(parameter.type):
        return None
    place = Location(parameter.location.source, Span(start, start + len(parameter.type)))
    return Fix(f"take it as `{better}`", (Edit(place, better),), "unsafe")


def _other_count(function: str, parameters: tuple[Parameter, ...], op: Op, kernel: CppKernel) -> _Misfit:
    """Report a wrong number of parameters: by their names if these tell which are extra or missing, else by counts."""
    names, arguments = [one.name for one in parameters], [one.name for one in op.schema.arguments]
    missing = [name for name in arguments if name not in names]
    more = [name for name in names if name not in arguments]
    message = f"{function} has {counted(len(names), 'parameter')}, the schema {counted(len(arguments), 'argument')}"
    if len(missing) == len(arguments) - len(names):
        message += f": it lacks {listed(missing)}"
    elif all(more) and len(more) == len(names) - len(arguments):
        message += f": the schema lacks {listed(more)}"
    return message, "", kernel.function.location, None


def _other_result(function: str, kernel: CppKernel, op: Op, aliases: Mapping[str, str]) -> Iterator[_Misfit]:
    result = kernel.function.result
    types = [one.type for one in op.schema.returns]
    each = [plain(one) for one in types]
    if result in {"", "auto"} or None in each:
        return
    together = f"({', '.join(one for one in each if one)})"
    found = "()" if result == "void" else meant(result, aliases)
    fits = found is None or found == together or [found] == each
    if not fits or refused(result):
        written = [wanted(one, kernel.statement.abi, is_result=True) for one in types]
        better = "void" if not written else written[0] if len(written) == 1 else f"std::tuple<{', '.join(written)}>"
        message = f"{function} returns `{result}`, the schema {_returns(op)}"
        yield message, f"return `{better}`" if all(written) else "", kernel.function.location, None


def _returns(op: Op) -> str:
    written = [print_type(one.type) for one in op.schema.returns]
    return written[0] if len(written) == 1 else f"({', '.join(written)})"


RULE = RegistrationRule(CODE, check)
