"""What is compiled and linked, with which command lines: a ninja file and a ``compile_commands.json``.

Paths of the project are relative to its folder, in which ninja runs: so they are short in messages, and a project that
is moved is not rebuilt.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from opgen.build import ninja
from opgen.build.toolchain import Toolchain
from opgen.emit.file_set import FileSet
from opgen.emit.paths import WORK_FOLDER
from opgen.model.op import Library, Op
from opgen.model.tensors import Kernel
from opgen.targets.cpp.library import INCLUDE_FOLDER, UNITS_FOLDER
from opgen.targets.cpp.unit import unit_path
from opgen.targets.schema_hash import schema_hash

_COMPILER_FLAGS = (
    "-std=c++17",
    # g++ does not vectorise loops of unknown length at -O2, nor choices between values unless errno and traps of
    # floating-point operations may be forgotten, as PyTorch builds itself. No value changes.
    "-O3",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fPIC",
    "-fvisibility=hidden",
    "-Wall",
    "-Wextra",
)


@dataclass(frozen=True, slots=True)
class Unit:
    """One C++ file to compile. ``op`` and ``kernel`` are ``None`` for one that belongs to the whole library."""

    path: str
    op: Op | None = None
    kernel: Kernel | None = None

    @property
    def object(self) -> str:
        """The object file."""
        return f"{WORK_FOLDER}/obj/{self.path.removeprefix(f'{UNITS_FOLDER}/')}.o"


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole build.

    Attributes:
        units: sorted by path.
        binary: the library, in the generated package.
        ninja_text: content of ``opgen.build.ninja.NINJA_FILE``.
        compile_commands: for clangd and its like.
    """

    units: tuple[Unit, ...]
    binary: str
    ninja_text: str
    compile_commands: str


def binary_path(library: Library) -> str:
    """Return where the library stands: in its own package, which looks for it there by this name."""
    suffix = {"darwin": "dylib", "win32": "dll"}.get(sys.platform, "so")
    return f"generated/{library.package.replace('.', '/')}/lib{library.package.replace('.', '_')}.{suffix}"


def plan_build(library: Library, files: FileSet, toolchain: Toolchain, root: Path) -> Plan:
    """Lay out the build of a library. ``CXXFLAGS`` and ``LDFLAGS`` come last, so that they win."""
    units = _units(library, files)
    binary = binary_path(library)
    headers = toolchain.torch.folder / "include"
    compiler = [
        *toolchain.compiler,
        *_COMPILER_FLAGS,
        f"-DTORCH_TARGET_VERSION={_target_version(library.spec.torch)}",
        *("-I", INCLUDE_FOLDER, "-iquote", ".", "-isystem", str(headers)),
        *toolchain.flags["CXXFLAGS"],
    ]
    # An undefined symbol is an error here, not at import.
    complete = ["-Wl,-z,defs"] if sys.platform == "linux" else []
    libraries = ["-L", str(toolchain.torch.folder / "lib"), "-ltorch_cpu", *toolchain.flags["LDFLAGS"]]
    own_flags = {f"{UNITS_FOLDER}/library.cpp": [f'-DOPGEN_SCHEMA_HASH="{schema_hash(library)}"']}

    link = [*toolchain.compiler, "-shared", *complete, "-o"]
    statements = [
        f"builddir = {ninja.path(WORK_FOLDER)}\n",
        ninja.rule(
            "compile",
            f"{ninja.command(*compiler)} $flags -MMD -MF $out.d -c $in -o $out",
            deps="gcc",
            depfile="$out.d",
            description="$what",
        ),
        ninja.rule(
            "link",
            f"{ninja.command(*link)} $out @$out.rsp {ninja.command(*libraries)}",
            rspfile="$out.rsp",
            rspfile_content="$in",
            description="$what",
        ),
    ]
    # The depfiles leave system headers out, so a new PyTorch at the same place is noticed by its version file.
    version_file = str(toolchain.torch.version_file)
    for unit in units:
        flags = ninja.command(*own_flags.get(unit.path, []))
        statements.append(
            ninja.build(unit.object, "compile", [unit.path], [version_file], flags=flags, what=ninja.text(unit.path))
        )
    statements.append(ninja.build(binary, "link", [unit.object for unit in units], what=ninja.text(binary)))
    commands = [
        {
            "directory": str(root),
            "file": unit.path,
            "arguments": [*compiler, *own_flags.get(unit.path, []), "-c", unit.path, "-o", unit.object],
            "output": unit.object,
        }
        for unit in units
    ]
    return Plan(units, binary, "\n".join(statements), json.dumps(commands, indent=1) + "\n")


def _units(library: Library, files: FileSet) -> tuple[Unit, ...]:
    owners = {
        unit_path(op, kernel): (op, kernel)
        for op in library.ops
        for kernel in op.kernels
        if kernel.is_compiled and not op.is_derived
    }
    paths = sorted(f.path for f in files.files if f.path.startswith(f"{UNITS_FOLDER}/") and f.path.endswith(".cpp"))
    return tuple(Unit(path, *owners.get(path, (None, None))) for path in paths)


def _target_version(release: tuple[int, int]) -> str:
    """Return the macro's value as ``torch/csrc/stable/version.h`` reads it: a byte each for major, minor and patch."""
    major, minor = release
    return f"0x{major:02x}{minor:02x}000000000000"
