"""Formats declarations; a new text is only used if it is proved to have the same meaning."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from opgen.build.fmt.codes import UNPROVED_LAYOUT
from opgen.build.fmt.layout import render
from opgen.build.fmt.proof import have_the_same_comments, say_the_same
from opgen.build.fmt.read import read
from opgen.build.fmt.style import styled
from opgen.diagnostics import Diagnostic
from opgen.records import dataclass
from opgen.source import Location, Source, Span, Text
from opgen.spec.includes import ProjectFiles
from opgen.spec.library_keys import INCLUDE_KEY
from opgen.spec.report import Report
from opgen.spec.yaml import Mapping, Node, read_source
from opgen.spec.yaml.composer import compose


@dataclass(frozen=True, slots=True)
class Formatted:
    """A file and its canonical text, which is the unchanged text if the file has mistakes."""

    source: Source
    text: str

    @property
    def is_changed(self) -> bool:
        """Whether the canonical text differs from the file."""
        return self.text != self.source.text


def format_library(path: Path) -> tuple[list[Formatted], list[Diagnostic]]:
    """Format a declaration and the files that it includes, as far as they can be read; return diagnostics as well."""
    formatted: list[Formatted] = []
    diagnostics: list[Diagnostic] = []
    files = ProjectFiles(path)
    for file in files.paths:  # `include` appends to it
        source, found = read_source(file)
        diagnostics += found
        if source is None:
            continue
        node, found = compose(source)
        text, unproved = (source.text, []) if node is None or found else _format(source, node)
        formatted.append(Formatted(source, text))
        diagnostics += [*found, *unproved]
        for written in _includes(node):
            diagnostics += files.include(written, file.parent)[1]
    return formatted, diagnostics


def format_source(source: Source) -> tuple[Formatted, list[Diagnostic]]:
    """Format one text without the files that it includes; return diagnostics as well."""
    node, found = compose(source)
    if node is None or found:
        return Formatted(source, source.text), found
    text, unproved = _format(source, node)
    return Formatted(source, text), unproved


def _includes(node: Node | None) -> Sequence[Text]:
    pairs = node.pairs if isinstance(node, Mapping) else ()
    value = next((pair.value for pair in pairs if pair.key.text.value == INCLUDE_KEY.name), None)
    return (value and INCLUDE_KEY.form.read(value, Report())) or ()


def _format(source: Source, node: Node) -> tuple[str, list[Diagnostic]]:
    """Return the text of a valid YAML file laid out, and diagnostics; its lines end as its first one does."""
    document = read(source.text.replace("\r\n", "\n"))
    if document is None:
        return source.text, []
    text = render(styled(document))
    if "\r\n" in source.text.partition("\n")[0] + "\n":
        text = text.replace("\n", "\r\n")
    after, found = compose(Source(source.path, text))
    if found or after is None or not say_the_same(node, after):
        return source.text, [_unproved(source, "it would not say the same")]
    again = read(text.replace("\r\n", "\n"))
    if again is None or not have_the_same_comments(document, again):
        return source.text, [_unproved(source, "it would lack a comment")]
    return text, []


def _unproved(source: Source, reason: str) -> Diagnostic:
    message = f"can't format '{source.path}': {reason}"
    return Diagnostic(UNPROVED_LAYOUT, message, Location(source, Span(0, 0)), UNPROVED_LAYOUT.remedy)
