"""Normalises the blanks in a schema, as `opgen.schema.printer` writes them, without changing anything else."""

from __future__ import annotations

from itertools import pairwise

from opgen.lalr.token import Token
from opgen.schema.grammar import tokens
from opgen.schema.parser import parse_schema

_ENDS_OF_TYPES = ("]", ")", "?", "!")


def with_canonical_blanks(schema: str) -> str:
    """Return a schema with one blank behind commas, between type and name and around arrows, and no other blanks.

    A text that is no schema, or has line breaks or comments, is returned unchanged.
    """
    if "\n" in schema or parse_schema(schema).schema is None:
        return schema
    parts = list(tokens(schema))
    gaps = [_gap(one, other) for one, other in pairwise(parts)]
    spaced = "".join(part + gap for part, gap in zip(parts, [*gaps, ""], strict=True))
    return spaced if _squeezed(spaced) == _squeezed(schema) else schema


def _gap(one: Token, other: Token) -> str:
    is_before_name = other.isidentifier() and (one.isidentifier() or one in _ENDS_OF_TYPES)
    return " " if one == "," or "->" in {one, other} or is_before_name else ""


def _squeezed(text: str) -> str:
    return "".join(text.split())
