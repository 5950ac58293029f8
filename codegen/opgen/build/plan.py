"""Plans a build: writes the command lines to a ninja file and a ``compile_commands.json``.

Paths in the project are relative to its folder, in which ninja runs, so that messages are short and a moved project is
not rebuilt.
"""

from __future__ import annotations

import json
import posixpath
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from opgen.build import cuda, ninja
from opgen.build.cuda import Cuda
from opgen.build.layout import Binary, Layout, Unit, lay_out_build
from opgen.build.mode import Mode
from opgen.build.precompiled import Precompiled, precompiled_headers
from opgen.build.toolchain import Toolchain
from opgen.emit.file_set import FileSet
from opgen.emit.paths import WORK_FOLDER
from opgen.model.op import Library
from opgen.records import dataclass
from opgen.targets.cpp.library import INCLUDE_FOLDER

STUB = f"{WORK_FOLDER}/stubs/libtorch_cuda.so"
"""The stub that is linked instead of ``libtorch_cuda`` if PyTorch has no CUDA."""

COMPILER_FLAGS = (
    "-std=c++17",
    # At -O2 g++ does not vectorise loops of unknown length, and with errno and floating-point traps no choices between
    # values. PyTorch itself is built with these options. No result changes.
    "-O3",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fPIC",
    "-fvisibility=hidden",
    "-Wall",
    "-Wextra",
)

_LAUNCHES_NVCC = {"ccache", "sccache"}
"""The launchers that support nvcc; distributed ones only support C and C++."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A planned build.

    Attributes:
        units: the files to compile, sorted by path.
        binaries: the shared libraries; none if no kernel is compiled.
        ninja_text: the content of ``ninja_file``.
        compile_commands: the content of ``compile_commands.json``, for clangd and other tools.
        precompiled: the headers to write and precompile.
        folder: the folder of both files, relative to the project.
    """

    units: tuple[Unit, ...]
    binaries: tuple[Binary, ...]
    ninja_text: str
    compile_commands: str
    precompiled: tuple[Precompiled, ...] = ()
    folder: str = WORK_FOLDER

    @property
    def ninja_file(self) -> str:
        """The path of the ninja file, relative to the project."""
        return f"{self.folder}/{ninja.NAME}"


def plan_build(library: Library, files: FileSet, toolchain: Toolchain, root: Path, mode: Mode | None = None) -> Plan:
    """Plan the build of a library. ``CXXFLAGS``, ``LDFLAGS`` and ``NVCCFLAGS`` come last, and so take precedence."""
    layout = lay_out_build(library, files, root, has_cuda=isinstance(toolchain.cuda, Cuda))
    # Launchers that cache or distribute compilations don't support precompiled headers.
    headers = () if toolchain.launcher else precompiled_headers(library, layout)
    return plan_layout(layout, toolchain, root, mode or Mode(), headers)


def plan_layout(  # noqa: PLR0913, PLR0917 - what is built, with what, where and how
    layout: Layout,
    toolchain: Toolchain,
    root: Path,
    mode: Mode,
    headers: tuple[Precompiled, ...] = (),
    folder: str = WORK_FOLDER,
) -> Plan:
    """Plan the build of a layout, with ninja file and ninja's log in ``folder``."""
    compilers = _compilers(toolchain, mode)
    classic_flags = _classic_flags(toolchain)
    has_cuda = any(binary.is_cuda for binary in layout.binaries)
    has_stub = has_cuda and isinstance(toolchain.cuda, Cuda) and bool(toolchain.cuda.stub)

    def own_flags(unit: Unit) -> list[str]:
        macros = [f"-D{name}={value}" for name, value in layout.macros(unit).items()]
        return [*macros, *(classic_flags if unit.is_classic else [])]

    def header_of(unit: Unit) -> Precompiled | None:
        return next((header for header in headers if header.serves(unit)), None)

    # Depfiles leave out system headers, so a new PyTorch at the same path is noticed by its version file.
    version_file = str(toolchain.torch.version_file)
    statements = [f"builddir = {ninja.path(folder)}\n", *_rules(compilers, toolchain, mode)]
    for header in headers:
        # With the flags of one of its units, or else the compiler would not use it for them.
        flags = own_flags(next(filter(header.serves, layout.units)))
        statements.append(
            ninja.build(
                header.compiled,
                "compile",
                [header.header],
                [version_file],
                flags=ninja.command("-x", "c++-header", *flags),
                what=ninja.text(header.header),
            )
        )
    for unit in layout.units:
        first = header_of(unit)
        statements.append(
            ninja.build(
                unit.object,
                "compile_cuda" if unit.is_cuda else "compile",
                [unit.path],
                [version_file, *([first.compiled] if first else [])],
                flags=ninja.command(*own_flags(unit), *(["-include", first.header] if first else [])),
                what=ninja.text(unit.path),
            )
        )
    for binary in layout.binaries:
        rule = "link_cuda" if binary.is_cuda else "link"
        objects = [unit.object for unit in binary.units]
        libraries = "-lc10" if binary.is_classic else ""
        stub = [STUB] if binary.is_cuda and has_stub else []
        statements.append(
            ninja.build(binary.path, rule, objects, stub, libraries=libraries, what=ninja.text(binary.path))
        )
    if has_stub:
        statements.append(ninja.build(STUB, "stub", [], [version_file], what=ninja.text(STUB)))
    for source, copy in layout.copies:
        statements.append(ninja.build(copy, "copy", [source], what=ninja.text(copy)))
    commands = [
        {
            "directory": str(root),
            "file": unit.path,
            "arguments": [*compilers[unit.is_cuda], *own_flags(unit), "-c", unit.path, "-o", unit.object],
            "output": unit.object,
        }
        for unit in layout.units
    ]
    text = "\n".join(statements)
    return Plan(layout.units, layout.binaries, text, json.dumps(commands, indent=1) + "\n", headers, folder)


