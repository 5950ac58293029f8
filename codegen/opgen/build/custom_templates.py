"""Reports mistakes in a project's own templates, and lists the template files to watch for changes."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from jinja2 import TemplateError, TemplateSyntaxError

from opgen.build.codes import CUSTOM_TEMPLATE, UNUSED_TEMPLATE
from opgen.diagnostics import Diagnostic
from opgen.source import Location, Source, Span
from opgen.spec.yaml import shown_path
from opgen.targets.custom import CUSTOM_FOLDER
from opgen.targets.templates import templates_folder

_NEVER_REPLACED = ("bench/", "emit/", "init/", "setuptools/")
"""Folders of templates for other things than a generated library, which a project can't replace."""


def template_mistake(error: Exception, folder: Path | None) -> Diagnostic | None:
    """Return the diagnostic for an exception during rendering; ``None`` if the mistake is opgen's own."""
    place = _place(error)
    if folder is None or place is None or not place[0].is_relative_to(folder):
        return None
    file, line = place
    source = Source(shown_path(file), file.read_text(encoding="utf-8", errors="replace"))
    lines = source.text.split("\n")
    start = sum(len(before) + 1 for before in lines[: line - 1])
    location = Location(source, Span(start, start + len(lines[line - 1])))
    reason = error.message if isinstance(error, TemplateError) else f"{type(error).__name__}: {error}"
    return Diagnostic(CUSTOM_TEMPLATE, f"the template fails: {reason}", location, CUSTOM_TEMPLATE.remedy)


def unused_templates(folder: Path | None) -> Iterator[Diagnostic]:
    """Yield warnings for templates that replace none of opgen's and that no other template includes or extends."""
    if folder is None:
        return
    own = templates_folder()
    known = [path.relative_to(own).as_posix() for path in own.rglob("*.j2")]
    names = [name for name in known if not name.startswith(_NEVER_REPLACED)]
    texts = {path: path.read_text("utf-8", "replace") for path in sorted(folder.rglob("*.j2")) if path.is_file()}
    for path, text in texts.items():
        name = path.relative_to(folder).as_posix()
        if name not in names and not any(name in other for other in texts.values()):
            close = get_close_matches(name, names, 1)
            remedy = f"did you mean '{close[0]}'?" if close else UNUSED_TEMPLATE.remedy
            place = Location(Source(shown_path(path), text), Span(0, 0))
            message = f"opgen's '{name}' can't be replaced" if name in known else f"opgen has no template '{name}'"
            yield Diagnostic(UNUSED_TEMPLATE, message, place, remedy)


def watched_templates(root: Path) -> Iterator[str]:
    """Yield a project's templates and their folders, whose time stamps show added and removed files."""
    folder = root / CUSTOM_FOLDER
    yield from (str(path) for path in (folder, *folder.rglob("*")) if path.exists())


def _place(error: Exception) -> tuple[Path, int] | None:
    """Return file and line of a mistake in a template, which Jinja2 puts into the exception's traceback."""
    if isinstance(error, TemplateSyntaxError):
        return (Path(error.filename), error.lineno) if error.filename else None
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.endswith(".j2")]
    return (Path(frames[-1].filename), frames[-1].lineno or 1) if frames else None
