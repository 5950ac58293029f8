"""What tells one finding from another, run for run: neither the lines above it nor how it is worded or written.

Used by the baseline, and by SARIF's ``partialFingerprints``, by which a tool that keeps alerts can follow them.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from opgen.diagnostics.diagnostic import Diagnostic

_QUOTED = re.compile(r"(?<!\w)'([^'\n]+)'(?!\w)")  # no apostrophe of a word


class Identity(NamedTuple):
    """What a finding is about.

    Attributes:
        code: its id.
        path: its file, empty for a finding about no file.
        op: its op, empty where it is about none.
        about: of an op the names that the message quotes, which are arguments, functions, keys; without an op the text
            that is marked, since that is all there is.
    """

    code: str
    path: str
    op: str
    about: tuple[str, ...]


def identity(diagnostic: Diagnostic, path_of: Callable[[str], str] = lambda path: path) -> Identity:
    """Say what a finding is about: an edit of the schema around it leaves that as it is, another argument does not.

    Args:
        diagnostic: the finding.
        path_of: the name of a file for this purpose, from that under which it is shown.
    """
    place = diagnostic.location
    path = path_of(place.source.path) if place is not None else ""
    if diagnostic.op is not None:
        return Identity(diagnostic.code.id, path, diagnostic.op, _names(diagnostic.message, diagnostic.op))
    marked = place.source.text[slice(*place.span)] if place is not None else ""
    return Identity(diagnostic.code.id, path, "", (" ".join(marked.split()),))


def fingerprints(diagnostics: Iterable[Diagnostic]) -> Iterator[tuple[Diagnostic, str]]:
    """Pair each finding with 16 hexadecimal digits: its identity, and its number among those that have the same.

    Args:
        diagnostics: in an order that does not change, that of `ordered`.
    """
    seen: Counter[Identity] = Counter()
    for diagnostic in diagnostics:
        key = identity(diagnostic)
        seen[key] += 1
        text = "\0".join([key.code, key.path, key.op, *key.about, str(seen[key])])
        yield diagnostic, hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _names(message: str, op: str) -> tuple[str, ...]:
    """Return what a message quotes but for the op; of a path its end, since it is shown from where opgen was started."""
    quoted = {name.rpartition("/")[2] for name in _QUOTED.findall(message)}
    return tuple(sorted(quoted - {op}))
