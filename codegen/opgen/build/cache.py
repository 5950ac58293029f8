"""A cache of results between runs, one file for each, in the user's cache folder.

Problems with the folder or its files only cost time: an unreadable entry counts as missing, and an entry that can't be
written is dropped. A file is replaced atomically, so that several processes may write it at once.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import time
from pathlib import Path

from opgen import __version__
from opgen.build.own_files import own_files
from opgen.records import dataclass

FOLDER_VARIABLE = "OPGEN_CACHE_DIR"
_PREFIX = "result-"
_MONTH = 30 * 24 * 3600  # seconds
_DEPENDENCIES = ("lark", "pyyaml", "tree_sitter")


def default_folder() -> Path:
    """Return ``OPGEN_CACHE_DIR``, or else ``opgen`` in the cache folder of the XDG Base Directory Specification."""
    if named := os.environ.get(FOLDER_VARIABLE):
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "opgen/cache"
    base = os.environ.get("XDG_CACHE_HOME", "")  # the specification ignores a relative path
    try:
        return (Path(base) if base.startswith("/") else Path.home() / ".cache") / "opgen"
    except RuntimeError:  # a user without home folder, as in containers: nothing is cached
        return Path(os.devnull) / "opgen"


@dataclass(frozen=True, slots=True)
class Cache:
    """Texts by key.

    Attributes:
        folder: the cache folder, which need not exist.
    """

    folder: Path

    def read(self, key: str) -> str | None:
        """Return the text under a key, ``None`` if there is none."""
        try:
            content = self._file(key).read_bytes()
        except OSError:
            return None
        digest, _, text = content.partition(b"\n")
        return text.decode("utf-8", "replace") if _digest(text) == digest else None

    def write(self, key: str, text: str) -> None:
        """Store a text, and remove texts that weren't rewritten for a month."""
        file = self._file(key)
        content = text.encode("utf-8")
        temporary = file.with_name(f"{file.name}.{os.getpid()}")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(_digest(content) + b"\n" + content)
            temporary.replace(file)
            self._drop_old(time.time() - _MONTH)
        except OSError:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)

    def _file(self, key: str) -> Path:
        return self.folder / f"{_PREFIX}{hashlib.sha256(key.encode('utf-8', 'surrogateescape')).hexdigest()}"

    def _drop_old(self, since: float) -> None:
        with os.scandir(self.folder) as entries:
            for entry in entries:
                if entry.name.startswith(_PREFIX) and entry.stat().st_mtime < since:
                    Path(entry.path).unlink(missing_ok=True)


def versions() -> str:
    """Return a text that identifies this opgen, its Python and its parsers.

    opgen's own files are part of it by size and time stamp, so that a changed source invalidates the cache.
    """
    parts = [__version__, sys.version, *_installed()]
    for path in own_files():
        facts = os.stat(path)  # noqa: PTH116 - hundreds of files: Path objects would double the time
        parts.append(f"{path} {facts.st_size} {facts.st_mtime_ns}")
    return "\n".join(parts)


def _installed() -> list[str]:
    """Return the versions of the parsers as their metadata folders, ``lark-1.2.2.dist-info``."""
    found = []
    for place in sys.path:
        with contextlib.suppress(OSError):
            found += [name for name in os.listdir(place or ".") if name.lower().startswith(_DEPENDENCIES)]  # noqa: PTH208 - names only
    return sorted(found)


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode("ascii")
