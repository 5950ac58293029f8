"""The manifest as a ``CMakeLists.txt``, which compiles and installs the library: ``add_subdirectory()`` takes it in.

It is for source distributions: its paths are relative, and no opgen is needed. A project that has opgen calls ``opgen_add_library()``,
which generates anew where the declaration has changed.
"""

from __future__ import annotations

import os
from pathlib import Path

from opgen.build.plan import COMPILER_FLAGS
from opgen.integrations.manifest import ALL_UNITS, Manifest, quoted_for_cmake
from opgen.records import dataclass
from opgen.targets.templates import render

CMAKE_FILE = "CMakeLists.txt"


@dataclass(frozen=True, slots=True)
class CMakeBinary:
    """One library.

    Attributes:
        target: what it is called.
        units: its sources.
        whole: those among them that hold facts about the whole library.
        is_stable: it is for the stable ABI.
    """

    target: str
    units: tuple[str, ...]
    whole: tuple[str, ...]
    is_stable: bool


@dataclass(frozen=True, slots=True)
class CMakeProjectView:
    """The project; paths are quoted as CMake has them.

    Attributes:
        binaries: the libraries.
        include: the folder of the headers, and ``root``, that of ``ops.yaml``.
        schema_hash: the option that includes its header in front.
        flags: of the compiler.
        target_version: the oldest torch, as ``TORCH_TARGET_VERSION`` says it.
        place: where libraries are installed.
        python: the files of the package, and where they are.
    """

    binaries: tuple[CMakeBinary, ...]
    include: str
    root: str
    schema_hash: str
    flags: tuple[str, ...]
    target_version: str
    place: str
    python: tuple[tuple[str, tuple[str, ...]], ...]


def as_cmake_project(manifest: Manifest, folder: Path) -> str:
    """Return the text for a ``CMakeLists.txt`` in ``folder``. Kernels in CUDA are left out."""

    def placed(path: str) -> str:
        relative = Path(os.path.relpath(path, folder)).as_posix()
        return '"${CMAKE_CURRENT_SOURCE_DIR}/' + quoted_for_cmake(relative)[1:]

    binaries = tuple(
        CMakeBinary(
            binary.name.removeprefix("lib"),
            tuple(placed(path) for paths in binary.units.values() for path in paths),
            tuple(map(placed, binary.units.get(ALL_UNITS, ()))),
            binary.abi == "stable",
        )
        for binary in manifest.binaries
        if binary.language == "CXX"
    )
    view = CMakeProjectView(
        binaries=binaries,
        include=placed(manifest.include),
        root=placed(manifest.root),
        schema_hash=f'"-include;{placed(manifest.schema_hash)[1:]}',
        flags=tuple(flag for flag in COMPILER_FLAGS if flag.startswith("-fno-")),
        target_version=manifest.target_version,
        place=quoted_for_cmake(manifest.place),
        python=tuple(
            (quoted_for_cmake(place), tuple(map(placed, sorted(sources))))
            for place, sources in manifest.python_by_folder.items()
        ),
    )
    return render("emit/CMakeLists.txt.j2", view)
