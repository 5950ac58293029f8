"""What is compiled and linked, with which command lines: a ninja file and a ``compile_commands.json``.

Paths of the project are relative to its folder, in which ninja runs: so they are short in messages, and a project that
is moved is not rebuilt.
"""

from __future__ import annotations

import json
import posixpath
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from opgen.build import cuda, ninja
from opgen.build.cuda import Cuda
from opgen.build.toolchain import Toolchain, Torch
from opgen.emit.file_set import FileSet
from opgen.emit.paths import WORK_FOLDER
from opgen.model.op import Library, Op
from opgen.model.tensors import Kernel
from opgen.records import dataclass
from opgen.targets.cpp.define import DEFINE_PATH
from opgen.targets.cpp.library import INCLUDE_FOLDER, UNITS_FOLDER, units_folder
from opgen.targets.cpp.unit import unit_path
from opgen.targets.python.kernels import copied_folders
from opgen.targets.python.place import folder
from opgen.targets.schema_hash import schema_hash

STUB = f"{WORK_FOLDER}/stubs/libtorch_cuda.so"
"""Linked with in place of PyTorch's own library, where that has no CUDA."""

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
        return self.path.startswith(f"{units_folder('classic')}/")

    @property
    def object(self) -> str:
        """The object file."""
        return f"{WORK_FOLDER}/obj/{self.path.removeprefix(f'{UNITS_FOLDER}/')}.o"


