"""What a build system has to know of a library: what is made of what, compiled into which binary, and installed where.

A description by itself: CMake reads it as its own statements, anything else as JSON. All paths are absolute, but for
those that name a place in the package.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from opgen.build.layout import Binary, Layout
from opgen.emit.file_set import FileSet
from opgen.emit.paths import OUTPUT_FOLDER
from opgen.model.op import Library
from opgen.records import dataclass
from opgen.targets.cpp.library import INCLUDE_FOLDER
from opgen.targets.python.place import folder

SCHEMA_HASH_HEADER = "schema_hash.h"
"""Where ``schema_hash_header`` goes, relative to the output."""

ALL_UNITS = "ALL"
"""The key of units that belong to the whole library."""


@dataclass(frozen=True, slots=True)
class ManifestBinary:
    """One shared library.

    Attributes:
        suffix: what tells it from the others: empty, ``_cuda``, ``_classic`` or ``_define``.
        name: of its file, without the extension.
        language: ``CXX``, or ``CUDA`` where some unit is.
        abi: ``stable`` or ``classic``.
        units: dispatch key -> files to compile; ``ALL`` for those that belong to the whole library and need the
            header ``schema_hash`` in front.
    """

    suffix: str
    name: str
    language: str
    abi: str
    units: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Manifest:
    """The whole library.

    Attributes:
        package: the Python package, ``acme.ops``.
        place: its folder below where packages are installed, ``acme/ops``.
        torch: the oldest torch that it loads on, ``2.10``.
        target_version: the macro ``TORCH_TARGET_VERSION`` of units for the stable ABI.
        schema_hash: a header that defines the macro ``OPGEN_SCHEMA_HASH``; so the manifest stays the same while the
            files do.
        root: the folder of ``ops.yaml``, in which units look for kernels.
        include: the folder of the generated headers.
        folder: the package, as it was generated.
        inputs: the declaration and what it includes.
        outputs: all that is generated.
        binaries: what is compiled; they stand in the package.
        python: what is installed beside them: file -> place.
    """

    package: str
    place: str
    torch: str
    target_version: str
    schema_hash: str
    root: str
    include: str
    folder: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    binaries: tuple[ManifestBinary, ...]
    python: Mapping[str, str]

    @property
    def python_by_folder(self) -> dict[str, list[str]]:
        """The files of ``python`` by the folder that they are installed into, sorted by that."""
        folders: dict[str, list[str]] = {}
        for source, place in self.python.items():
            folders.setdefault(posixpath.dirname(place), []).append(source)
        return dict(sorted(folders.items()))


def manifest_of(library: Library, files: FileSet, layout: Layout, root: Path, output: Path) -> Manifest:
    """Describe a library that stands in ``root`` and is generated into ``output``."""

    def placed(path: str) -> str:
        return (output / path).as_posix()

    package = folder(library)
    made = sorted(file.path for file in files.files if not file.once)
    python = {placed(path): path for path in made if path.startswith(f"{package}/") and _is_python(path)}
    python |= {(root / source).as_posix(): copy for source, copy in layout.copies}
    return Manifest(
        package=library.package,
        place=_installed(package),
        torch=".".join(map(str, library.spec.torch)),
        target_version=layout.target_version,
        schema_hash=placed(SCHEMA_HASH_HEADER),
        root=root.as_posix(),
        include=placed(INCLUDE_FOLDER),
        folder=placed(package),
        inputs=tuple(sorted(Path(path).resolve().as_posix() for path in library.spec.files)),
        outputs=tuple(map(placed, made)),
        binaries=tuple(_binary(binary, output) for binary in layout.binaries),
        python={source: _installed(path) for source, path in python.items()},
    )


def schema_hash_header(layout: Layout) -> str:
    """Return the text of a header for units that belong to the whole library."""
    return f'#define OPGEN_SCHEMA_HASH "{layout.schema_hash}"\n'


def as_json(manifest: Manifest) -> str:
    """Return it for tools; the same manifest is the same text."""
    return json.dumps(asdict(manifest), indent=1) + "\n"


def as_cmake(manifest: Manifest) -> str:
    """Return it as statements that set variables named ``OPGEN_...``."""
    return "".join(_statements(manifest))


def _is_python(path: str) -> bool:
    return path.endswith((".py", ".pyi", "/py.typed"))


def _installed(path: str) -> str:
    return path.removeprefix(f"{OUTPUT_FOLDER}/")


def _binary(binary: Binary, output: Path) -> ManifestBinary:
    units: dict[str, list[str]] = {}
    for unit in binary.units:
        key = unit.kernel.dispatch_key if unit.kernel else ALL_UNITS
        units.setdefault(key, []).append((output / unit.path).as_posix())
    return ManifestBinary(
        suffix=binary.suffix,
        name=Path(binary.path).stem,
        language="CUDA" if binary.is_cuda else "CXX",
        abi="classic" if binary.is_classic else "stable",
        units={key: tuple(paths) for key, paths in sorted(units.items())},
    )


def _statements(manifest: Manifest) -> Iterator[str]:
    for name in ("package", "place", "torch", "target_version", "schema_hash", "root", "include", "folder"):
        yield _set(name, [getattr(manifest, name)])
    yield _set("inputs", manifest.inputs)
    yield _set("outputs", manifest.outputs)
    yield _set("binaries", [binary.name for binary in manifest.binaries])
    for binary in manifest.binaries:
        for name in ("suffix", "language", "abi"):
            yield _set(f"{binary.name}_{name}", [getattr(binary, name)])
        yield _set(f"{binary.name}_keys", binary.units)
        for key, paths in binary.units.items():
            yield _set(f"{binary.name}_units_{key}", paths)
    places = manifest.python_by_folder
    yield _set("python_places", places)
    for place, sources in places.items():
        yield _set(f"python_{place}", sources)


def _set(name: str, values: Iterable[str]) -> str:
    """Return one statement; a list where there are several values."""
    words = [quoted_for_cmake(value) for value in values]
    separator = " " if len(words) == 1 else "\n  "
    return f"set({separator.join([f'OPGEN_{name}', *words])})\n"


def quoted_for_cmake(text: str) -> str:
    """Quote a text as CMake's manual, "Quoted Argument", asks; a semicolon would split a list."""
    for character in '\\"$;':
        text = text.replace(character, f"\\{character}")
    return f'"{text}"'
