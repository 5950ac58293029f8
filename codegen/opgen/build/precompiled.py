"""A precompiled header for units on the classic ABI: ATen's headers take half of the time of each."""

from __future__ import annotations

from opgen.build.layout import Layout
from opgen.emit.paths import WORK_FOLDER
from opgen.model.op import Library
from opgen.targets.cpp.library import LibraryView

HEADER = f"{WORK_FOLDER}/precompiled/classic.h"
"""What units include first; compilers then take ``COMPILED`` beside it."""

COMPILED = f"{HEADER}.gch"
_FEWEST = 8
"""It takes as long as two units, before all others, and saves half of one each."""


def precompiled_header(library: Library, layout: Layout) -> str | None:
    """Return the text of the header: what every unit includes; ``None`` where it would not pay."""
    if sum(unit.is_classic for unit in layout.units) < _FEWEST:
        return None
    view = LibraryView.of(library)
    macro = f"#define {view.classic_macro}\n" if len(view.abis) > 1 else ""
    return f"{macro}#include <{view.folder}/support.h>\n#include <{view.folder}/unit.h>\n"
