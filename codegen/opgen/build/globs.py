"""Patterns of paths, as ``.gitignore`` and ruff read them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import PurePath

_PIECES = re.compile(r"(?P<folders>(?:(?<=/)|^)\*\*/)|(?P<all>\*\*)|(?P<some>\*)|(?P<one>\?)|(?P<set>\[!?[^\]/]+\])")


def matches(pattern: str, path: PurePath) -> bool:
    """Whether a pattern means a path or a folder that it lies in.

    ``*`` and ``?`` stop at a slash, ``**`` does not; a pattern without a slash means the name at any depth.

    Args:
        pattern: with forward slashes, relative to the folder that ``path`` is relative to.
        path: of a file.
    """
    written = pattern.strip("/").removeprefix("./")
    regular = _regular(written)
    whole = (path, *path.parents)
    if "/" not in written and not pattern.startswith("/"):
        return any(regular.fullmatch(one.name) for one in whole)
    return any(regular.fullmatch(one.as_posix()) for one in whole)


@cache
def _regular(pattern: str) -> re.Pattern[str]:
    parts, end = [], 0
    for piece in _PIECES.finditer(pattern):
        parts.append(re.escape(pattern[end : piece.start()]))
        parts.append(_meaning(piece))
        end = piece.end()
    return re.compile("".join([*parts, re.escape(pattern[end:])]), re.DOTALL)


def _meaning(piece: re.Match[str]) -> str:
    match piece.lastgroup:
        case "folders":
            return "(?:.*/)?"
        case "all":
            return ".*"
        case "some":
            return "[^/]*"
        case "one":
            return "[^/]"
        case _:
            return piece[0].replace("[!", "[^").replace("\\", "\\\\")
