"""A fix: edits of source files that mend a finding."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, TypeAlias

from opgen.records import dataclass
from opgen.source import Location, Span, Text

Applicability: TypeAlias = Literal["safe", "unsafe"]
"""A safe fix says what the author plainly meant; an unsafe one may change what the op does, and is to be reviewed."""

_VERBATIM = re.compile(r"[\w .,?!*=()\[\]|>@/-]*")  # in any style of YAML scalar, and in a string of C++ or Python


@dataclass(frozen=True, slots=True)
class Edit:
    """The text at a place is replaced; an empty place is where it is put in."""

    location: Location
    replacement: str


@dataclass(frozen=True, slots=True)
class Fix:
    """What ``opgen lint --fix`` does about a finding.

    Attributes:
        title: a few words in the imperative, as an editor offers it: ``write `float` ``.
        edits: in one or several files; none overlaps another.
        applicability: whether it is made without being asked about (``--fix``), or only by ``--unsafe-fixes``.
    """

    title: str
    edits: tuple[Edit, ...]
    applicability: Applicability = "safe"


def fix_text(
    text: Text, edits: Iterable[tuple[Span, str]], title: str, applicability: Applicability = "safe"
) -> Fix | None:
    """Make a fix of replacements in a decoded text, such as a schema in a YAML scalar or a string literal.

    Returns:
        ``None`` where a replacement can't be written into the source as it is: the characters there are escapes, or a
        line break that was folded, or the text stands in no file at all, or the new text would need escapes.
    """
    made = []
    for span, replacement in edits:
        location = text.locate(span)
        there = location.source.text[slice(*location.span)]
        if there != text.value[slice(*span)] or not _VERBATIM.fullmatch(replacement):
            return None
        made.append(Edit(location, replacement))
    return Fix(title, tuple(made), applicability) if made else None
