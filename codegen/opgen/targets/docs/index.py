"""Emits ``README.md`` of the documentation: all operators on one page."""

from __future__ import annotations

from opgen.model.op import Library
from opgen.records import dataclass
from opgen.targets.docs.place import FOLDER, page_name, plain
from opgen.targets.output import OutputFile
from opgen.targets.templates import render


@dataclass(frozen=True, slots=True)
class Entry:
    """One declared op: its page, its name and those of its derived forms, and what it does in a sentence."""

    page: str
    names: tuple[str, ...]
    contract: str
    summary: str


@dataclass(frozen=True, slots=True)
class IndexView:
    """The page."""

    package: str
    entries: tuple[Entry, ...]


def index_file(library: Library) -> OutputFile:
    """Emit the index."""
    entries = tuple(
        Entry(
            page_name(family[0]),
            tuple(op.qualified_name for op in family),
            family[0].contract.value,
            plain(family[0].doc),
        )
        for family in sorted(library.families.values(), key=lambda family: family[0].qualified_name)
    )
    return OutputFile(f"{FOLDER}/README.md", render("docs/index.md.j2", IndexView(library.package, entries)))
