"""Finds the blocks that register: ``TORCH_LIBRARY(ns, m) { … }``, its variants, and functions that take a library."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import field
from functools import cached_property
from typing import Literal

from opgen.readers.cpp.lexical import Nesting, closing
from opgen.readers.cpp.macros import Macro, expanded, split
from opgen.readers.cpp.region import Region
from opgen.readers.registrations import Abi
from opgen.records import dataclass
from opgen.source import Span

_LIBRARY = r"\b(?=(?:\w*_)?TORCH_LIBRARY)(\w+)"
_HEAD = re.compile(rf"{_LIBRARY}\s*\(")
_GIVEN = re.compile(
    r"(?P<stable>\bstable\s*::\s*)?\bLibrary\s*&\s*(?P<variable>\w+)\s*(?:,[^(){};]{0,999})?\)\s*(?:noexcept\s*|->\s*void\s*)?\{"
)
CAST = r"(?:\bstatic_cast\s*<[^<>;]*>\s*)"
_LIBRARY_REFERENCE = re.compile(r"Library\s*&")
_REFERENCE = re.compile(
    rf"\b(?:auto|Library)\s*[&*]+\s*(\w+)\s*[={{(]\s*{CAST}?(?:\(\s*)?(?:&\s*)?(\w+)\s*(?:[)}}]+\s*)?;"
)
_FUNCTION = re.compile(r"(\b[A-Za-z_]\w*|\])\s*\([^(){};]*$")
_TEMPLATE = re.compile(
    r"\btemplate\s*<[^<>(){};]*\b(?:class|typename)\s+(\w+)\b[^<>(){};]*>(?:(?!\btemplate\b)[^(){};]){0,999}?\b(?P<function>\w+)\s*\((?:[^(){};]{0,999},)?"
    r"\s*\1\s*&\s*(?P<variable>\w+)\s*(?:,[^(){};]{0,999})?\)\s*\{"
)
"""Matches a function template with a reference parameter, which is a library if a registering block calls it so."""
_LONGEST_HEAD = 1000
_MOST_TARGETS = 32
"""Of a function that is given the libraries of more namespaces the statements are counted for no others."""
_NAME = re.compile(r"[A-Za-z_]\w*")
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(([^(){};]*)\)")


@dataclass(frozen=True)
class Target:
    """A namespace that a block registers for, and the dispatch key of an ``_IMPL`` block."""

    namespace: str
    key: str | None = None


@dataclass(eq=False)
class Block:
    """A block of code that registers by calling methods of a library.

    Attributes:
        region: the text that it is in.
        head: the span of the code in front of its brace, in the file.
        body: the span between its braces, in the region.
        variable: the library variable, ``m``.
        abi: the ABI whose macro or type it uses.
        targets: the namespaces that it registers for; empty for a function that takes a library until its callers are
            known.
        function: the name of such a function; ``None`` for a library block.
        kind: the kind of library block; ``None`` for such a function.
        is_template: whether the function is a template.
    """

    region: Region
    head: Span
    body: Span
    variable: str
    abi: Abi
    targets: set[Target] = field(default_factory=set)
    function: str | None = None
    kind: Literal["library", "fragment", "impl"] | None = None
    is_template: bool = False

    @property
    def namespaces(self) -> frozenset[str]:
        """The namespaces that it registers for."""
        return frozenset(target.namespace for target in self.targets)

    @cached_property
    def names(self) -> frozenset[str]:
        """The library variable, and references to it in the block: ``auto& library = m;``."""
        names = {self.variable}
        for match in _REFERENCE.finditer(self.region.code, *self.body):
            names |= {match[1]} if match[2] in names else set()
        return frozenset(names)


@dataclass(frozen=True)
class Headless:
    """A library macro without a block behind it, so that its registrations can't be read."""

    region: Region
    span: Span


def blocks(region: Region, macros: Mapping[str, Macro], makers: Collection[str]) -> Iterator[Block | Headless]:
    """Find the library blocks in a text, also those made by the project's own macros, ``makers``."""
    position, nesting = 0, Nesting()
    names = re.compile("|".join((_LIBRARY, *(rf"\b{re.escape(name)}" for name in makers))).join(("(?:", r")\s*\(")))
    while match := names.search(region.code, position):
        position = match.end()
        if nesting.is_too_deep(match.start()):
            yield Headless(region, Span(*match.span()))
            continue
        closed = closing(region.code, position - 1)
        if closed is None:
            yield Headless(region, Span(*match.span()))
            return
        nesting.enter(closed)
        head = Span(match.start(), closed)
        if match[1] is None or match[1] in macros:
            yield from _made_by_macro(region, head, macros)
            continue
        opening = re.compile(r"\s*\{").match(region.code, closed)
        if opening is None:
            yield Headless(region, head)
            continue
        end = closing(region.code, opening.end() - 1)
        body = Span(opening.end(), len(region.code) if end is None else end - 1)
        block = _block(_Head(region, match[1], head), region, body, macros)
        yield Headless(region, head) if block is None else block
        nesting.enter(body.end)
        position = body.start


