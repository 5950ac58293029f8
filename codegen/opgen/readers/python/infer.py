"""The schema that PyTorch infers from a Python signature: a port of ``torch/_library/infer_schema.py``.

PyTorch stops at the first mistake; this continues, so that all are found at once.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import field, replace

from opgen.readers.python import texts
from opgen.readers.python.annotations import parameter_type, return_type, suggested_return, suggested_type
from opgen.readers.python.defaults import default_text
from opgen.readers.python.functions import described
from opgen.readers.python.registering import tag_names, text_names
from opgen.readers.python.scope import Frame, unknown
from opgen.readers.python.types import UNION
from opgen.readers.python.values import (
    Call,
    ClassValue,
    FunctionValue,
    Generic,
    Inference,
    Items,
    String,
    Symbol,
    Unknown,
    Value,
)
from opgen.readers.registrations import Uninferable
from opgen.records import dataclass
from opgen.source import DerivedText, Location, Span, Text


@dataclass(frozen=True, slots=True)
class _Argument:
    node: ast.arg
    default: ast.expr | None
    alias: str
    is_keyword_only: bool = False


@dataclass
class _Run:
    """The inference of one signature.

    Attributes:
        function: the function.
        frame: the module of the function, in which annotations are evaluated.
        mutates: the names in ``mutates_args``; ``None`` for ``"unknown"``.
        tags: the names of tags.
        refused: collects the reasons why PyTorch would raise.
        unread: collects the reasons why something isn't known.
        outs: the alias sets of the arguments that an op with ``Tag.out`` returns.
    """

    function: FunctionValue
    frame: Frame
    mutates: frozenset[str] | None
    tags: frozenset[str]
    refused: list[Uninferable] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    outs: list[str] = field(default_factory=list)

    def refuse(self, reason: str, location: Location, parameter: str = "", suggestion: str = "") -> None:
        """Add a reason why PyTorch would raise."""
        self.refused.append(Uninferable(reason, location, parameter, suggestion))


def infer(function: Value, mutates: Value, tags: Value, call: Call, frame: Frame) -> Value:
    """Return the schema without a name, or an unknown value with the reason.

    If PyTorch would raise, the text of the result is empty, and its ``inference`` holds the reasons.
    """
    if not isinstance(function, FunctionValue):
        return function if isinstance(function, Unknown) else unknown("its function is not among the sources read")
    names = text_names(mutates)
    if names is None:
        items = mutates.items if isinstance(mutates, Items) else (mutates,)
        return mutates if isinstance(mutates, Unknown) else unknown("`mutates_args` is not known from the text", *items)
    run = _Run(
        function,
        replace(frame, module=function.module, scope=function.module.scope, site=None),
        frozenset(name.value for name in names) if not isinstance(mutates, String) else frozenset(),
        frozenset(tag.value for tag in tag_names(tags)),
    )
    if isinstance(mutates, String):
        if mutates.text.value == "unknown":
            run.mutates = None
        else:
            shown = f"expected a tuple of argument names or 'unknown', found the text \"{mutates.text.value}\""
            run.refuse(f"'mutates_args' is no list: {shown}", call.place("mutates_args"))
    elif {"inplace", "out"} <= run.tags:
        run.refuse("the tags inplace and out exclude each other", call.place("tags"))
    for extra in _unsupported(function.node.args):
        place = function.module.places.location(extra)
        run.refuse(f"parameter '{extra.arg}' is positional-only or variadic, which no schema can say", place, extra.arg)
    parts = [_parameter(argument, run) for argument in _arguments(run)]
    known = {argument.node.arg for argument in _arguments(run)}
    for name in () if isinstance(mutates, String) else names:
        if name.value not in known:
            run.refuse(
                f"'mutates_args' names '{name.value}', which is no argument of the function", call.place("mutates_args")
            )
    result = _result(run, call)
    inference = Inference(described(function), names, tuple(run.refused), "; ".join(run.unread))
    if run.refused or run.unread:
        return String(DerivedText.at("", function.location), inference)
    return String(_joined(parts, result, run), inference)


def _unsupported(node: ast.arguments) -> Iterator[ast.arg]:
    yield from node.posonlyargs
    yield from (extra for extra in (node.vararg, node.kwarg) if extra)


def _arguments(run: _Run) -> Iterator[_Argument]:
    node = run.function.node.args
    required = len(node.args) - len(node.defaults)
    for index, argument in enumerate(node.args):
        yield _Argument(argument, node.defaults[index - required] if index >= required else None, f"a{index}")
    for index, (argument, default) in enumerate(zip(node.kwonlyargs, node.kw_defaults, strict=True), len(node.args)):
        yield _Argument(argument, default, f"a{index}", is_keyword_only=True)


def _parameter(argument: _Argument, run: _Run) -> texts.Part:
    """Return one argument of the schema, with the span of its parameter."""
    places, name = run.function.module.places, argument.node.arg
    location = places.location(argument.node)
    found, suggestion, annotation = None, "", None
    if argument.node.annotation is None:
        run.refuse(f"parameter '{name}' has no type annotation", location, name)
    else:
        annotation = _type(argument.node.annotation, run)
        found, suggestion = parameter_type(annotation), suggested_type(annotation)
        if found is None:
            _refuse_type(
                f"parameter '{name}'",
                annotation,
                argument.node.annotation,
                run,
                Uninferable("", location, name, suggestion),
            )
    schema_type = found or ""
    is_written = name in run.mutates if run.mutates is not None else schema_type.startswith("Tensor")
    if is_written and found is not None:
        if not schema_type.startswith("Tensor"):
            run.refuse(
                f"'mutates_args' names '{name}', which is a {schema_type}; only tensors can be written", location, name
            )
        schema_type = f"Tensor({argument.alias}!)" + schema_type.removeprefix("Tensor")
        if "out" in run.tags:
            run.outs.append(argument.alias)
            if not argument.is_keyword_only or found != "Tensor":
                run.refuse(
                    f"'{name}' is written by an op with the tag out, so it has to be a keyword-only tensor",
                    location,
                    name,
                )
    text, end = f"{schema_type} {name}", location.span.end
    if argument.default is not None:
        value, refusal = default_text(argument.default, run.frame)
        if refusal:
            run.refuse(f"parameter '{name}' has a default that can't stand in a schema: {refusal}", location, name)
        elif value is None:
            run.unread.append(f"the default of '{name}' is not known from the text")
        text, end = f"{text}={value}", places.span(argument.default).end
    return DerivedText.at(text, Location(location.source, Span(location.span.start, end))), None


def _result(run: _Run, call: Call) -> str:
    node = run.function.node
    if isinstance(node, ast.Lambda) or node.returns is None:
        run.refuse("the function has no return annotation", run.function.location, "return")
        return ""
    annotation = _type(node.returns, run)
    found, location = return_type(annotation), run.function.module.places.location(node.returns)
    if "out" in run.tags:
        if not run.outs:
            run.refuse("the tag out asks for a written keyword-only tensor, found none", call.place("tags"))
        aliased = [f"Tensor({alias}!)" for alias in run.outs]
        expected = "(" + ", ".join("Tensor" for _ in run.outs) + ")" if len(run.outs) != 1 else "Tensor"
        if found != expected:
            run.refuse(f"an op with the tag out returns what it writes, expected {expected}", location, "return")
        return aliased[0] if len(aliased) == 1 else f"({', '.join(aliased)})"
    if found is None:
        _refuse_type(
            "the result",
            annotation,
            node.returns,
            run,
            Uninferable("", location, "return", suggested_return(annotation)),
        )
    if "inplace" not in run.tags:
        return found or ""
    first = next((argument for argument in _arguments(run) if not argument.is_keyword_only), None)
    is_tensor = (
        first is not None and first.node.annotation and parameter_type(_type(first.node.annotation, run)) == "Tensor"
    )
    if first is None or not is_tensor or run.mutates != frozenset({first.node.arg}) or found != "Tensor":
        run.refuse(
            "an op with the tag inplace writes its first argument, a tensor, nothing else, and returns a tensor",
            location,
            "return",
        )
    return f"Tensor({first.alias}!)" if first else ""


def _refuse_type(what: str, annotation: Value, node: ast.expr, run: _Run, about: Uninferable) -> None:
    """Add the reason why a type is refused; a type from outside of the sources is unknown, as it may be an alias."""
    written = run.function.module.places.written(node)
    outside = _outside(annotation)
    if outside:
        run.unread.append(f"{what} has the type `{written}`, of which `{outside}` is not known from the text")
        return
    run.refused.append(replace(about, reason=f"{what} has the type `{written}`, which can't be inferred"))


def _outside(annotation: Value) -> str:
    """Return a part of a type that isn't known: an import that wasn't read, or a class that may be an opaque type."""
    match annotation:
        case Symbol(path) if path.partition(".")[0] not in {
            "torch",
            "builtins",
            "typing",
            "collections",
            "numbers",
            "types",
        }:
            return path
        case ClassValue(name):
            return name
        case Unknown(reason, _, written):
            return written or reason
        case Generic(_, arguments):
            return next((found for found in map(_outside, arguments) if found), "")
    return ""


def _type(node: ast.expr, run: _Run) -> Value:
    """Return the type that an annotation means.

    PyTorch evaluates a string annotation once, in the function's module; strings inside of the result are refused. With
    ``from __future__ import annotations`` every annotation is such a string.
    """
    value = run.frame.evaluate(node)
    return value if run.function.module.has_late_annotations else _resolved(value, run)


def _resolved(value: Value, run: _Run) -> Value:
    """Evaluate the strings in a type, except in ``typing``'s generics, which keep them as forward references."""
    if isinstance(value, String):
        return _parsed(value, run)
    if isinstance(value, Generic) and value.origin not in {UNION, "List", "Sequence"}:
        return Generic(value.origin, tuple(_resolved(argument, run) for argument in value.arguments))
    return value


def _parsed(value: String, run: _Run) -> Value:
    try:
        node = ast.parse(value.text.value.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return Unknown("it is no type", written=value.text.value)
    # Positions in the parsed string are relative to it. They aren't used, but must be valid in the file.
    start = ast.Name("", lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)
    for part in ast.walk(node):
        ast.copy_location(part, start)
    return run.frame.evaluate(node)


def _joined(parts: list[texts.Part], result: str, run: _Run) -> Text:
    """Join the schema; each argument has the location of its parameter, the result that of its annotation."""
    arguments = list(_arguments(run))
    pieces: list[texts.Part] = [(Text.of("("), None)]
    is_behind_star = False
    for index, (argument, part) in enumerate(zip(arguments, parts, strict=True)):
        separator = ", " if index else ""
        if argument.is_keyword_only and not is_behind_star:
            separator, is_behind_star = f"{separator}*, ", True
        pieces += [(Text.of(separator), None), part]
    node = run.function.node
    returns = None if isinstance(node, ast.Lambda) else node.returns
    place = run.function.module.places.location(returns) if returns else run.function.location
    pieces += [(Text.of(") -> "), None), (DerivedText.at(result, place), None)]
    return texts.join(pieces, run.function.location)
