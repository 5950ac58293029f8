"""The manifest as a ``meson.build``, which compiles and installs the library: ``subdir()`` takes it in.

It stands in the source tree and its paths are relative, so that it can be committed, or be part of an sdist, with what was
generated beside it; then a build needs no opgen. The Python files of the package are copied to where its binaries are made, since
an editable install of meson-python leaves each file where Meson has it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from opgen.build.plan import COMPILER_FLAGS
from opgen.integrations.manifest import ALL_UNITS, Manifest, ManifestBinary
from opgen.records import dataclass
from opgen.targets.templates import render

MESON_FILE = "meson.build"


@dataclass(frozen=True, slots=True)
class MesonBinary:
    """One library. What holds the schema hash is apart, so that a changed op compiles nothing else anew.

    Attributes:
        name: of the library, and ``facts``, of what is apart.
        units: sources, and ``whole``, those of what is apart.
        macros: options of the compiler, and ``libraries``, of the linker.
        standard: the language.
    """

    name: str
    facts: str
    units: tuple[str, ...]
    whole: tuple[str, ...]
    macros: tuple[str, ...]
    libraries: tuple[str, ...]
    standard: str


@dataclass(frozen=True, slots=True)
class MesonView:
    """The project; all texts are quoted as Meson has them.

    Attributes:
        flags: of the compiler.
        inputs: what it is made of.
        binaries: the libraries.
        include: the folder of the headers, and ``root``, that of ``ops.yaml``.
        schema_hash: the header with it.
        place: where libraries are installed.
        python: places, their files, and whether they have to be beside the libraries.
    """

    flags: tuple[str, ...]
    inputs: tuple[str, ...]
    binaries: tuple[MesonBinary, ...]
    include: str
    root: str
    schema_hash: str
    place: str
    python: tuple[tuple[str, tuple[str, ...], bool], ...]


def as_meson(manifest: Manifest, folder: Path) -> str:
    """Return the text for a ``meson.build`` in ``folder``. Kernels in CUDA are left out."""

    def relative(path: str) -> str:
        return quoted_for_meson(Path(os.path.relpath(path, folder)).as_posix())

    # Meson has options of its own for the language and for how much is optimised.
    flags = (flag for flag in COMPILER_FLAGS if not flag.startswith(("-std", "-fPIC", "-O")))
    view = MesonView(
        flags=tuple(map(quoted_for_meson, flags)),
        inputs=tuple(map(relative, manifest.inputs)),
        binaries=tuple(_binary(manifest, each, relative) for each in manifest.binaries if each.language == "CXX"),
        include=relative(manifest.include),
        root=relative(manifest.root),
        schema_hash=quoted_for_meson(Path(manifest.schema_hash).name),
        place=quoted_for_meson(manifest.place),
        python=tuple(
            (quoted_for_meson(place), tuple(map(relative, sorted(sources))), place == manifest.place)
            for place, sources in manifest.python_by_folder.items()
        ),
    )
    return render("emit/meson.build.j2", view)


def _binary(manifest: Manifest, binary: ManifestBinary, relative: Callable[[str], str]) -> MesonBinary:
    name = binary.name.removeprefix("lib")
    is_classic = binary.abi == "classic"
    macros = [] if is_classic else [f"-DTORCH_TARGET_VERSION={manifest.target_version}"]
    libraries = ["-ltorch_cpu", *(["-lc10"] if is_classic else [])]
    return MesonBinary(
        name=quoted_for_meson(name),
        facts=quoted_for_meson(f"{name}_facts"),
        units=tuple(relative(path) for key, paths in binary.units.items() for path in paths if key != ALL_UNITS),
        whole=tuple(map(relative, binary.units.get(ALL_UNITS, ()))),
        macros=tuple(map(quoted_for_meson, macros)),
        libraries=tuple(map(quoted_for_meson, libraries)),
        standard="c++20" if is_classic else "c++17",  # the headers of torch 2.14 can't be read as C++17
    )


def quoted_for_meson(text: str) -> str:
    """Return a text as a string of Meson (https://mesonbuild.com/Syntax.html#strings), which ends at no line break."""
    for written, escaped in (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(written, escaped)
    return f"'{text}'"
