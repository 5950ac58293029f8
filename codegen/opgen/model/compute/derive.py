"""Derives the entries of ``tensors`` that an author leaves out from the expressions of the op.

An argument gets dims of its own, ``[*x_shape]``, which are broadcast against those of other arguments as in PyTorch; a
result gets the dims along which its value varies, and the dtype that it is computed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from opgen.model.compute.draft import Draft
from opgen.model.compute.names import ExpressionContext
from opgen.model.compute.nodes import Axis, ValueType
from opgen.model.compute.walk import axes_of
from opgen.model.op import Argument
from opgen.model.tensors import TensorContract
from opgen.source import DerivedText
from opgen.spec import kernel_expression as ke
from opgen.spec.dtypes import promote
from opgen.spec.expression import Name
from opgen.spec.language import parse_tensor_form
from opgen.spec.library import OpSpec, TensorEntry
from opgen.spec.report import Report
from opgen.spec.written import render_written

Resolve: TypeAlias = Callable[[OpSpec], TensorContract]


def with_derived_entries(context: ExpressionContext, resolve: Resolve) -> OpSpec:
    """Return the spec of an op with the missing entries of ``tensors``.

    Args:
        context: the op, with the contract of the entries that its author wrote.
        resolve: resolves the tensor contract of a spec; mistakes in it are dropped here, since they are found again
            later.
    """
    spec = context.spec
    arguments = _missing_arguments(context)
    for number_class in ("float|integral", "float"):
        entries = [_entry(context, name, text) for name, text in _inputs(context, arguments, number_class)]
        tried = replace(spec, tensors=(*spec.tensors, *entries))
        whole = replace(context, spec=tried, contract=resolve(tried))
        draft = Draft(whole, Report())
        draft.resolve()
        if not arguments or number_class == "float" or all(_keeps_kind(draft, target) for target in whole.targets):
            results = [
                _entry(context, target, text)
                for target in whole.targets
                if target not in whole.entries and (text := _result(draft, target)) is not None
            ]
            return replace(tried, tensors=(*tried.tensors, *results))
    return spec


def _missing_arguments(context: ExpressionContext) -> list[Argument]:
    """Return the tensors that are read and have no entry; none if others have entries, as dims might be shared."""
    read = {name for entry in _written(context.spec) for name in _names(entry)}
    tensors = [argument for argument in context.arguments.values() if argument.is_tensor and argument.name in read]
    return tensors if not any(each.name in context.entries for each in tensors) else []


def _written(spec: OpSpec) -> Iterator[ke.Written]:
    yield from (entry.expression for entry in (*spec.reduce, *spec.pointwise))


def _names(node: ke.Written) -> Iterator[str]:
    if isinstance(node, Name):
        yield node.name
    for part in ke.parts(node):
        yield from _names(part)


def _inputs(context: ExpressionContext, arguments: list[Argument], number_class: str) -> Iterator[tuple[str, str]]:
    classes = {name: kind for entry in _written(context.spec) for name, kind in _classes(entry)}
    written = next((argument.name for argument in arguments if argument.written), None)
    for argument in arguments:
        # Other arguments get the dtype of a written tensor and are broadcast to it, as for PyTorch's in-place ops.
        dtype = f"{written}.dtype" if written not in (None, argument.name) else number_class
        yield argument.name, f"{classes.get(argument.name, dtype)} [*{_shape(context, written or argument.name)}]"


def _shape(context: ExpressionContext, argument: str) -> str:
    name = f"{argument}_shape"
    while name in context.arguments:
        name += "_"
    return name


def _classes(node: ke.Written) -> Iterator[tuple[str, str]]:
    """Yield the arguments that can only be bools or integers by their use, each with the dtype class."""
    parts = ke.parts(node)
    found: Mapping[str, tuple[ke.Written, ...]] = {"bool": (), "integral": ()}
    match node:
        case ke.Logical() | ke.Unary("not"):
            found = {"bool": parts}
        case ke.Conditional(condition) | ke.Call("where", (condition, *_)) if not isinstance(
            condition, ke.Pack | ke.Keyword
        ):
            found = {"bool": (condition,)}
        case ke.Binary("&" | "|" | "^" | "<<" | ">>") | ke.Unary("~"):
            found = {"integral": parts}
    for kind, nodes in found.items():
        yield from ((each.name, kind) for each in nodes if isinstance(each, Name))
    for part in parts:
        yield from _classes(part)


def _entry(context: ExpressionContext, name: str, text: str) -> TensorEntry:
    place = context.place
    key = min((key for key, target in context.keys.items() if target == name), key=len, default=name)
    written = DerivedText.at(text, place)
    form, found = parse_tensor_form(written)
    if form is None:
        raise ValueError(f"{text}: {found[0].message}")
    return TensorEntry(DerivedText.at(key, place), written, form)


def _keeps_kind(draft: Draft, target: str) -> bool:
    """Whether a result has the dtype of its arguments for all dtypes: ``exp`` of integers has not."""
    value = draft.values.get(target)
    if value is None or value.type.kind != "float":
        return target in draft.values
    return all(draft.context.types.of_argument(name).kind == "float" for name in value.type.tensors)


def _result(draft: Draft, target: str) -> str | None:
    value = draft.values.get(target)
    if value is None or (dtype := _dtype(draft, value.type)) is None:
        return None
    along = axes_of(value, draft.varies)
    return f"{dtype} [{', '.join(_dims(axis for axis in draft.space.axes if axis.name in along))}]"


def _dtype(draft: Draft, type_: ValueType) -> str | None:
    """Return the dtype of a result in the language of ``tensors``, ``None`` if it can't be expressed there."""
    names = dict.fromkeys(type_.dtypes)
    own = [name for name in type_.tensors if not draft.context.arguments[name].is_optional]
    if type_.kind == "bool":
        return "bool"
    if own and (not names or (names.keys() == {"int64"} and type_.kind == "float")):
        return f"{own[0]}.dtype" if len(own) == 1 else f"promote({', '.join(own)})"
    if type_.tensors:
        return None
    result: str | None = next(iter(names), "float32" if type_.kind == "float" else "int64")
    for name in names:
        result = result and promote(result, name)
    return result if type_.kind != "number" else None


def _dims(axes: Iterator[Axis]) -> Iterator[str]:
    packs: list[str] = []
    sized: list[str] = []
    for axis in axes:
        if axis.is_pack:
            packs += axis.packs or (axis.name,)
        elif axis.size is not None:
            sized.append(render_written(axis.size))
    if packs:
        yield f"*{packs[0]}" if len(packs) == 1 else f"*broadcast({', '.join(packs)})"
    yield from sized
