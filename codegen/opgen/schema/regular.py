"""A short cut for schemas that are laid out as nearly all are: ``name(TYPE NAME=DEFAULT, ...) -> TYPE``.

Their arguments can be cut out by eye, and most look alike but for their names. So each kind of argument and return goes
through the grammar once and is copied from then on. Whatever is unusual (comments, ``...``, nested brackets, odd blanks,
any mistake at all) is left to the parser proper. Where this module returns a schema, the parser returns the same one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeAlias

from opgen.schema.lexer import NEVER_A_NAME
from opgen.schema.nodes import Argument, FunctionSchema, OperatorName, Return
from opgen.source import Span

_WORD = r"[A-Za-z_][A-Za-z0-9_]*"
_PLAIN = r"""[^()\[\]{},"'#\\\n]*"""
_QUOTED = r"""(?:"[^"\\\n]*"|'[^'\\\n]*')"""
_INSIDE = rf"{_PLAIN}(?:{_QUOTED}{_PLAIN})*"
_RUN = rf"((?=[^ \n,)]){_PLAIN}(?:(?:{_QUOTED}|\({_INSIDE}\)|\[{_INSIDE}(?:,{_INSIDE})*\]){_PLAIN})*)"
"""Something, up to a comma or a bracket that closes. No two of its parts can begin alike, so it is read in one go."""

_OPENING = re.compile(rf"(?:({_WORD})::)?({_WORD})(?:\.({_WORD}))?\(")
_NOTHING = re.compile(r"[ \n]*\)")
_ITEM = re.compile(rf"[ \n]*{_RUN}(?:\n[ \n]*)?([,)])")
_ARROW = re.compile(r" *-> *([(A-Za-z_])")
_SINGLE = re.compile(rf"{_RUN}(?:\n[ \n]*)?\Z")
_END = re.compile(r"[ \n]*\Z")
_NAMED = re.compile(rf"(.*[ )\]?!])({_WORD})((?: *=.*)?)")
"""An argument: what stands before its name, the name, what follows."""

Copy: TypeAlias = Callable[[int], Any]
"""Makes a node as if it stood so much further on in the text; kept, since in most schemas it stands at one of a few places."""

CopyArgument: TypeAlias = Callable[[int, bool], Argument]
"""Makes an argument that begins there; the flag says whether it is keyword-only."""


class RegularReader:
    """Reads regular schemas with the help of functions that parse one argument or one return, or say ``None``."""

    def __init__(
        self, read_argument: Callable[[str], Argument | None], read_return: Callable[[str], Return | None]
    ) -> None:
        self._read_argument = read_argument
        self._read_return = read_return
        self._arguments: dict[str, CopyArgument] = {}
        self._kinds: dict[tuple[str, str], tuple[Copy, Copy, int]] = {}
        self._returns: dict[str, Copy] = {}

    def read(self, text: str) -> FunctionSchema | None:
        """Return the schema, or ``None`` where the parser proper must look."""
        opening = _OPENING.match(text)
        if opening is None or not NEVER_A_NAME.isdisjoint(opening.groups()):
            return None
        namespace, name, overload = opening.groups(default="")
        items = _items(text, opening.end())
        arrow = items and _ARROW.match(text, items[1])
        if not items or not arrow:
            return None
        arguments = self._copy_arguments(items[0])
        returns_start = arrow.start(1)
        if arrow[1] == "(":
            results = _items(text, arrow.end())
            if results is None or not _END.match(text, results[1]):
                return None
            found, end = results
        else:
            single = _SINGLE.match(text, returns_start)
            if single is None:
                return None
            found, end = [(single[1].rstrip(" "), returns_start)], 0
        returns = self._copy_returns(found)
        if arguments is None or returns is None:
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
            copy = self._arguments.get(text) or self._learn(text)
            if copy is None:
                return None
            arguments.append(copy(position, kwarg_only))
        return tuple(arguments)

    def _learn(self, text: str) -> CopyArgument | None:
        named = _NAMED.fullmatch(text)
        if named is None or named[2] in NEVER_A_NAME:
            return None
        before, name, after = named.groups()
        known = self._kinds.get((before, after)) or self._learn_kind(before, name, after)
        if known is None:
            return None
        copy_type, copy_default, end = known

        @cache
        def copy(position: int, kwarg_only: bool) -> Argument:  # noqa: FBT001 - by place, since it is called for each argument
            name_span = Span(position + named.start(2), position + named.end(2))
            span = Span(position, name_span.end + end)
            return Argument(copy_type(position), name, copy_default(name_span.end), kwarg_only, span, name_span)

        self._arguments[text] = copy
        return copy

    def _learn_kind(self, before: str, name: str, after: str) -> tuple[Copy, Copy, int] | None:
        argument = self._read_argument(before + name + after)
        if argument is None or argument.name_span.start != len(before):
            return None
        name_end = argument.name_span.end
        copy_default = _copier(argument.default, -name_end)
        known = (
            cache(_copier(argument.type)),
            copy_default if argument.default is None else cache(copy_default),
            argument.span.end - name_end,
        )
        self._kinds[before, after] = known
        return known

    def _copy_returns(self, items: list[tuple[str, int]]) -> tuple[Return, ...] | None:
        returns = []
        for text, position in items:
            copy = self._returns.get(text)
            if copy is None:
                result = self._read_return(text)
                if result is None:
                    return None
                copy = self._returns[text] = cache(_copier(result))
            returns.append(copy(position))
        return tuple(returns)


def _items(text: str, position: int) -> tuple[list[tuple[str, int]], int] | None:
    """Cut out what stands between commas, each with its place, up to a closing bracket; and the place after that."""
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
    """Prepare copies of a node whose spans are moved by so much, and by what the copy is asked for."""
    if isinstance(node, Span):
        start, end = node.start + moved, node.end + moved
        return lambda distance: Span(start + distance, end + distance)
    if is_dataclass(node):
        make: Any = type(node)
        parts = [_copier(getattr(node, field.name), moved) for field in fields(node)]
        return lambda distance: make(*[part(distance) for part in parts])
    if isinstance(node, tuple):
        parts = [_copier(part, moved) for part in node]
        return lambda distance: tuple([part(distance) for part in parts])
    return lambda _distance: node
