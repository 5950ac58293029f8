"""Precompiled headers: what all units of an ABI include, torch's headers above all, takes over half of the time of each."""

from __future__ import annotations

from opgen.build.layout import Layout, Unit
from opgen.emit.paths import WORK_FOLDER
from opgen.model.op import Library
from opgen.records import dataclass
from opgen.spec.library import Abi
from opgen.targets.cpp.library import LibraryView

_FEWEST = 8
"""It takes as long as two units, before all others, and saves half of one each."""


@dataclass(frozen=True, slots=True)
class Precompiled:
    """A header that the units of one ABI include first; compilers then take what it was ``compiled`` to, beside it.

    Attributes:
        abi: whose units.
        text: its content.
    """

    abi: Abi
    text: str

    @property
    def header(self) -> str:
        """Its path."""
        return f"{WORK_FOLDER}/precompiled/{self.abi}.h"

    @property
    def compiled(self) -> str:
        """What it is compiled to."""
        return f"{self.header}.gch"

    def serves(self, unit: Unit) -> bool:
        """Whether a unit includes it: one of an op, and not nvcc's."""
        return unit.op is not None and not unit.is_cuda and unit.is_classic == (self.abi == "classic")


def precompiled_headers(library: Library, layout: Layout) -> tuple[Precompiled, ...]:
    """Return those that pay."""
    view = LibraryView.of(library)
    includes = f"#include <{view.folder}/support.h>\n#include <{view.folder}/unit.h>\n"
    macro = f"#define {view.classic_macro}\n" if len(view.abis) > 1 else ""
    headers = (Precompiled(abi, f"{macro if abi == 'classic' else ''}{includes}") for abi in view.abis)
    return tuple(header for header in headers if sum(map(header.serves, layout.units)) >= _FEWEST)
