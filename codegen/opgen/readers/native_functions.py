"""Reads ``native_functions.yaml``, the list of entries from which PyTorch's own ops are generated.

Only ``func`` and ``tags`` of an entry are read; the other keys are for torchgen, and most of a large file. So the
events of the YAML library are scanned without making a tree. Source: ``aten/src/ATen/native/README.md``;
``NativeFunction.from_yaml`` in ``torchgen/model.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import yaml

from opgen.diagnostics import Diagnostic
from opgen.readers.registrations import Definition, Registrations
from opgen.source import Location, Source, Span, Text
from opgen.spec.codes import WRONG_TYPE
from opgen.spec.yaml.composer import LOADER
from opgen.spec.yaml.errors import explain
from opgen.spec.yaml.file import without_forbidden
from opgen.spec.yaml.scalars import scalar_text

_NAMESPACE = "aten"
"""The namespace of a ``func`` without one."""

_KEYS = frozenset({"func", "tags"})
_SCALAR = yaml.ScalarEvent
_STARTS = (yaml.SequenceStartEvent, yaml.MappingStartEvent)
_ENDS = (yaml.SequenceEndEvent, yaml.MappingEndEvent)


def read_native_functions(sources: Iterable[Source]) -> tuple[Registrations, list[Diagnostic]]:
    """Return the definitions in the files, and diagnostics for files that can't be read."""
    found: list[Diagnostic] = []
    definitions: list[Definition] = []
    read = {}
    for source in sources:
        read[source.path] = source
        text, problems = without_forbidden(source)
        found += problems
        try:
            definitions += _definitions(source, iter(LOADER(text).get_event, None))
        except yaml.YAMLError as error:
            found.append(explain(error, source, text))
        except TypeError:
            message, help_ = "expected a list of entries", "write `- func: …` for each op"
            found.append(Diagnostic(WRONG_TYPE, message, Location(source, Span(0, min(1, len(text)))), help_))
    return Registrations(tuple(definitions), sources=read), found


def _definitions(source: Source, events: Iterator[Any]) -> Iterator[Definition]:
    """Yield the definitions of the entries.

    Raises:
        TypeError: the file is no list.
        yaml.YAMLError: a syntax error, after the entries before it were yielded.
    """
    for event in events:
        if isinstance(event, yaml.SequenceStartEvent):
            break
        if isinstance(event, yaml.ScalarEvent | yaml.MappingStartEvent):
            raise TypeError
    for event in events:
        start: Any = event.start_mark  # untyped in the YAML library
        if isinstance(event, yaml.MappingStartEvent):
            texts, end = _entry(source, events)
            if texts["func"]:
                place = Location(source, Span(start.index, end))
                # torchgen generates C++ that registers it.
                yield Definition(_NAMESPACE, texts["func"][0], "func", place, "cpp", tags=tuple(texts["tags"]))
        elif isinstance(event, yaml.SequenceStartEvent):
            _scalars(event, events)


def _entry(source: Source, events: Iterator[Any]) -> tuple[dict[str, list[Text]], int]:
    """Return the texts of ``func`` and ``tags``, and the end of the entry's last value."""
    texts: dict[str, list[Text]] = {key: [] for key in _KEYS}
    last: Sequence[Any] = ()
    for key in events:
        if isinstance(key, yaml.MappingEndEvent):
            break
        names = key.value if isinstance(key, _SCALAR) else _scalars(key, events)
        value = next(events)
        values = (value,) if isinstance(value, _SCALAR) else _scalars(value, events)
        last = values or last
        if isinstance(names, str) and names in _KEYS:
            texts[names] += [_text(source, value) for value in values]
    return texts, last[-1].end_mark.index if last else 0


def _text(source: Source, scalar: Any) -> Text:
    return scalar_text(source, scalar.value, scalar.style or "", Span(scalar.start_mark.index, scalar.end_mark.index))


def _scalars(first: Any, events: Iterator[Any]) -> Sequence[Any]:
    """Return the scalars of the value that begins with an event."""
    scalars = []
    depth = 0
    event = first
    while True:
        if isinstance(event, _SCALAR):
            scalars.append(event)
        elif isinstance(event, _STARTS):
            depth += 1
        elif isinstance(event, _ENDS):
            depth -= 1
        if depth == 0:
            return scalars
        event = next(events)
