"""OPG564: a Python function whose signature does not fit the arguments that PyTorch passes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from opgen.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from opgen.readers.registrations import Parameter
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.python.defaults import differs, literal, shown
from opgen.rules.registrations.python.functions import Worker, workers
from opgen.rules.registrations.rule import RegistrationRule, found_at, python
from opgen.rules.rule import listed
from opgen.schema.nodes import Argument, Default
from opgen.source import Location, Span

CODE = Code(
    id="OPG564",
    name="python-signature",
    severity=Severity.ERROR,
    summary="The signature of a fake or of a Python kernel differs from the schema.",
    why=(
        "Both are called with the arguments of the schema: by position, and by name after the `*`. Arguments that "
        "equal their default in the schema are omitted, so the function needs the same defaults. Registration checks "
        "none of this (pytorch/pytorch#181851, sgl-project/sglang#19725); the mistake surfaces when somebody "
        "compiles, or calls the op without the argument."
    ),
    bad=python(
        """import torch

LIB = torch.library.Library("mylib", "DEF")
LIB.define("norm(Tensor x, float eps=1e-06) -> Tensor")
LIB.impl("norm", lambda x, eps=1e-06: x / (x.norm() + eps), "CPU")


@torch.library.register_fake("mylib::norm")
def _(x, eps):
    return x.new_empty(x.shape)
"""
    ),
    good=python(
        """import torch

LIB = torch.library.Library("mylib", "DEF")
LIB.define("norm(Tensor x, float eps=1e-06) -> Tensor")
LIB.impl("norm", lambda x, eps=1e-06: x / (x.norm() + eps), "CPU")


@torch.library.register_fake("mylib::norm")
def _(x, eps=1e-06):
    return x.new_empty(x.shape)
"""
    ),
    remedy="repeat names, order, `*` and defaults of the schema",
)

_KEYSETS = ("keyset", "ks", "dispatch_keys")
"""Usual names of the first parameter of a kernel that is registered `with_keyset=True`."""


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Bind the arguments of the schema to the parameters, as a call does."""
    for worker in workers(joined):
        if not worker.is_source:
            yield from _mistakes(worker)


def _mistakes(worker: Worker) -> Iterator[Diagnostic]:
    parameters = worker.function.parameters or ()
    if worker.role == "kernel" and parameters and parameters[0].name in _KEYSETS:
        parameters = parameters[1:]
    missing = _missing(worker.op.schema.arguments, parameters)
    if missing:
        what = "parameter for the argument" if len(missing) == 1 else "parameters for the arguments"
        yield _found(worker, f"{_what(worker)} has no {what} {listed(missing)} of the schema", worker.function.location)
        return
    by_position = [one for one in parameters if one.kind == "positional"]
    expected = [one.name for one in worker.op.schema.arguments if not one.kwarg_only]
    for parameter, name in zip(by_position, expected, strict=False):
        if parameter.name != name and parameter.name in expected:
            message = (
                f"{_what(worker)} takes its arguments in another order than the schema: "
                f"'{parameter.name}' stands where the schema has '{name}'"
            )
            yield _found(worker, message, parameter.location)
            return
    yield from _compared(worker, parameters, by_position)


def _missing(arguments: tuple[Argument, ...], parameters: tuple[Parameter, ...]) -> list[str]:
    """Return the arguments that no parameter receives: positional ones by name if that tells, else the last ones."""
    kinds, names = {one.kind for one in parameters}, {one.name for one in parameters}
    missing = [one.name for one in arguments if one.kwarg_only and one.name not in names and "keywords" not in kinds]
    positional = [one.name for one in arguments if not one.kwarg_only]
    takers = [
        one for one in parameters if one.kind == "positional" or (one.kind == "keyword_only" and one.name in positional)
    ]
    lack = len(positional) - len(takers)
    if lack > 0 and "variadic" not in kinds:
        unnamed = [name for name in positional if name not in names]
        missing += unnamed if len(unnamed) == lack else positional[-lack:]
    return missing


def _compared(worker: Worker, parameters: tuple[Parameter, ...], by_position: list[Parameter]) -> Iterator[Diagnostic]:
    """Compare each argument with the parameter that receives it, unless the order is wrong."""
    taken: set[str] = set()
    for index, argument in enumerate(worker.op.schema.arguments):
        named = next((one for one in parameters if one.name == argument.name and one.kind == "keyword_only"), None)
        parameter = _bound(argument, index, by_position, parameters)
        if parameter is not None:
            taken.add(parameter.name)
            yield from _default(worker, argument, parameter)
        elif named is not None:
            taken.add(named.name)
            message = f"{_what(worker)} takes '{argument.name}' by name only, but is given it by position"
            yield _found(worker, message, named.location)
    for parameter in parameters:
        if (
            parameter.name not in taken
            and parameter.default is None
            and parameter.kind in {"positional", "keyword_only"}
        ):
            message = f"{_what(worker)} asks for '{parameter.name}', which is no argument of the schema"
            yield _found(worker, message, parameter.location)


def _bound(
    argument: Argument, index: int, by_position: list[Parameter], parameters: tuple[Parameter, ...]
) -> Parameter | None:
    """Return the parameter that receives an argument, ``None`` if there is none."""
    if argument.kwarg_only:
        named = (one for one in parameters if one.name == argument.name and one.kind in {"positional", "keyword_only"})
        return next(named, None)
    return by_position[index] if index < len(by_position) else None


def _default(worker: Worker, argument: Argument, parameter: Parameter) -> Iterator[Diagnostic]:
    if argument.default is None:
        return
    if parameter.default is None:
        wanted = f"{parameter.name}={shown(argument.default)}"
        message = f"{_what(worker)} has no default for '{parameter.name}', the schema has one"
        help_ = f"write `{wanted}`: a call that leaves it out passes nothing"
        yield replace(_found(worker, message, parameter.location, help_), fix=_fix(worker, argument.default, parameter))
    elif differs(argument.default, parameter.default):
        message = (
            f"the default of '{parameter.name}' is {parameter.default} here and {shown(argument.default)} in the schema"
        )
        yield _found(worker, message, parameter.location)


def _fix(worker: Worker, default: Default, parameter: Parameter) -> Fix | None:
    """Return a fix that adds the schema's default; Python requires that all parameters behind it have one too."""
    parameters = worker.function.parameters or ()
    behind = parameters[parameters.index(parameter) + 1 :] if parameter.kind == "positional" else ()
    arguments = worker.arguments()
    for one in behind:
        argument = arguments.get(one.name)
        gets_one = argument is not None and argument.default is not None and literal(argument.default)
        if one.kind == "positional" and one.default is None and not gets_one:
            return None
    written, place = literal(default), parameter.location
    if written is None:
        return None
    edit = Edit(
        Location(place.source, Span(place.span.end, place.span.end)), f"{' = ' if parameter.type else '='}{written}"
    )
    return Fix("repeat the default of the schema", (edit,))


def _what(worker: Worker) -> str:
    return "the fake" if worker.role == "fake" else "the kernel"


def _found(worker: Worker, message: str, place: Location, help_: str = "") -> Diagnostic:
    text = " ".join(worker.op.spec.func.value.split())
    return found_at(CODE, worker.op.qualified_name, message, place, help=help_ or f"{CODE.remedy}: `{text}`")


RULE = RegistrationRule(CODE, check)