def helpers(region: Region) -> Iterator[Block]:
    """Find the functions that take a ``torch::Library&``, and the templates that may take one."""
    nesting = Nesting()
    for match in _TEMPLATE.finditer(region.code):
        if nesting.is_too_deep(match.start()):
            continue
        body = _body(region, match.end())
        nesting.enter(body.end)
        yield Block(
            region,
            Span(*match.span()),
            body,
            match["variable"],
            "classic",
            function=match["function"],
            is_template=True,
        )
    if _LIBRARY_REFERENCE.search(region.code) is None:
        return
    nesting = Nesting()
    for match in _GIVEN.finditer(region.code):
        if nesting.is_too_deep(match.start()):
            continue
        before = region.code[max(0, match.start() - _LONGEST_HEAD) : match.start()]
        if (function := _FUNCTION.search(before)) is None:
            continue
        abi: Abi = "stable" if match["stable"] else "classic"
        body = _body(region, match.end())
        nesting.enter(body.end)
        yield Block(region, Span(*match.span()), body, match["variable"], abi, function=function[1])


def _body(region: Region, start: int) -> Span:
    """Return the span between the brace in front of ``start`` and its closing brace."""
    end = closing(region.code, start - 1)
    return Span(start, len(region.code) if end is None else end - 1)


def resolve(found: list[Block]) -> list[Block]:
    """Give functions that take a library the targets of the blocks that call them, transitively.

    Returns:
        The blocks, without templates that are never called with a library.
    """
    by_name: dict[str, list[Block]] = {}
    for block in found:
        if block.function is not None:
            by_name.setdefault(block.function, []).append(block)
    pending = [block for block in found if block.targets] if by_name else []
    while pending:
        block = pending.pop()
        for match in _CALL.finditer(block.region.code, *block.body):
            if block.names.isdisjoint(_NAME.findall(match[2])):
                continue
            for helper in by_name.get(match[1], ()):
                if not block.targets <= helper.targets and len(helper.targets) < _MOST_TARGETS:
                    helper.targets |= block.targets
                    if helper.is_template:
                        helper.abi = block.abi
                    pending.append(helper)
    return [block for block in found if block.targets or not block.is_template]


def makes_blocks(macro: Macro) -> bool:
    """Whether the body of a project's macro contains a library block or its head."""
    return _HEAD.search(macro.body) is not None


def _made_by_macro(region: Region, head: Span, macros: Mapping[str, Macro]) -> Iterator[Block | Headless]:
    made = expanded(region.text.part(head), macros)
    follows = re.compile(r"\s*\{").match(region.code, head.end)
    inner = Region(made, region.variant, (region, head))
    match = _HEAD.search(inner.code)
    closed = None if match is None else closing(inner.code, match.end() - 1)
    if match is None or closed is None:
        yield Headless(region, head)
    elif follows is None or inner.code[closed:].lstrip().startswith("{"):
        yield from blocks(inner, {}, ())  # as in C, a macro is not expanded again inside of its own expansion
    else:  # the macro only makes the head
        end = closing(region.code, follows.end() - 1)
        body = Span(follows.end(), len(region.code) if end is None else end - 1)
        block = _block(_Head(inner, match[1], Span(match.start(), closed)), region, body, macros)
        yield Headless(region, head) if block is None else block


@dataclass(frozen=True)
class _Head:
    """The head of a block, ``MACRO(ns, key, m)``; ``inside`` is the span between the parentheses."""

    region: Region
    macro: str
    whole: Span

    @property
    def inside(self) -> Span:
        return Span(self.region.code.index("(", self.whole.start) + 1, self.whole.end - 1)


def _block(head: _Head, region: Region, body: Span, macros: Mapping[str, Macro]) -> Block | None:
    """Return the block of a head; ``region`` and ``body`` are those of its body. ``None`` if the head can't be read."""
    arguments = split(head.region.text, head.region.code, head.inside)
    if len(arguments) != (3 if "IMPL" in head.macro else 2):
        return None
    namespace, *keys, variable = (expanded(one, macros).value.strip().strip('"') for one in arguments)
    target = Target(_pasted(namespace), keys[0] if keys else None)
    abi: Abi = "stable" if head.macro.startswith("STABLE") else "classic"
    kind: Literal["library", "fragment", "impl"] = "library"
    if keys or "FRAGMENT" in head.macro:
        kind = "impl" if keys else "fragment"
    return Block(region, head.region.place(head.whole), body, variable, abi, {target}, kind=kind)


def _pasted(namespace: str) -> str:
    """Return a namespace with ``CONCAT(a, b)`` replaced by ``ab``, for when that macro is not among the sources."""
    match = re.fullmatch(r"(?=\w*CONCAT)\w+\s*\(([\w\s,]*)\)", namespace)
    return "".join(part.strip() for part in match[1].split(",")) if match else namespace
