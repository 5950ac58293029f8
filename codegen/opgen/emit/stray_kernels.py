"""Kernel files that lost their op, most often because it was renamed while its kernel was not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path

from opgen.diagnostics import Diagnostic
from opgen.emit import codes
from opgen.emit.file_set import Comparison
from opgen.source import Location, Source, Span
from opgen.spec.yaml import shown_path


def stray_kernels(root: Path, comparison: Comparison) -> Iterator[Diagnostic]:
    """Warn of kernels of no op in the folders that get a skeleton; a file that another kernel includes is none.

    Args:
        root: the project.
        comparison: tells which skeletons are new; it does not matter whether they are written yet.
    """
    kernels = {change.path for change in comparison.changes if change.is_kernel}
    for folder in sorted({path.rpartition("/")[0] for path in comparison.new_kernels}):
        skeletons = [path for path in comparison.new_kernels if path.rpartition("/")[0] == folder]
        texts = {path: text for path in sorted((root / folder).rglob("*.*")) if (text := _text(path)) is not None}
        for path, text in texts.items():
            shown = path.relative_to(root).as_posix()
            defined = re.search(rf"\b{re.escape(path.stem)}\s*\(", text)
            if shown != f"{folder}/{path.stem}.cpp" or shown in kernels or defined is None:
                continue
            if _is_included(path.name, texts.values()):
                continue
            (new,) = get_close_matches(shown, skeletons, 1, 0)
            message = f"'{shown}' belongs to no op"
            remedy = (
                f"was '{path.stem}' renamed to '{Path(new).stem}'? "
                f"then `mv {shown} {new}`, and rename the function in it; else delete the file"
            )
            span = Span(defined.start(), defined.start() + len(path.stem))
            yield Diagnostic(codes.STRAY_KERNEL, message, Location(Source(shown_path(path), text), span), remedy)


def _is_included(name: str, texts: Iterable[str]) -> bool:
    return any(re.search(rf'#\s*include\s*["<](?:[^">\n]*/)?{re.escape(name)}[">]', text) for text in texts)


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
