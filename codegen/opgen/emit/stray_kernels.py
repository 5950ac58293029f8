"""Warns about kernel files whose op was removed, or was renamed while the file was not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path

from opgen.diagnostics import Diagnostic
from opgen.emit import codes
from opgen.emit.file_set import ChangeKind, Comparison
from opgen.source import Location, Source, Span
from opgen.spec.yaml import shown_path

_OF_ONE_OP = re.compile(r"(?:.*/)?generated/(?:csrc/units/(?:classic/)?(\w+/\w+)\.(?:cpp|cu)|tests/test_(\w+)\.py)")
"""Matches the paths of units, one for each compiled kernel, and of tests, one for each op."""

_GONE = "delete the file, or declare an op for it; opgen leaves it alone, and will not mention it again"


def stray_kernels(root: Path, comparison: Comparison) -> Iterator[Diagnostic]:
    """Yield a warning for each file in `kernels/` that belongs to no op and isn't included by a kernel.

    Args:
        root: the project.
        comparison: the comparison, which tells the new skeletons and removed files; it may have been written already.
    """
    found = {diagnostic.location: diagnostic for diagnostic in _renamed(root, comparison)}
    yield from found.values()
    said = {location.source.path for location in found if location is not None}
    yield from (diagnostic for path, diagnostic in _abandoned(root, comparison) if path not in said)


def _abandoned(root: Path, comparison: Comparison) -> Iterator[tuple[str, Diagnostic]]:
    """Yield the kernels whose unit or test this run removes, so that each is reported in one run only."""
    gone = {
        match[1] or f"*/{match[2]}"
        for change in comparison.changes
        if change.kind is ChangeKind.ORPHAN and (match := _OF_ONE_OP.fullmatch(change.path))
    }
    owned = {change.path for change in comparison.changes if change.is_kernel}
    emitted = [change.new for change in comparison.changes if change.new and "/csrc/units/" in change.path]
    files = {path for name in gone for suffix in ("cpp", "cu", "py") for path in root.glob(f"kernels/{name}.{suffix}")}
    for path in sorted(files):
        shown, text = path.relative_to(root).as_posix(), _text(path)
        if shown in owned or text is None or any(f'"{shown}"'.encode() in unit for unit in emitted):
            continue
        others = (_text(other) for other in path.parent.rglob("*.*") if other != path)
        if not _is_included(path.name, filter(None, others)):
            place = Location(Source(shown_path(path), text), Span(0, 0))
            yield shown_path(path), Diagnostic(codes.STRAY_KERNEL, f"'{shown}' belongs to no op any more", place, _GONE)


def _renamed(root: Path, comparison: Comparison) -> Iterator[Diagnostic]:
    """Yield a warning for each kernel without op in the folders of new skeletons.

    Args:
        root: the project.
        comparison: the comparison, which tells the new skeletons; it may have been written already.
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
