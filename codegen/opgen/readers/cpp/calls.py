"""Finds the statements in a block: calls of the library's methods, also those made by macros of the project."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from opgen.readers.cpp.blocks import CAST, Block
from opgen.readers.cpp.lexical import Nesting, closing
from opgen.readers.cpp.macros import Macro, expanded
from opgen.readers.cpp.region import Region
from opgen.readers.registrations import Condition
from opgen.records import dataclass
from opgen.source import Location, Span, Text

METHODS = ("def", "impl", "fallback", "set_python_module", "impl_abstract_pystub")

_METHOD = rf"(?:\.|->)\s*(?:template\s+)?({'|'.join(METHODS)})\s*\("
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_MAKES_CALLS = re.compile(_METHOD)


@dataclass(frozen=True)
class Call:
    """A call of a library's method.

    Attributes:
        block: the block.
        region: the text that the call is in: the file, or the expansion of a macro.
        method: the name of the method, ``def``.
        span: its span in ``region`` from the method's name to the closing parenthesis; ``None`` if that is missing.
        place: its span in the file, from the library variable on.
        macro: the project's macro that makes the call, or ``None``.
    """

    block: Block
    region: Region
    method: str
    span: Span | None
    place: Span
    macro: str | None = None

    @property
    def text(self) -> Text:
        """The text of the call from the method's name on."""
        return self.region.text.part(self.span or Span(0, 0))

    @property
    def form(self) -> str:
        """The form of the statement: ``ops.def``, or the name of the macro."""
        return self.macro or f"{self.block.variable}.{self.method}"

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The branches of ``#if`` around the statement and the head of its block."""
        variant = self.block.region.variant
        return tuple(dict.fromkeys((*variant.conditions(self.block.head), *variant.conditions(self.place))))

    @property
    def location(self) -> Location:
        """The location of the statement."""
        return Location(self.region.text.source, self.place)


def registering_macros(macros: Iterable[Macro]) -> frozenset[str]:
    """Return the names of macros that call a method of a library, directly or through other macros."""
    callers: dict[str, set[str]] = {}
    pending: list[str] = []
    for macro in macros:
        if _MAKES_CALLS.search(macro.body):
            pending.append(macro.name)
        for match in _CALL.finditer(macro.body):
            callers.setdefault(match[1], set()).add(macro.name)
    found: set[str] = set()
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += callers.get(name, ())
    return frozenset(found)


def calls(block: Block, macros: Mapping[str, Macro], registering: Collection[str]) -> Iterator[Call]:
    """Yield the statements of a block, in order."""
    found = [*_calls(block, block.region, block.body), *_of_macros(block, macros, registering)]
    yield from sorted(found, key=lambda call: call.place.start)


def _calls(block: Block, region: Region, body: Span, macro: str | None = None) -> Iterator[Call]:
    name = rf"(?:{'|'.join(map(re.escape, sorted(block.names)))})"
    pattern = re.compile(rf"(?:\b{name}|{CAST}\(\s*{name}\s*\)|(\)))\s*{_METHOD}")
    ends: set[int] = (
        set()
    )  # in m.def(…).def(…) the second method is the library's; behind m.class_<T>(…) it is the class's
    nesting = Nesting()
    for match in pattern.finditer(region.code, *body):
        if (match[1] and match.start() + 1 not in ends) or nesting.is_too_deep(match.start()):
            continue
        end = closing(region.code, match.end() - 1, body.end)
        if end is not None:
            ends.add(end)
            nesting.enter(end)
        span = None if end is None else Span(match.start(2), end)
        start = match.start(2) if match[1] else match.start()
        yield Call(block, region, match[2], span, region.place(Span(start, end or match.end())), macro)
        if end is None:  # everything that follows would be inside of the unclosed call
            return


def _of_macros(block: Block, macros: Mapping[str, Macro], registering: Collection[str]) -> Iterator[Call]:
    region = block.region
    if not registering:
        return
    nesting = Nesting()
    for match in _CALL.finditer(region.code, *block.body):
        if match[1] not in registering or nesting.is_too_deep(match.start()):
            continue
        end = closing(region.code, match.end() - 1, block.body.end)
        nesting.enter(block.body.end if end is None else end)
        if end is not None:
            head = Span(match.start(), end)
            inner = Region(expanded(region.text.part(head), macros), region.variant, (region, head))
            yield from _calls(block, inner, Span(0, len(inner.code)), match[1])