@dataclass(frozen=True, slots=True)
class Binary:
    """One shared library, in the generated package, which looks for it there by its name; and what it is linked of."""

    path: str
    units: tuple[Unit, ...]

    @property
    def is_cuda(self) -> bool:
        """Whether nvcc links it."""
        return any(unit.is_cuda for unit in self.units)

    @property
    def libraries(self) -> list[str]:
        """What it needs of torch beside what all do, as flags."""
        return ["-lc10"] if any(unit.is_classic for unit in self.units) else []


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole build.

    Attributes:
        units: sorted by path.
        binaries: none where no kernel is compiled.
        ninja_text: content of ``opgen.build.ninja.NINJA_FILE``.
        compile_commands: for clangd and its like.
    """

    units: tuple[Unit, ...]
    binaries: tuple[Binary, ...]
    ninja_text: str
    compile_commands: str


def binary_path(library: Library, suffix: str = "") -> str:
    """Return where a binary stands: ``generated/acme/ops/libacme_ops_cuda.so`` for the suffix ``_cuda``."""
    extension = {"darwin": "dylib", "win32": "dll"}.get(sys.platform, "so")
    return f"{folder(library)}/lib{library.package.replace('.', '_')}{suffix}.{extension}"


def plan_build(library: Library, files: FileSet, toolchain: Toolchain, root: Path) -> Plan:
    """Lay out the build of a library. ``CXXFLAGS``, ``LDFLAGS`` and ``NVCCFLAGS`` come last, so that they win."""
    units = tuple(unit for unit in _units(library, files) if not unit.is_cuda or isinstance(toolchain.cuda, Cuda))
    binaries = tuple(_binaries(library, units))
    compilers = _compilers(toolchain)
    hash_flag = [f'-DOPGEN_SCHEMA_HASH="{schema_hash(library)}"']
    has_stub = isinstance(toolchain.cuda, Cuda) and bool(toolchain.cuda.stub) and any(one.is_cuda for one in binaries)
    abi_flags = {False: _stable_flags(library), True: _classic_flags(toolchain.torch)}

    def own_flags(unit: Unit) -> list[str]:
        return [*abi_flags[unit.is_classic], *([] if unit.op else hash_flag)]

    # The depfiles leave system headers out, so a new PyTorch at the same place is noticed by its version file.
    version_file = str(toolchain.torch.version_file)
    statements = [f"builddir = {ninja.path(WORK_FOLDER)}\n", *_rules(compilers, toolchain)]
    statements += [
        ninja.build(
            unit.object,
            "compile_cuda" if unit.is_cuda else "compile",
            [unit.path],
            [version_file],
            flags=ninja.command(*own_flags(unit)),
            what=ninja.text(unit.path),
        )
        for unit in units
    ]
    for binary in binaries:
        rule = "link_cuda" if binary.is_cuda else "link"
        objects = [unit.object for unit in binary.units]
        libraries = ninja.command(*binary.libraries)
        stub = [STUB] if binary.is_cuda and has_stub else []
        statements.append(
            ninja.build(binary.path, rule, objects, stub, libraries=libraries, what=ninja.text(binary.path))
        )
    if has_stub:
        statements.append(ninja.build(STUB, "stub", [], [version_file], what=ninja.text(STUB)))
    for source, copy in _copies(library, root):
        statements.append(ninja.build(copy, "copy", [source], what=ninja.text(copy)))
    commands = [
        {
            "directory": str(root),
            "file": unit.path,
            "arguments": [*compilers[unit.is_cuda], *own_flags(unit), "-c", unit.path, "-o", unit.object],
            "output": unit.object,
        }
        for unit in units
    ]
    return Plan(units, binaries, "\n".join(statements), json.dumps(commands, indent=1) + "\n")


def _compilers(toolchain: Toolchain) -> dict[bool, list[str]]:
    """Return the command line of the C++ compiler (``False``) and of nvcc (``True``), where there is one."""
    shared = ["-I", INCLUDE_FOLDER]
    system = ["-isystem", str(toolchain.torch.folder / "include")]
    cpp = [*toolchain.compiler, *_COMPILER_FLAGS, *shared, "-iquote", ".", *system, *toolchain.flags["CXXFLAGS"]]
    if not isinstance(toolchain.cuda, Cuda):
        return {False: cpp}
    return {False: cpp, True: [toolchain.cuda.nvcc, *cuda.FLAGS, *shared, "-I", ".", *system, *toolchain.cuda.flags]}


def _rules(compilers: Mapping[bool, list[str]], toolchain: Toolchain) -> Iterator[str]:
    # An undefined symbol is an error here, not at import.
    complete = ["-z", "defs"] if sys.platform == "linux" else []
    libraries = ["-L", str(toolchain.torch.folder / "lib"), "-ltorch_cpu"]
    links = [
        (
            "",
            [*toolchain.compiler, "-shared", *([f"-Wl,{','.join(complete)}"] if complete else []), "-o"],
            "@",
            [*libraries, *toolchain.flags["LDFLAGS"]],
        )
    ]
    if isinstance(toolchain.cuda, Cuda):
        # torch has loaded a CUDA runtime; a second one, linked statically, would know nothing of its streams.
        nvcc = [toolchain.cuda.nvcc, "-shared", "--cudart=shared", *(f"-Xlinker={word}" for word in complete), "-o"]
        stub = ["-L", posixpath.dirname(STUB)] if toolchain.cuda.stub else []
        links.append(("_cuda", nvcc, "-optf ", [*libraries, *stub, "-ltorch_cuda"]))
    for suffix, link, response, rest in links:
        yield ninja.rule(
            f"compile{suffix}",
            f"{ninja.command(*compilers[bool(suffix)])} $flags -MMD -MF $out.d -c $in -o $out",
            deps="gcc",
            depfile="$out.d",
            description="$what",
        )
        yield ninja.rule(
            f"link{suffix}",
            f"{ninja.command(*link)} $out {response}$out.rsp $libraries {ninja.command(*rest)}",
            rspfile="$out.rsp",
            rspfile_content="$in",
            description="$what",
        )
    if isinstance(toolchain.cuda, Cuda) and toolchain.cuda.stub:
        # Found under this name when the binary is opened, where the real library has been loaded already.
        defined = [f"-Wl,--defsym={symbol}=0" for symbol in toolchain.cuda.stub]
        words = [*toolchain.compiler, "-shared", "-nostdlib", "-Wl,-soname,libtorch_cuda.so", *defined, "-x", "c++"]
        yield ninja.rule("stub", f"{ninja.command(*words, '/dev/null')} -o $out", description="$what")
    yield ninja.rule("copy", "cp -f $in $out", description="$what")


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
    """Yield the library, beside it one with the CUDA kernels, one for the classic ABI, and one of definitions.

    Each holds the schema hash.
    """
    stable = tuple(unit for unit in units if not unit.is_classic and unit.path != DEFINE_PATH)
    for suffix, is_cuda in (("", False), ("_cuda", True)):
        chosen = tuple(unit for unit in stable if unit.op is None or unit.is_cuda == is_cuda)
        if any(unit.is_cuda == is_cuda for unit in chosen):
            yield Binary(binary_path(library, suffix), chosen)
    if classic := tuple(unit for unit in units if unit.is_classic):
        yield Binary(binary_path(library, "_classic"), classic)
    if definitions := tuple(unit for unit in units if unit.path == DEFINE_PATH):
        yield Binary(binary_path(library, "_define"), definitions)


def _copies(library: Library, root: Path) -> Iterator[tuple[str, str]]:
    """Yield Python files beside kernels, and their places in the package."""
    for source, target in sorted(copied_folders(library).items()):
        for path in sorted((root / source).rglob("*.py")):
            name = path.relative_to(root / source).as_posix()
            yield f"{source}/{name}", f"{target}/{name}"


def _stable_flags(library: Library) -> list[str]:
    """Name the oldest torch, as ``torch/csrc/stable/version.h`` reads it: a byte each for major, minor and patch."""
    major, minor = library.spec.torch
    return [f"-DTORCH_TARGET_VERSION=0x{major:02x}{minor:02x}000000000000"]


def _classic_flags(torch: Torch) -> list[str]:
    """Choose that ABI of libstdc++ which torch was built with."""
    return [] if torch.cxx11_abi is None else [f"-D_GLIBCXX_USE_CXX11_ABI={int(torch.cxx11_abi)}"]
