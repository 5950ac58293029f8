"""What tells one finding from another, run for run: neither the lines above it nor the words of its message.

Used by the baseline, and by SARIF's ``partialFingerprints``, by which a code host follows an alert.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from opgen.diagnostics.diagnostic import Diagnostic


def fingerprints(
    diagnostics: Iterable[Diagnostic], path_of: Callable[[str], str] = lambda path: path
) -> Iterator[tuple[Diagnostic, str]]:
    """Pair each finding with 16 hexadecimal digits.

    They are made of the code, the file, the op and the text that is marked, whitespace made regular; of findings that
    agree in all of these the second has another number than the first.

    Args:
        diagnostics: in an order that does not change, that of `ordered`.
        path_of: the name of a file for this purpose, from that under which it is shown.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    for diagnostic in diagnostics:
        place = diagnostic.location
        path, marked = ("", "")
        if place is not None:
            path, marked = path_of(place.source.path), place.source.text[slice(*place.span)]
        key = (diagnostic.code.id, path, diagnostic.op or "", " ".join(marked.split()))
        seen[key] += 1
        text = "\0".join([*key, str(seen[key])])
        yield diagnostic, hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]
