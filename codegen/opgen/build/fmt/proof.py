"""Proves that formatting has not changed the meaning of a file, before its new text is written."""

from __future__ import annotations

from opgen.build.fmt.style import needs_quotes
from opgen.build.fmt.tree import Document, comments
from opgen.schema.parser import parse_schema
from opgen.schema.printer import print_schema
from opgen.spec.yaml import Mapping, Node, Scalar, Sequence


def have_the_same_comments(old: Document, new: Document) -> bool:
    """Whether no comment was lost or changed."""
    return comments(old) == comments(new)


def say_the_same(old: Node, new: Node) -> bool:
    """Whether two documents have the same values, apart from the order of keys and the blanks in schemas."""
    match old, new:
        case Scalar(), Scalar():
            is_as_plain = old.plain == new.plain or needs_quotes(old.text.value) or not old.plain
            return is_as_plain and _is_same_text(old.text.value, new.text.value)
        case Sequence(), Sequence():
            return len(old.items) == len(new.items) and all(map(say_the_same, old.items, new.items))
        case Mapping(), Mapping():
            values = {pair.key.text.value: pair for pair in new.pairs}
            return len(old.pairs) == len(new.pairs) and all(
                (other := values.get(pair.key.text.value)) is not None
                and say_the_same(pair.key, other.key)
                and say_the_same(pair.value, other.value)
                for pair in old.pairs
            )
    return False


def _is_same_text(old: str, new: str) -> bool:
    if old == new:
        return True
    schemas = parse_schema(old).schema, parse_schema(new).schema
    if schemas[0] is None or schemas[1] is None:
        return False
    return print_schema(schemas[0]) == print_schema(schemas[1]) and "".join(old.split()) == "".join(new.split())
