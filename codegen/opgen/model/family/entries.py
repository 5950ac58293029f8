"""The entries of ``tensors`` in a derived form: the same contracts, under other names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from opgen.model.op import Op
from opgen.source import DerivedText, Span
from opgen.spec.expression import Constant
from opgen.spec.language import parse_tensor_form
from opgen.spec.library import TensorEntry
from opgen.spec.tensor_spec import Layout, LayoutStrides, SpecIf, TensorForm, TensorSpec


def entry_of(op: Op, tensor: str) -> TensorEntry | None:
    """Return what the op declares of an argument or output."""
    keys = {tensor}
    for place, output in enumerate(op.outputs):
        if output.name == tensor and tensor not in op.argument:
            keys |= {f"return.{place}", *(["return"] if len(op.outputs) == 1 else [])}
            name = op.schema.returns[place].name
            keys |= {name} if name is not None and name not in op.argument else set()
    return next((entry for entry in op.spec.tensors if entry.key.value in keys), None)


def as_inputs(op: Op, names: Iterable[str]) -> Iterator[TensorEntry]:
    """Yield the entries of arguments that every form has, as they are."""
    yield from (entry for name in names if (entry := entry_of(op, name)) is not None)


def as_outs(op: Op, names: Iterable[str]) -> Iterator[TensorEntry]:
    """Yield the entries of destinations as out= arguments.

    Their layout is free: what does not suit the kernel is filled through a temporary. What is known of their elements
    holds after the call.
    """
    for name in names:
        entry = entry_of(op, name)
        if entry is not None:
            text = DerivedText.at(_without(entry.text.value, _extras(entry.form)), entry.text.locate())
            form, _ = parse_tensor_form(text)
            yield TensorEntry(_key(name, entry), text, form or entry.form)


def as_results(op: Op, names: Iterable[str]) -> Iterator[TensorEntry]:
    """Yield the entries of destinations and scratch as results, which are made contiguous where that fits the entry."""
    for place, name in enumerate(names):
        entry = entry_of(op, name)
        if entry is not None:
            yield TensorEntry(_key(f"return.{place}", entry), entry.text, _made(entry.form))


def _key(name: str, entry: TensorEntry) -> DerivedText:
    return DerivedText.at(name, entry.key.locate())


def _made(form: TensorForm) -> TensorForm:
    match form:
        case SpecIf():
            return replace(form, then=_made(form.then), otherwise=_made(form.otherwise))
        case TensorSpec():
            return replace(form, layouts=tuple(each for each in form.layouts if not _is_dense_inside(each)))
    return form


def _is_dense_inside(layout: Layout) -> bool:
    """Whether a layout only asks for elements of the last dim to be neighbours, as those of a fresh tensor are."""
    if not isinstance(layout, LayoutStrides) or layout.rest == len(layout.strides):
        return False
    *outer, last = layout.strides
    return last in (Constant(1), None) and all(stride is None for stride in outer)


def _extras(form: TensorForm) -> Iterator[Span]:
    match form:
        case SpecIf():
            yield from _extras(form.then)
            yield from _extras(form.otherwise)
        case TensorSpec():
            yield from (layout.span for layout in form.layouts)
            if form.values is not None:
                yield form.values.span


def _without(text: str, spans: Iterator[Span]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start].rstrip()} {text[end:].lstrip()}".strip()
    return text
