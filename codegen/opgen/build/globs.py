"""Patterns of paths, as ``.gitignore`` and ruff read them."""

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
    """Whether a pattern means a path or a folder that it lies in.

    ``*`` and ``?`` stop at a slash, ``**`` does not; a pattern without a slash means the name at any depth.

    Args:
        pattern: with forward slashes, relative to the folder that ``path`` is relative to.
        path: of a file.
    """
    return any(_means(pattern, one) for one in (path, *path.parents))


def excluder(patterns: Sequence[str], root: Path) -> Callable[[Path], bool]:
    """Return what says of a file or folder that is met in a folder whether patterns, relative to ``root``, leave it out.

    The folders that it lies in are not asked again: one that is named is read whatever its name, and where it lies.
    """

    def is_excluded(path: Path) -> bool:
        seen = relative(path, root)
        return any(_means(pattern, seen) for pattern in patterns)

    return is_excluded


def relative(path: Path, root: Path) -> Path:
    """Return a path as seen from a folder, as it is where it lies elsewhere."""
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
    """Return the regular expression of ``[a-c]``; what is none, such as ``[c-a]``, means itself."""
    is_negated = written.startswith("[!")
    characters = _SPECIAL.sub(r"\\\g<0>", written[1 + is_negated : -1])
    regular = f"(?!/)[{'^' * is_negated}{characters}]"
    try:
        re.compile(regular)
    except re.error:
        return re.escape(written)
    return regular
