"""What goes wrong in a template of a project's own, as a finding with its place; and the files to watch for changes."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from pathlib import Path

from jinja2 import TemplateError, TemplateSyntaxError

from opgen.build.codes import CUSTOM_TEMPLATE
from opgen.diagnostics import Diagnostic
from opgen.source import Location, Source, Span
from opgen.spec.yaml import shown_path
from opgen.targets.custom import CUSTOM_FOLDER


def template_mistake(error: TemplateError, folder: Path | None) -> Diagnostic | None:
    """Return the finding; ``None`` where the template is opgen's own, and so the mistake."""
    place = _place(error)
    if folder is None or place is None or not place[0].is_relative_to(folder):
        return None
    file, line = place
    source = Source(shown_path(file), file.read_text(encoding="utf-8", errors="replace"))
    lines = source.text.split("\n")
    start = sum(len(before) + 1 for before in lines[: line - 1])
    location = Location(source, Span(start, start + len(lines[line - 1])))
    return Diagnostic(CUSTOM_TEMPLATE, f"the template fails: {error.message}", location, CUSTOM_TEMPLATE.remedy)


def watched_templates(root: Path) -> Iterator[str]:
    """Yield the templates of a project and their folders, whose time stamps tell of files that came or went."""
    folder = root / CUSTOM_FOLDER
    yield from (str(path) for path in (folder, *folder.rglob("*")) if path.exists())


def _place(error: TemplateError) -> tuple[Path, int] | None:
    """Return where a template is wrong; Jinja2 puts the lines of templates that were being rendered into the traceback."""
    if isinstance(error, TemplateSyntaxError):
        return (Path(error.filename), error.lineno) if error.filename else None
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.endswith(".j2")]
    return (Path(frames[-1].filename), frames[-1].lineno or 1) if frames else None
