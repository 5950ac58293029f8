"""Precompiled headers, since the headers that all units of an ABI include take over half of their compile time."""

from __future__ import annotations

from opgen.build.layout import Layout, Unit
from opgen.emit.paths import WORK_FOLDER
from opgen.model.op import Library
from opgen.records import dataclass
from opgen.spec.library import Abi
from opgen.targets.cpp.library import LibraryView

_FEWEST = 8
"""The fewest units for which a precompiled header pays: it takes as long as two units, and saves half of each."""


@dataclass(frozen=True, slots=True)
class Precompiled:
    """A header that all units of one ABI include first; compilers use the ``compiled`` file beside it.

    Attributes:
        abi: the ABI of the units.
        text: the content of the header.
    """

    abi: Abi
    text: str

    @property
    def header(self) -> str:
        """The path of the header."""
        return f"{WORK_FOLDER}/precompiled/{self.abi}.h"

    @property
    def compiled(self) -> str:
        """The path of the precompiled file."""
        return f"{self.header}.gch"

    def serves(self, unit: Unit) -> bool:
        """Whether a unit includes it: a unit of an op that isn't compiled by nvcc."""
        return unit.op is not None and not unit.is_cuda and unit.is_classic == (self.abi == "classic")


def precompiled_headers(library: Library, layout: Layout) -> tuple[Precompiled, ...]:
    """Return the precompiled headers that save time: for each ABI with enough units."""
    view = LibraryView.of(library)
    includes = f"#include <{view.folder}/support.h>\n#include <{view.folder}/unit.h>\n"
    macro = f"#define {view.classic_macro}\n" if len(view.abis) > 1 else ""
    headers = (Precompiled(abi, f"{macro if abi == 'classic' else ''}{includes}") for abi in view.abis)
    return tuple(header for header in headers if sum(map(header.serves, layout.units)) >= _FEWEST)
