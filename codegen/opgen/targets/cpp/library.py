"""What the C++ of a whole library shares: the headers of support, and the unit that holds facts about the library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from opgen.model.op import Library
from opgen.targets.dtypes import SCALAR_TYPE
from opgen.targets.output import OutputFile
from opgen.targets.templates import render

INCLUDE_FOLDER = "generated/csrc"
UNITS_FOLDER = f"{INCLUDE_FOLDER}/units"
SHARED_HEADERS = ("checks.h", "checker.h", "support.h", "unit.h")


@dataclass(frozen=True, slots=True)
class LibraryView:
    """Names that every file needs.

    Attributes:
        namespace: the C++ namespace of what is shared: that of the library.
        package: the Python package.
    """

    namespace: str
    package: str

    @property
    def identifier(self) -> str:
        """The package as an identifier, in exported symbols."""
        return self.package.replace(".", "_")

    @property
    def folder(self) -> str:
        """The folder of the headers, as an ``#include`` spells it."""
        return self.package.replace(".", "/")

    @property
    def scalar_types(self) -> Mapping[str, str]:
        """Names of dtypes and the enumerators that stand for them."""
        return SCALAR_TYPE

    @staticmethod
    def of(library: Library) -> LibraryView:
        """Collect the names of a library."""
        return LibraryView(library.namespace, library.package)


def library_files(library: Library) -> Iterator[OutputFile]:
    """Emit the shared headers and ``units/library.cpp``."""
    view = LibraryView.of(library)
    for header in SHARED_HEADERS:
        yield OutputFile(f"{INCLUDE_FOLDER}/{view.folder}/{header}", render(f"cpp/{header}.j2", view))
    yield OutputFile(f"{UNITS_FOLDER}/library.cpp", render("cpp/library.cpp.j2", view))