def _compilers(toolchain: Toolchain, mode: Mode) -> dict[bool, list[str]]:
    """Return the command line of the C++ compiler (key ``False``) and, if there is one, of nvcc (key ``True``)."""
    shared = ["-I", INCLUDE_FOLDER]
    include = toolchain.torch.folder / "include"
    system = ["-isystem", str(include)]
    # Sentences of PyTorch's checks name its headers: a binary must not differ by where they stand, as in pip's
    # environments. Behind a symbolic link g++ names them by where they really are, if that is shorter
    # (-fcanonical-system-headers).
    unplaced = [f"-fmacro-prefix-map={folder}/=" for folder in dict.fromkeys((include, include.resolve()))]
    cpp = [*toolchain.compiler, *COMPILER_FLAGS, *mode.compile_flags, *shared, "-iquote", ".", *system, *unplaced]
    cpp += toolchain.flags["CXXFLAGS"]
    if not isinstance(toolchain.cuda, Cuda):
        return {False: cpp}
    host = map(cuda.for_host, (*mode.compile_flags, *unplaced))
    nvcc = [*toolchain.cuda.command, *cuda.FLAGS, *host, *shared, "-I", ".", *system, *toolchain.cuda.flags]
    nvcc += toolchain.flags["NVCCFLAGS"]
    return {False: cpp, True: nvcc}


def _rules(compilers: Mapping[bool, list[str]], toolchain: Toolchain, mode: Mode) -> Iterator[str]:
    # An undefined symbol is an error of the linker, not at import; except a sanitizer's, which the process defines.
    complete = ["-z", "defs"] if sys.platform == "linux" and not mode.sanitize else []
    libraries = ["-L", str(toolchain.torch.folder / "lib"), "-ltorch_cpu"]
    links = [
        (
            "",
            [*toolchain.compiler, "-shared", *([f"-Wl,{','.join(complete)}"] if complete else []), "-o"],
            "@",
            [*libraries, *mode.link_flags, *toolchain.flags["LDFLAGS"]],
        )
    ]
    if isinstance(toolchain.cuda, Cuda):
        # torch has loaded the shared CUDA runtime; a statically linked second one would not share its state.
        linker = [f"-Xlinker={word}" for word in complete]
        nvcc = [*toolchain.cuda.command, "-shared", "--cudart=shared", *linker, "-o"]
        stub = ["-L", posixpath.dirname(STUB)] if toolchain.cuda.stub else []
        flags = map(cuda.for_host, (*mode.link_flags, *toolchain.flags["LDFLAGS"]))
        links.append(("_cuda", nvcc, "-optf ", [*libraries, *stub, "-ltorch_cuda", *flags]))
    launcher = toolchain.launcher
    launchers = {False: launcher, True: launcher if launcher and Path(launcher[0]).stem in _LAUNCHES_NVCC else ()}
    for suffix, link, response, rest in links:
        yield ninja.rule(
            f"compile{suffix}",
            f"{ninja.command(*launchers[bool(suffix)], *compilers[bool(suffix)])} $flags -MMD -MF $out.d -c $in -o $out",
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
        # By this name the binary finds the real library, which is loaded before it.
        defined = [f"-Wl,--defsym={symbol}=0" for symbol in toolchain.cuda.stub]
        words = [*toolchain.compiler, "-shared", "-nostdlib", "-Wl,-soname,libtorch_cuda.so", *defined, "-x", "c++"]
        yield ninja.rule("stub", f"{ninja.command(*words, '/dev/null')} -o $out", description="$what")
    yield ninja.rule("copy", "cp -f $in $out", description="$what")


def _classic_flags(toolchain: Toolchain) -> list[str]:
    """Return the options for the libstdc++ ABI that torch was built with, and for the C++ standard of its headers.

    torch.utils.cpp_extension compiles with C++20 from torch 2.13 on, and the headers of 2.14 can't be compiled as
    C++17. These options follow CXXFLAGS, which may name another standard.
    """
    torch = toolchain.torch
    is_stated = any(word.startswith("-std=") for word in toolchain.flags["CXXFLAGS"])
    standard = ["-std=c++20"] if torch.release >= (2, 13) and not is_stated else []
    return [*standard, *([] if torch.cxx11_abi is None else [f"-D_GLIBCXX_USE_CXX11_ABI={int(torch.cxx11_abi)}"])]
