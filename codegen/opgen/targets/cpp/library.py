"""The C++ files that a library has once: the shared headers, and for each ABI the unit with the schema hash."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from opgen.model.op import Library
from opgen.records import dataclass
from opgen.spec.library import Abi
from opgen.targets.output import OutputFile
from opgen.targets.templates import render

INCLUDE_FOLDER = "generated/csrc"
UNITS_FOLDER = f"{INCLUDE_FOLDER}/units"
_HEADERS = (
    "checks/messages.h",
    "checks/sizes.h",
    "checks/tensors.h",
    "checks/arguments.h",
    "checks/checker.h",
    "support.h",
    "unit.h",
)
CUDA_HEADER = "cuda.h"
_EXPRESSION_HEADERS = (
    "maths/arithmetic.h",
    "maths/wide.h",
    "maths/powers.h",
    "maths/trigonometry.h",
    "maths/activations.h",
    "points/instructions.h",
    "points/types.h",
    "points/space.h",
    "points/elements.h",
    "points/reductions.h",
    "points/tile.h",
)
_DEVICE_HEADERS = (
    "device/space.h",
    "device/elements.h",
    "device/maths.h",
    "device/reductions.h",
    "device/walk.h",
)
SHARED_HEADERS = (
    *_HEADERS,
    CUDA_HEADER,
    *_EXPRESSION_HEADERS,
    *_DEVICE_HEADERS,
    *(f"abi_{abi}.h" for abi in get_args(Abi)),
)


@dataclass(frozen=True, slots=True)
class LibraryView:
    """The names that every file of a library uses.

    Attributes:
        namespace: the library's C++ namespace, which holds the shared code.
        package: the Python package.
        abis: the ABIs that kernels are compiled for, sorted.
    """

    namespace: str
    package: str
    abis: tuple[Abi, ...]

    @property
    def identifier(self) -> str:
        """The package as an identifier, in exported symbols."""
        return self.package.replace(".", "_")

    @property
    def folder(self) -> str:
        """The folder of the headers, as an ``#include`` spells it."""
        return self.package.replace(".", "/")

    @property
    def classic_macro(self) -> str:
        """The macro that units for the classic ABI define, where there are units for both."""
        return f"{self.identifier.upper()}_ABI_CLASSIC"

    @staticmethod
    def of(library: Library) -> LibraryView:
        """Collect the names of a library."""
        return LibraryView(library.namespace, library.package, library.abis)


def library_files(library: Library) -> Iterator[OutputFile]:
    """Emit the shared headers and, for each ABI, the unit with the schema hash."""
    view = LibraryView.of(library)
    has_cuda = any(kernel.kind == "cuda" for op in library.ops for kernel in op.kernels)
    has_expressions = any(kernel.kind == "cpp" for op in library.ops if op.program for kernel in op.kernels)
    on_device = any(kernel.kind == "cuda" for op in library.ops if op.program for kernel in op.kernels)
    wanted = [
        *([CUDA_HEADER] if has_cuda else []),
        *(_DEVICE_HEADERS if on_device else ()),
        *(_EXPRESSION_HEADERS if has_expressions else ()),
    ]
    for header in (*_HEADERS, *wanted, *(f"abi_{abi}.h" for abi in view.abis)):
        yield OutputFile(f"{INCLUDE_FOLDER}/{view.folder}/{header}", render(f"cpp/{header}.j2", view))
    for abi in view.abis:
        yield OutputFile(facts_path(abi), render(f"cpp/library_{abi}.cpp.j2", view))


def facts_path(abi: Abi) -> str:
    """Return the path of the unit with the schema hash."""
    return f"{units_folder(abi)}/library.cpp"


def units_folder(abi: Abi) -> str:
    """Return the folder of the units of one binary."""
    return f"{UNITS_FOLDER}/classic" if abi == "classic" else UNITS_FOLDER
