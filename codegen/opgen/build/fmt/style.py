"""The changes that ``fmt`` makes beside layout: the order of keys, quotes, and blanks in schemas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from opgen.build.fmt.schema_blanks import with_canonical_blanks
from opgen.build.fmt.tree import Collection, Document, Entry, Word, links
from opgen.records import dataclass
from opgen.spec.dispatch_form import KERNEL_TABLE
from opgen.spec.fields import Table
from opgen.spec.library_keys import DEFAULTS_KEY, OPS_KEY
from opgen.spec.op_keys import DISPATCH_KEY, FUNC_KEY, TESTS_KEY
from opgen.spec.tables import DEFAULTS_TABLE, LIBRARY_TABLE, OP_TABLE
from opgen.spec.tests_form import TESTS_TABLE

_MERGE = "<<"
_SUPPRESSION = "opgen:"
_TO_QUOTE = frozenset("[,:")
_ESCAPED = frozenset('"\\')


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in the format of ``ops.yaml``, with what is known of the collection there.

    Attributes:
        keys: the keys of a mapping in canonical order; empty if the keys are the author's.
        under: key -> the place of its value.
        items: the place of every item, or of every value that is not in ``under``.
        is_outer: whether the mapping is the library or an op, whose direct values need no quotes.
    """

    keys: tuple[str, ...] = ()
    under: Mapping[str, _Place] = field(default_factory=dict)
    items: _Place | None = None
    is_outer: bool = False


def _place(table: Table, under: Mapping[str, _Place] | None = None, *, is_outer: bool = False) -> _Place:
    return _Place(tuple(table.names), under or {}, is_outer=is_outer)


_ANYWHERE = _Place()
_IN_OP = {DISPATCH_KEY.name: _Place(items=_place(KERNEL_TABLE)), TESTS_KEY.name: _place(TESTS_TABLE)}
_OP = _place(OP_TABLE, _IN_OP, is_outer=True)
_DEFAULTS = _place(DEFAULTS_TABLE, _IN_OP, is_outer=True)
_LIBRARY = _place(LIBRARY_TABLE, {OPS_KEY.name: _Place(items=_OP), DEFAULTS_KEY.name: _DEFAULTS}, is_outer=True)


def styled(document: Document) -> Document:
    """Return a file with its keys in the order of docs/ops-yaml.md, and with canonical quotes and blanks of schemas."""
    return replace(document, root=_collection(document.root, _LIBRARY))


def _collection(collection: Collection, place: _Place) -> Collection:
    entries = [_entry(entry, collection, place) for entry in collection.entries]
    if place.keys and collection.is_mapping:
        entries = _in_order(entries, place.keys)
    return replace(collection, entries=tuple(entries))


def _entry(entry: Entry, collection: Collection, place: _Place) -> Entry:
    key, value = entry.key, entry.value
    if key is not None:
        key = _quoted(key, is_exempt=bool(place.keys))
    if isinstance(value, Collection):
        inner = (place.under.get(key.value) if key else None) or place.items or _ANYWHERE
        return _with_comments_above(replace(entry, key=key, value=_collection(value, inner)))
    if not isinstance(value, Word):
        return replace(entry, key=key)
    if place is _OP and key and key.value == FUNC_KEY.name:
        value = _with_text(value, with_canonical_blanks(value.value))
    value = _quoted(value, is_exempt=place.is_outer and not collection.in_brackets)
    return replace(entry, key=key, value=value)


def _with_comments_above(entry: Entry) -> Entry:
    """Move comments above a key that has become the first one above the dash."""
    value = entry.value
    if entry.key or not isinstance(value, Collection) or value.in_brackets or value.anchor:
        return entry
    first, *rest = value.entries
    before = (*entry.before, *filter(None, first.before))
    return replace(entry, value=replace(value, entries=(replace(first, before=()), *rest)), before=before)


def _in_order(entries: list[Entry], keys: tuple[str, ...]) -> list[Entry]:
    """Sort pairs, ``<<`` behind the first key and unknown keys last.

    They are not sorted if an alias may depend on their order, or if a comment on the first line is about the whole op.
    """
    marks = [mark for entry in entries for part in (entry.key, entry.value) if part for mark in links(part)]
    if len(marks) > 1 and any(mark.startswith("&") for mark in marks):
        return entries
    ranks = {key: rank for rank, key in enumerate((keys[0], _MERGE, *keys[1:]))}
    in_order = sorted(entries, key=lambda entry: ranks.get(entry.key.value if entry.key else "", len(ranks)))
    moved = [one for one, other in zip(entries[:1], in_order, strict=False) if one is not other]
    return entries if any(_SUPPRESSION in entry.comment for entry in moved) else in_order


def _with_text(word: Word, value: str) -> Word:
    """Return a word with another value in the same style; unchanged if the value would need escapes."""
    if value == word.value or word.text != f"{word.style}{word.value}{word.style}":
        return word
    return replace(word, text=f"{word.style}{value}{word.style}", value=value)


def needs_quotes(value: str) -> bool:
    """Whether a text inside of a collection is quoted."""
    return not _TO_QUOTE.isdisjoint(value)


def _quoted(word: Word, *, is_exempt: bool) -> Word:
    r"""Quote a text that contains ``[``, ``,`` or ``:``, in double quotes unless it contains ``"`` or ``\``."""
    needs_escapes = not word.value.isprintable() or not _ESCAPED.isdisjoint(word.value)
    if word.style == "'" and not needs_escapes:
        return replace(word, text=f'"{word.value}"', style='"')
    if word.style or is_exempt or not needs_quotes(word.value):
        return word
    if not needs_escapes:
        return replace(word, text=f'"{word.value}"', style='"')
    return replace(word, text="'" + word.value.replace("'", "''") + "'", style="'")
