"""Collects registrations, so that a statement reached through several calls is recorded once."""

from __future__ import annotations

import ast
from dataclasses import field
from typing import TYPE_CHECKING, TypeAlias

from opgen.readers.registrations import Definition, Implementation, Load, Registrations, ShortLived, Unread
from opgen.records import dataclass
from opgen.source import Source

if TYPE_CHECKING:
    from opgen.readers.python.scope import Frame

Record: TypeAlias = Definition | Implementation | Unread | ShortLived | Load


@dataclass
class Recorder:
    """The records in the order in which they were found, each with its statement and the calls that led there."""

    _found: list[tuple[ast.AST, tuple[ast.AST, ...], Record]] = field(default_factory=list)

    def add(self, frame: Frame, node: ast.AST, record: Record) -> None:
        """Add a registration by the expression ``node``."""
        self._found.append((node, frame.calls, record))

    def registrations(self, sources: dict[str, Source]) -> Registrations:
        """Return the registrations, in the order of the sources.

        A statement that doesn't depend on parameters was recorded with its function, and calls of the function add
        nothing; the same holds for calls of a function that calls a helper with known arguments. Two branches of a
        helper that register the same (``register_fake``, or ``impl_abstract`` for older releases) count once.
        """
        ways = {(id(node), tuple(map(id, calls))) for node, calls, _ in self._found}
        order = {path: index for index, path in enumerate(sources)}
        unique: dict[object, Record] = {}
        for node, calls, record in self._found:
            way = tuple(map(id, calls))
            if not any((id(node), way[start:]) in ways for start in range(1, len(way) + 1)):
                unique.setdefault(_identity(record), record)
        records = sorted(
            unique.values(), key=lambda record: (order[record.location.source.path], record.location.span.start)
        )
        return Registrations(
            definitions=tuple(record for record in records if isinstance(record, Definition)),
            implementations=tuple(record for record in records if isinstance(record, Implementation)),
            unread=tuple(record for record in records if isinstance(record, Unread)),
            short_lived=tuple(record for record in records if isinstance(record, ShortLived)),
            loads=tuple(record for record in records if isinstance(record, Load)),
            sources=sources,
        )


def _identity(record: Record) -> object:
    place = (type(record), record.location.source.path, record.location.span)
    match record:
        case Definition():
            return (*place, record.namespace, record.schema.value)
        case Implementation():
            return (*place, record.op.value, record.role, record.keys)
        case _:
            return place
