"""A fast path for schemas with the usual layout, ``name(TYPE NAME=DEFAULT, ...) -> TYPE``.

Such a schema can be split at its commas, and most arguments differ only in their names. So each kind of argument and
return is parsed by the grammar once, and from then on copied. Anything unusual (comments, ``...``, nested brackets, odd
blanks, any mistake) is left to the full parser. If this module returns a schema, the full parser returns the same one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar

from opgen.schema.lexer import NEVER_A_NAME
from opgen.schema.nodes import Argument, FunctionSchema, OperatorName, Return
from opgen.source import Span

_WORD = r"[A-Za-z_][A-Za-z0-9_]*"
_PLAIN = r"""[^()\[\]{},"'#\\\n]*"""
_QUOTED = r"""(?:"[^"\\\n]*"|'[^'\\\n]*')"""
_INSIDE = rf"{_PLAIN}(?:{_QUOTED}{_PLAIN})*"
_RUN = rf"((?=[^ \n,)]){_PLAIN}(?:(?:{_QUOTED}|\({_INSIDE}\)|\[{_INSIDE}(?:,{_INSIDE})*\]){_PLAIN})*)"
"""Matches an item up to a comma or closing bracket. No two of its alternatives begin alike, so it never backtracks."""

_OPENING = re.compile(rf"(?:({_WORD})::)?({_WORD})(?:\.({_WORD}))?\(")
_NOTHING = re.compile(r"[ \n]*\)")
_ITEM = re.compile(rf"[ \n]*{_RUN}(?:\n[ \n]*)?([,)])")
_ARROW = re.compile(r" *-> *([(A-Za-z_])")
_WHOLE = re.compile(_RUN)
_END = re.compile(r"[ \n]*\Z")
_NAMED = re.compile(rf"(.*[ )\]?!])({_WORD})((?: *=.*)?)")
"""Splits an argument into the text before its name, the name, and the text after it."""

Copy: TypeAlias = Callable[[int], Any]
"""Makes a copy of a node with all spans moved by a number of characters."""

Place = TypeVar("Place")
Node = TypeVar("Node")


class _Copies(dict[Place, Node], Generic[Place, Node]):
    """A cache of the copies of a node by position; quicker to create than ``functools.cache``."""

    def __init__(self, copy: Callable[[Place], Node]) -> None:
        self._copy = copy

    def __missing__(self, place: Place) -> Node:
        made = self[place] = self._copy(place)
        return made


ArgumentCopies: TypeAlias = _Copies[tuple[int, bool], Argument]
"""The copies of an argument by its offset and whether it is keyword-only."""


_span = partial(tuple.__new__, Span)
"""Makes a ``Span`` in half the time of its constructor; a third of all objects made here are spans."""


class RegularReader:
    """Reads regular schemas; the functions passed parse a single argument or return, or return ``None``."""

    def __init__(
        self, read_argument: Callable[[str], Argument | None], read_return: Callable[[str], Return | None]
    ) -> None:
        self._read_argument = read_argument
        self._read_return = read_return
        self._arguments: dict[str, ArgumentCopies] = {}
        self._kinds: dict[tuple[str, str], tuple[_Copies[int, Any], Copy, int]] = {}
        self._returns: dict[str, _Copies[int, Return]] = {}

    def read(self, text: str) -> FunctionSchema | None:
        """Return the schema, or ``None`` if the full parser has to read it."""
        opening = _OPENING.match(text)
        if opening is None or not NEVER_A_NAME.isdisjoint(opening.groups()):
            return None
        namespace, name, overload = opening.groups(default="")
        items, end = _split(text, opening.end())
        arguments = self._copy_arguments(items) if end else None
        if arguments is None:
            cut = _items(text, opening.end())
            if cut is None:
                return None
            items, end = cut
            arguments = self._copy_arguments(items)
        arrow = _ARROW.match(text, end)
        if arguments is None or arrow is None:
            return None
        returns_start = arrow.start(1)
        if arrow[1] == "(":
            results = _items(text, arrow.end())
            if results is None or not _END.match(text, results[1]):
                return None
            found, end = results
        else:
            found, end = [(text[returns_start:].rstrip(" \n"), returns_start)], 0
        returns = self._copy_returns(found)
        if returns is None:
            return None
        returns_span = Span(returns_start, end or returns[0].span.end)
        return FunctionSchema(
            OperatorName(name, overload, namespace or None, Span(0, opening.end() - 1)),
            arguments,
            returns,
            span=Span(0, returns_span.end),
            returns_span=returns_span,
        )

    def _copy_arguments(self, items: list[tuple[str, int]]) -> tuple[Argument, ...] | None:
        arguments = []
        kwarg_only = False
        for text, position in items:
            if text == "*":
                kwarg_only = True
                continue
            copies = self._arguments.get(text)
            if copies is None and (copies := self._learn(text)) is None:
                return None
            arguments.append(copies[position, kwarg_only])
        return tuple(arguments)

    def _learn(self, text: str) -> ArgumentCopies | None:
        named = _NAMED.fullmatch(text)
        if named is None or named[2] in NEVER_A_NAME or not _is_item(text):
            return None
        before, name, after = named.groups()
        known = self._kinds.get((before, after)) or self._learn_kind(before, name, after)
        if known is None:
            return None
        types, copy_default, end = known
        name_start, name_end = named.span(2)

        def copy(place: tuple[int, bool]) -> Argument:
            position, kwarg_only = place
            name_span = _span((position + name_start, position + name_end))
            span = _span((position, position + name_end + end))
            return Argument(types[position], name, copy_default(position + name_end), kwarg_only, span, name_span)

        copies = self._arguments[text] = _Copies(copy)
        return copies

    def _learn_kind(self, before: str, name: str, after: str) -> tuple[_Copies[int, Any], Copy, int] | None:
        argument = self._read_argument(before + name + after)
        if argument is None or argument.name_span.start != len(before):
            return None
        name_end = argument.name_span.end
        known = (
            _Copies(_copier(argument.type)),
            _copier(argument.default, -name_end),
            argument.span.end - name_end,
        )
        self._kinds[before, after] = known
        return known

    def _copy_returns(self, items: list[tuple[str, int]]) -> tuple[Return, ...] | None:
        returns = []
        for text, position in items:
            copies = self._returns.get(text)
            if copies is None:
                result = self._read_return(text) if _is_item(text) else None
                if result is None:
                    return None
                copies = self._returns[text] = _Copies(_copier(result))
            returns.append(copies[position])
        return tuple(returns)


def _is_item(text: str) -> bool:
    """Whether a text is exactly one item as ``_items`` splits them."""
    return _WHOLE.fullmatch(text) is not None and text[-1] != " "


def _split(text: str, position: int) -> tuple[list[tuple[str, int]], int]:
    """Split as ``_items`` does, but faster, if the text is laid out as PyTorch prints it.

    The caller must still check each item. The returned offset is 0 if the text couldn't be split so.
    """
    end = text.find(") -> ", position)
    if end < 0:
        return [], 0
    items = []
    for part in text[position:end].split(", "):
        items.append((part, position))
        position += len(part) + 2
    return items, end + 1


def _items(text: str, position: int) -> tuple[list[tuple[str, int]], int] | None:
    """Split at commas up to a closing bracket; return the items with offsets, and the offset after the bracket."""
    nothing = _NOTHING.match(text, position)
    if nothing:
        return [], nothing.end()
    items = []
    while match := _ITEM.match(text, position):
        items.append((match[1].rstrip(" "), match.start(1)))
        position = match.end()
        if match[2] == ")":
            return items, position
    return None


def _copier(node: Any, moved: int = 0) -> Copy:
    """Return a function that copies a node with its spans moved by ``moved`` plus its own argument."""
    if isinstance(node, Span):
        start, end = node.start + moved, node.end + moved
        return lambda distance: _span((start + distance, end + distance))
    if is_dataclass(node):
        make: Any = type(node)
        parts = [_copier(getattr(node, field.name), moved) for field in fields(node)]
        return lambda distance: make(*[part(distance) for part in parts])
    if isinstance(node, tuple):
        parts = [_copier(part, moved) for part in node]
        return lambda distance: tuple([part(distance) for part in parts])
    return lambda _distance: node
