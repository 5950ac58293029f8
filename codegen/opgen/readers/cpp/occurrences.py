"""Finds words in the code of a source, outside of comments, literals and directives, and C++ autograd functions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.readers.cpp.branches import variants
from opgen.readers.cpp.lexical import blank, lex
from opgen.readers.cpp.lookup import Functions
from opgen.readers.cpp.region import Region
from opgen.readers.registrations import Condition, Function
from opgen.records import dataclass
from opgen.source import Location, Source, Span

_AUTOGRAD = re.compile(
    r"\b(?:struct|class)\s+(?:[A-Z][A-Z0-9_]*\s+)?(\w+)\s*(?:final\s*)?:\s*(?:public\s+)?(?:::)?(?:\w+\s*::\s*)*Function\s*<\s*\1\s*(?:<[^{};]*>)?\s*>"
)


@dataclass(frozen=True)
class AutogradFunction:
    """``struct F : torch::autograd::Function<F>``; ``location`` is its head."""

    name: str
    location: Location
    forward: Function | None
    backward: Function | None


def occurrences(source: Source, pattern: re.Pattern[str]) -> Iterator[tuple[re.Match[str], Location]]:
    """Yield the matches of a pattern, such as ``PYBIND11_MODULE``, in the code of a source."""
    lexed = lex(source.text)
    for match in pattern.finditer(blank(lexed.plain, lexed.literals)):
        yield match, Location(source, Span(*match.span()))


def conditional_occurrences(
    source: Source, pattern: re.Pattern[str]
) -> Iterator[tuple[re.Match[str], Location, tuple[Condition, ...]]]:
    """Yield the matches of a pattern in the code of a source, each once, with the ``#if`` branches around it."""
    seen: set[Span] = set()
    if not pattern.search(source.text):
        return
    for variant in variants(source, lex(source.text)):
        for match in pattern.finditer(variant.code):
            span = Span(*match.span())
            if span not in seen:
                seen.add(span)
                yield match, Location(source, span), variant.conditions(span)


def autograd_functions(source: Source) -> Iterator[AutogradFunction]:
    """Yield the autograd functions that a source defines, with their methods if those are defined in it."""
    if "Function" not in source.text:
        return
    functions = Functions(frozenset({"forward", "backward"}))
    found = {match[1]: place for match, place in occurrences(source, _AUTOGRAD)}
    for variant in variants(source, lex(source.text)) if found else ():
        functions.add(Region.of(variant))
    for name, place in found.items():
        forward, backward = (
            next(
                (one.function for one in functions.named(method) if one.name[-2:-1] == (name,) and one.function.body),
                None,
            )
            for method in ("forward", "backward")
        )
        yield AutogradFunction(name, place, forward, backward)
