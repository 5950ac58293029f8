"""Composes the tree of a YAML document from PyYAML's events.

Events are used rather than ``yaml.compose`` since no tags are resolved (``on`` stays a text), anchors and depth can be
limited, and it takes a third of the time. The marks of both libyaml and PyYAML's own parser count characters, not
bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import yaml

from opgen.diagnostics import Code, Diagnostic
from opgen.diagnostics.diagnostic import Note
from opgen.source import Location, Source, Span
from opgen.spec.yaml.codes import (
    BAD_ALIAS,
    BAD_MERGE,
    DUPLICATE_KEY,
    EMPTY_FILE,
    KEY_NOT_TEXT,
    SEVERAL_DOCUMENTS,
    YAML_LIMIT,
    YAML_TAG,
)
from opgen.spec.yaml.errors import explain
from opgen.spec.yaml.file import without_forbidden
from opgen.spec.yaml.nodes import Mapping, Node, Pair, Scalar, Sequence
from opgen.spec.yaml.scalars import scalar_text

DEPTH_LIMIT = 100
NODE_LIMIT = 2_000_000  # with every alias unfolded; ten thousand ops with full contracts have about 400,000
_PROPERTIES = re.compile(r"(?:&[0-9A-Za-z_-]*|!\S*|#[^\n]*|\s+)*")  # an anchor ends where libyaml ends it
_TAG = re.compile(r"!\S*")
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # a PyYAML built without libyaml lacks the first


def compose(source: Source) -> tuple[Node | None, list[Diagnostic]]:
    """Read one YAML document.

    A syntax error ends the reading; complete list items and complete pairs of mappings before it are kept.
    """
    text, diagnostics = without_forbidden(source)
    composer = _Composer(source, text, diagnostics)
    return composer.document(), diagnostics


class _Composer:
    """Builds the tree of one document."""

    def __init__(self, source: Source, text: str, diagnostics: list[Diagnostic]) -> None:
        self._source = source
        self._text = text
        self._diagnostics = diagnostics
        self._next: Callable[[], Any] = self._events().__next__
        self._anchors: dict[str, tuple[Node, int] | None] = {}  # None while the value is being read
        self._count = 0
        self._stopped = False

    def document(self) -> Node | None:
        """Read the first document, and report a second one."""
        self._next()
        start = self._next()
        if not isinstance(start, yaml.DocumentStartEvent):
            if not self._stopped:
                self._report(
                    EMPTY_FILE, "the file is empty, expected a mapping with 'opgen', 'namespace' and 'ops'", Span(0, 0)
                )
            return None
        root = self._node(self._next(), depth=1)
        self._next()
        more = self._next()
        if isinstance(more, yaml.DocumentStartEvent):
            self._report(SEVERAL_DOCUMENTS, "a second document begins here, expected one a file", _span(more))
        return root

    def _events(self) -> Iterator[Any]:
        """Yield the events of the parser; after the end, or the first syntax error, ``None`` forever."""
        try:
            parser = LOADER(self._text)
            while not self._stopped:
                yield parser.get_event()
        except yaml.YAMLError as error:
            self._stopped = True
            self._diagnostics.append(explain(error, self._source, self._text))
        while True:
            yield None

    def _node(self, event: Any, depth: int) -> Node | None:
        """Read the value that begins with ``event``; ``None`` if there is no value, as after a syntax error."""
        if event is None:
            return None
        kind = type(event)
        if kind is yaml.AliasEvent:
            return self._alias(event)
        self._count += 1
        if depth > DEPTH_LIMIT or self._count > NODE_LIMIT:
            self._limit(event, depth)
            return None
        if kind is yaml.ScalarEvent and event.tag is event.anchor is None:
            return self._scalar(event)  # nearly every value
        return self._with_properties(event, depth)

    def _with_properties(self, event: Any, depth: int) -> Node:
        """Read a collection, or a value with an anchor or a tag."""
        if event.tag is not None:
            self._report(YAML_TAG, f"tags such as '{self._written_tag(event)}' are not read", _span(event))
        if event.anchor is None:
            return self._content(event, depth)
        before = self._count
        self._anchors[event.anchor] = None
        node = self._content(event, depth)
        self._anchors[event.anchor] = (node, self._count - before + 1)
        return node

    def _content(self, event: Any, depth: int) -> Node:
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(event, depth)
        return self._mapping(event, depth)

    def _scalar(self, event: Any) -> Scalar:
        start, end = event.start_mark.index, event.end_mark.index
        if event.anchor is not None or event.tag is not None:
            properties = _PROPERTIES.match(self._text, start, end)
            start = properties.end() if properties else start
        style = event.style or ""
        text = scalar_text(self._source, event.value, style, Span(start, end))
        if style in ("|", ">"):  # the parser's end is the start of what follows
            end = max(text.offsets[-1], start + 1)
        return Scalar(text, Span(start, end), plain=not style)

    def _sequence(self, event: Any, depth: int) -> Sequence:
        items: list[Node] = []
        problems = len(self._diagnostics)
        while type(following := self._next()) is not yaml.SequenceEndEvent:
            item = self._node(following, depth + 1)
            if self._stopped:  # the item may be incomplete
                break
            if item is not None:
                items.append(item)
        is_whole = len(self._diagnostics) == problems
        return Sequence(tuple(items), self._source, self._collection_span(event, following, items), is_whole)

    def _mapping(self, event: Any, depth: int) -> Mapping:
        pairs: dict[str, Pair] = {}
        merged: list[Pair] = []
        complete = True
        problems = len(self._diagnostics)
        while type(following := self._next()) is not yaml.MappingEndEvent:
            key = self._node(following, depth + 1)
            value = self._node(self._next(), depth + 1)
            if key is not None and not isinstance(key, Scalar):
                self._report(KEY_NOT_TEXT, "a key has to be a text, found a list or mapping", key.span)
            elif key is not None and value is not None:
                complete &= self._enter(pairs, merged, Pair(key, value))
            else:
                complete = False
            if self._stopped:
                _drop_unfinished(pairs)
                break
        here = list(pairs.values())
        span = self._collection_span(event, following, [pair.value for pair in here])
        inherited = {pair.key.text.value: pair for pair in reversed(merged)}  # the first mapping of a list wins
        more = [pair for key, pair in reversed(inherited.items()) if key not in pairs]
        is_whole = len(self._diagnostics) == problems
        return Mapping((*here, *more), self._source, span, complete and not self._stopped, is_whole)

    def _enter(self, pairs: dict[str, Pair], merged: list[Pair], pair: Pair) -> bool:
        """Add a pair to a mapping; return False for a ``<<`` whose value isn't a mapping, which has been reported."""
        key = pair.key.text.value
        if pair.key.plain and key == "<<":
            values = pair.value.items if isinstance(pair.value, Sequence) else (pair.value,)
            for value in values:
                if isinstance(value, Mapping):
                    merged += value.pairs
                else:
                    self._report(BAD_MERGE, "'<<' takes a mapping or a list of mappings", value.span)
                    return False
        elif key in pairs:
            note = Note("it stands here first", pairs[key].key.location)
            self._report(DUPLICATE_KEY, f"the key '{key}' stands twice", pair.key.span, notes=(note,))
        else:
            pairs[key] = pair
        return True

    def _alias(self, event: Any) -> Node | None:
        name = event.anchor
        anchored = self._anchors.get(name)
        if anchored is not None:
            node, count = anchored
            self._count += count
            if self._count <= NODE_LIMIT:
                return node
            self._limit(event, depth=0)
            return None
        if name in self._anchors:
            message = f"the alias '*{name}' stands inside of the value that it repeats"
        else:
            message = f"there is no anchor '&{name}' before this alias"
        self._report(BAD_ALIAS, message, _span(event), help_="a text that begins with '*' has to be quoted")
        return None

    def _limit(self, event: Any, depth: int) -> None:
        self._stopped = True
        what = f"{DEPTH_LIMIT} levels" if depth > DEPTH_LIMIT else f"{NODE_LIMIT:,} values, aliases unfolded"
        self._report(YAML_LIMIT, f"the document has more than {what}", _span(event))

    def _collection_span(self, start: Any, end: Any, children: list[Node]) -> Span:
        """Return the span of a collection, without blank lines and comments at the end of a block."""
        begin = start.start_mark.index
        if start.flow_style and end is not None:
            return Span(begin, end.end_mark.index)
        return Span(begin, max([begin, *(child.span.end for child in children)]))

    def _written_tag(self, event: Any) -> str:
        written = _TAG.search(self._text, event.start_mark.index)
        return written[0] if written else str(event.tag)

    def _report(self, code: Code, message: str, span: Span, help_: str = "", notes: tuple[Note, ...] = ()) -> None:
        place = Location(self._source, span)
        self._diagnostics.append(Diagnostic(code, message, place, help_ or code.remedy, notes=notes))


def _drop_unfinished(pairs: dict[str, Pair]) -> None:
    """Drop the last pair, whose text a syntax error may have cut short."""
    if pairs and isinstance(next(reversed(pairs.values())).value, Scalar):
        pairs.popitem()


def _span(event: Any) -> Span:
    return Span(event.start_mark.index, event.end_mark.index)
