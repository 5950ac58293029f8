"""The documentation of the generated library: a page for each declared op and its derived forms, and an index."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.op import Library
from opgen.targets.docs.index import index_file
from opgen.targets.docs.page import page_file
from opgen.targets.output import OutputFile

__all__ = ["docs_files"]


def docs_files(library: Library) -> Iterator[OutputFile]:
    """Emit the index and the page of each declared op."""
    for family in library.families.values():
        yield page_file(library, family)
    yield index_file(library)
