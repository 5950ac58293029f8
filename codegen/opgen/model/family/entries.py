"""The entries of ``tensors`` of a derived form: those of the declared op under the keys of the form."""

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
    """Return the entry of an argument or output, ``None`` without one."""
    keys = {tensor}
    for place, output in enumerate(op.outputs):
        if output.name == tensor and tensor not in op.argument:
            keys |= {f"return.{place}", *(["return"] if len(op.outputs) == 1 else [])}
            name = op.schema.returns[place].name
            keys |= {name} if name is not None and name not in op.argument else set()
    return next((entry for entry in op.spec.tensors if entry.key.value in keys), None)


def as_inputs(op: Op, names: Iterable[str]) -> Iterator[TensorEntry]:
    """Yield the unchanged entries of arguments that every form has."""
    yield from (entry for name in names if (entry := entry_of(op, name)) is not None)


def as_outs(op: Op, names: Iterable[str]) -> Iterator[TensorEntry]:
    """Yield the entries of destinations as out= arguments.

    They have no layout, since an out of any layout may be filled through a temporary, and no property of elements,
    since that only holds after the call.
    """
    for name in names:
        entry = entry_of(op, name)
        if entry is not None:
            text = DerivedText.at(_without(entry.text.value, _extras(entry.form)), entry.text.locate())
            form, _ = parse_tensor_form(text)
            yield TensorEntry(_key(name, entry), text, form or entry.form)


def as_results(op: Op, names: Iterable[str]) -> Iterator[TensorEntry]:
    """Yield the entries of destinations and scratch as results, without layouts that contiguous memory satisfies."""
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
    """Whether a layout only asks for stride 1 in the last dim, as a fresh contiguous tensor has."""
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
