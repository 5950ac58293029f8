"""Matches paths against patterns as in ``.gitignore`` and ruff."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path, PurePath

_PIECES = re.compile(
    r"(?P<folders>(?:(?<=/)|^)\*\*/)|(?P<all>\*\*)|(?P<some>\*)|(?P<one>\?)|(?P<set>\[!?[^\]/]{1,99}\])"
)
_SPECIAL = re.compile(r"[\\\[\]^&|~]")


def matches(pattern: str, path: PurePath) -> bool:
    """Whether a pattern matches a path or one of the folders that contain it.

    ``*`` and ``?`` don't match a slash, ``**`` does; a pattern without a slash matches a name at any depth.

    Args:
        pattern: a pattern with forward slashes, relative to the same folder as ``path``.
        path: the path of a file.
    """
    return any(_means(pattern, one) for one in (path, *path.parents))


def excluder(patterns: Sequence[str], root: Path) -> Callable[[Path], bool]:
    """Return a function that tells whether patterns, relative to ``root``, exclude a file or folder found in a folder.

    The folders that contain it are not matched again, since a folder that the user names is read whatever its path.
    """

    def is_excluded(path: Path) -> bool:
        seen = relative(path, root)
        return any(_means(pattern, seen) for pattern in patterns)

    return is_excluded


def relative(path: Path, root: Path) -> Path:
    """Return a path relative to a folder, or unchanged if it is outside of the folder."""
    path, root = (Path(os.path.normpath(one.absolute())) for one in (path, root))  # "sub/../csrc" is "csrc"
    return path.relative_to(root) if path.is_relative_to(root) else path


def _means(pattern: str, path: PurePath) -> bool:
    written = pattern.strip("/").removeprefix("./")
    is_name = "/" not in written and not pattern.startswith("/")
    return bool(_regular(written).fullmatch(path.name if is_name else path.as_posix()))


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
            return _set(piece[0])


def _set(written: str) -> str:
    """Return the regular expression for ``[a-c]``; an invalid set, such as ``[c-a]``, is taken literally."""
    is_negated = written.startswith("[!")
    characters = _SPECIAL.sub(r"\\\g<0>", written[1 + is_negated : -1])
    regular = f"(?!/)[{'^' * is_negated}{characters}]"
    try:
        re.compile(regular)
    except re.error:
        return re.escape(written)
    return regular
