"""Converts positions of ``ast`` nodes, which count UTF-8 bytes in lines, to spans, which count characters in a text."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from functools import lru_cache

from opgen.readers.python.literals import Characters, scan_literal
from opgen.records import dataclass
from opgen.source import DerivedText, Location, Source, Span, Text

_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")
_CONTINUATION = re.compile(rb"[\x80-\xbf]")
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@lru_cache(maxsize=64)
def _lines(source: Source) -> list[tuple[int, list[int]]]:
    """Where each line starts, and the bytes in it that begin no character; found once, not for each node in it."""
    # As Python's tokenizer, which knows no other line breaks; ``str.splitlines`` would also split at a form feed.
    return [(match.start(), _continuing(match[0])) for match in _LINE.finditer(source.text)]


def _continuing(line: str) -> list[int]:
    return [] if line.isascii() else [match.start() for match in _CONTINUATION.finditer(line.encode())]


@dataclass(frozen=True, eq=False)
class Places:
    """Spans and texts of the nodes of one parsed source."""

    source: Source

    def offset(self, line: int, column: int) -> int:
        """Return the character offset of a line (from 1) and a column in bytes (from 0)."""
        start, continuing = _lines(self.source)[line - 1]
        return start + column - bisect_left(continuing, column)

    def span(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword) -> Span:
        """Return the span of a node."""
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return Span(self.offset(node.lineno, node.col_offset), self.offset(end_line, end_column))

    def location(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword) -> Location:
        """Return the location of a node."""
        return Location(self.source, self.span(node))

    def written(self, node: ast.expr | ast.stmt) -> str:
        """Return the text of a node with normalised whitespace."""
        start, end = self.span(node)
        return " ".join(self.source.text[start:end].split())

    def signature(self, function: FunctionNode) -> Location:
        """Return the location of a function's head, from ``def`` to the result type, or of a whole ``lambda``."""
        if isinstance(function, ast.Lambda):
            return self.location(function)
        start = self.span(function).start  # without decorators, since Python 3.8
        last: ast.expr | ast.arg | None = function.returns
        if last is None:
            arguments = function.args
            named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
            named += [extra for extra in (arguments.vararg, arguments.kwarg) if extra]
            ends: list[ast.expr | ast.arg] = [*named, *arguments.defaults]
            ends += [default for default in arguments.kw_defaults if default]
            last = max(ends, key=lambda node: self.span(node).end, default=None)
        after = self.span(last).end if last is not None else start
        colon = self.source.text.find(":", after)
        head = self.source.text[start : colon if colon >= 0 else after]
        return Location(self.source, Span(start, start + len(head.rstrip())))

    def body(self, function: FunctionNode) -> Text:
        """Return the text of a function's body."""
        first, last = (
            (function.body, function.body)
            if isinstance(function, ast.Lambda)
            else (function.body[0], function.body[-1])
        )
        start, end = self.span(first).start, self.span(last).end
        return Text(self.source.text[start:end], self.source, start)

    def string(self, node: ast.Constant) -> Text:
        """Return the value of a literal, adjacent ones joined, with the location of each character."""
        start, end = self.span(node)
        for quotes in (1, 3):
            if self.source.text[start] in "'\"" and self.source.text[start + quotes : end - quotes] == node.value:
                return Text(node.value, self.source, start + quotes)
        pieces = scan_literal(self.source.text, start, end)
        characters = [piece for piece in pieces if isinstance(piece, Characters)]
        value = "".join(piece.value for piece in characters)
        if value != node.value or len(characters) != len(pieces):
            return DerivedText.at(str(node.value), self.location(node))
        offsets = [offset for piece in characters for offset in piece.offsets]
        if offsets and offsets[-1] - offsets[0] == len(offsets) - 1:
            return Text(value, self.source, offsets[0])
        return Text(value, self.source, start, (*offsets, offsets[-1] + 1 if offsets else start))
