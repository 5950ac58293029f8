"""Lists the files to compile, link and copy for a library, independently of the build system."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from opgen.emit.file_set import FileSet
from opgen.emit.paths import WORK_FOLDER
from opgen.model.kernel import Kernel
from opgen.model.op import Library, Op
from opgen.records import dataclass
from opgen.targets.cpp.define import DEFINE_PATH
from opgen.targets.cpp.library import UNITS_FOLDER, units_folder
from opgen.targets.cpp.unit import unit_path
from opgen.targets.python.kernels import copied_folders
from opgen.targets.python.place import folder
from opgen.targets.schema_hash import schema_hash


@dataclass(frozen=True, slots=True)
class Unit:
    """One file to compile. ``op`` and ``kernel`` are ``None`` for one that belongs to the whole library."""

    path: str
    op: Op | None = None
    kernel: Kernel | None = None

    @property
    def is_cuda(self) -> bool:
        """Whether nvcc compiles it."""
        return self.path.endswith(".cu")

    @property
    def is_classic(self) -> bool:
        """Whether it is for the classic ABI."""
        return self.op.abi == "classic" if self.op else self.path.startswith(f"{units_folder('classic')}/")

    @property
    def object(self) -> str:
        """The path of the object file."""
        return f"{WORK_FOLDER}/obj/{self.path.removeprefix(f'{UNITS_FOLDER}/').removeprefix(f'{WORK_FOLDER}/')}.o"


@dataclass(frozen=True, slots=True)
class Binary:
    """One shared library, which is put into the generated package, where the loader finds it by its name.

    Attributes:
        path: its path, relative to the project.
        suffix: the suffix of its name: empty, ``_cuda``, ``_classic`` or ``_define``.
        units: the units that it is linked from, sorted by path.
    """

    path: str
    suffix: str
    units: tuple[Unit, ...]

    @property
    def is_cuda(self) -> bool:
        """Whether nvcc links it."""
        return any(unit.is_cuda for unit in self.units)

    @property
    def is_classic(self) -> bool:
        """Whether it is for the classic ABI, which needs ``libc10`` too."""
        return any(unit.is_classic for unit in self.units)


@dataclass(frozen=True, slots=True)
class Layout:
    """The parts of a build; paths are relative to the project.

    Attributes:
        units: the files to compile, sorted by path.
        binaries: the shared libraries; none if no kernel is compiled.
        copies: pairs of a Python file of the author, and its copy in the package.
        schema_hash: the value of the macro ``OPGEN_SCHEMA_HASH``, for units that belong to the whole library.
        target_version: the value of the macro ``TORCH_TARGET_VERSION``, for units on the stable ABI.
    """

    units: tuple[Unit, ...]
    binaries: tuple[Binary, ...]
    copies: tuple[tuple[str, str], ...]
    schema_hash: str
    target_version: str

    def macros(self, unit: Unit) -> dict[str, str]:
        """Return the macros that a unit is compiled with."""
        macros = {} if unit.is_classic else {"TORCH_TARGET_VERSION": self.target_version}
        return macros | ({} if unit.op else {"OPGEN_SCHEMA_HASH": f'"{self.schema_hash}"'})


def lay_out_build(library: Library, files: FileSet, root: Path, *, has_cuda: bool = True) -> Layout:
    """Return the layout of a library, without its CUDA kernels if nvcc is missing."""
    units = tuple(unit for unit in _units(library, files) if has_cuda or not unit.is_cuda)
    major, minor = library.spec.torch
    return Layout(
        units=units,
        binaries=tuple(_binaries(library, units)),
        copies=tuple(_copies(library, root)),
        schema_hash=schema_hash(library),
        # Source: ``torch/csrc/stable/version.h``: a byte each for major, minor and patch.
        target_version=f"0x{major:02x}{minor:02x}000000000000",
    )


def binary_path(library: Library, suffix: str = "") -> str:
    """Return the path of a binary: ``generated/acme/ops/libacme_ops_cuda.so`` for the suffix ``_cuda``."""
    extension = {"darwin": "dylib", "win32": "dll"}.get(sys.platform, "so")
    return f"{folder(library)}/lib{library.package.replace('.', '_')}{suffix}.{extension}"


def _units(library: Library, files: FileSet) -> tuple[Unit, ...]:
    owners = {
        unit_path(op, kernel): (op, kernel)
        for op in library.ops
        for kernel in op.kernels
        if kernel.is_compiled and not op.is_derived
    }
    paths = sorted(
        f.path for f in files.files if f.path.startswith(f"{UNITS_FOLDER}/") and f.path.endswith((".cpp", ".cu"))
    )
    return tuple(Unit(path, *owners.get(path, (None, None))) for path in paths)


def _binaries(library: Library, units: Sequence[Unit]) -> Iterator[Binary]:
    """Yield the main binary, and those with CUDA kernels, for the classic ABI, and with definitions, if needed.

    Each contains the schema hash.
    """
    stable = tuple(unit for unit in units if not unit.is_classic and unit.path != DEFINE_PATH)
    for suffix, is_cuda in (("", False), ("_cuda", True)):
        chosen = tuple(unit for unit in stable if unit.op is None or unit.is_cuda == is_cuda)
        if any(unit.is_cuda == is_cuda for unit in chosen):
            yield Binary(binary_path(library, suffix), suffix, chosen)
    if classic := tuple(unit for unit in units if unit.is_classic):
        yield Binary(binary_path(library, "_classic"), "_classic", classic)
    if definitions := tuple(unit for unit in units if unit.path == DEFINE_PATH):
        yield Binary(binary_path(library, "_define"), "_define", definitions)


def _copies(library: Library, root: Path) -> Iterator[tuple[str, str]]:
    for source, target in sorted(copied_folders(library).items()):
        for path in sorted((root / source).rglob("*.py")):
            name = path.relative_to(root / source).as_posix()
            yield f"{source}/{name}", f"{target}/{name}"
