"""Finds the tools for a build: compiler, ninja, Python and torch, whose version is read without importing it."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Collection, Mapping
from pathlib import Path

from opgen.build import codes
from opgen.build.cuda import Cuda, find_cuda
from opgen.build.report import NVCC_SOUGHT, Status
from opgen.diagnostics import Code, Diagnostic
from opgen.records import dataclass

FLAGS_VARIABLES = ("CXXFLAGS", "LDFLAGS", "NVCCFLAGS")
"""The environment variables with compiler options, which come last on command lines and so take precedence."""


@dataclass(frozen=True, slots=True)
class Torch:
    """An installed PyTorch.

    Attributes:
        folder: the folder of the package, which contains headers and libraries.
        version: the version in its ``version.py``, ``2.13.0+cpu``.
        release: major and minor number.
    """

    folder: Path
    version: str
    release: tuple[int, int]

    @property
    def cxx11_abi(self) -> bool | None:
        """Whether it was built with libstdc++'s C++11 ABI, by its symbols; ``None`` if that can't be read."""
        try:
            return b"__cxx11" in (self.folder / "lib" / "libc10.so").read_bytes()
        except OSError:
            return None

    @property
    def version_file(self) -> Path:
        """The path of ``version.py``, which every installation rewrites, so that builds depend on it."""
        return self.folder / "version.py"


@dataclass(frozen=True, slots=True)
class Toolchain:
    """The tools for a build.

    Attributes:
        compiler: the words of the C++ compiler's command; empty if nothing is compiled.
        ninja: the path of ninja.
        python: the path of the interpreter to import the library with.
        torch: its PyTorch.
        flags: variable of ``FLAGS_VARIABLES`` -> its words.
        cuda: the CUDA compiler, or the status that says why there is none.
        launcher: the words in front of compiler commands, as ``ccache``; empty for none.
        triton: the file of the triton package; empty if it isn't installed.
    """

    compiler: tuple[str, ...]
    ninja: str
    python: str
    torch: Torch
    flags: Mapping[str, tuple[str, ...]]
    cuda: Cuda | Status
    launcher: tuple[str, ...] = ()
    triton: str = ""

    def missing(self, required: Collection[str]) -> tuple[Diagnostic, ...]:
        """Return an error for each required backend, ``cuda`` or ``triton``, that can't be built on this machine."""
        absent = {"cuda": not isinstance(self.cuda, Cuda), "triton": not self.triton}
        lacks = {
            "cuda": (codes.NO_NVCC, f"`--require cuda`: {NVCC_SOUGHT}"),
            "triton": (codes.NO_TRITON, f"`--require triton`: triton is not installed for '{self.python}'"),
        }
        return tuple(_lacking(*lacks[name]) for name in sorted(required) if absent[name])


def find_compiler() -> tuple[str, ...] | Diagnostic:
    """Return the words of the C++ compiler's command, its program as an absolute path; CXX may have further words."""
    stated = os.environ.get("CXX", "")
    try:
        words = shlex.split(stated)
    except ValueError:
        words = [stated]
    if words:
        found = _program(words[0])
        missing = f"CXX names '{words[0]}', which can't be run"
        return (found, *words[1:]) if found else _lacking(codes.NO_COMPILER, missing)
    for name in ("g++", "clang++", "c++"):
        if found := _program(name):
            return (found,)
    return _lacking(codes.NO_COMPILER, "no C++ compiler was found (looked for g++, clang++ and c++)")


def find_launcher(stated: str) -> tuple[str, ...] | Diagnostic:
    """Return the words of the launcher in front of compilers, as in ``ccache g++``; none if none is named.

    They are split as by a shell, or at semicolons as in CMake.
    """
    try:
        words = [word for word in stated.split(";") if word] if ";" in stated else shlex.split(stated)
    except ValueError:
        words = [stated]
    if not words:
        return ()
    found = _program(words[0])
    missing = f"the compiler launcher '{words[0]}' can't be run"
    return (found, *words[1:]) if found else _lacking(codes.NO_LAUNCHER, missing)


def find_flags() -> dict[str, tuple[str, ...]] | Diagnostic:
    """Return the words of CXXFLAGS, LDFLAGS and NVCCFLAGS."""
    flags = {}
    for name in FLAGS_VARIABLES:
        try:
            flags[name] = tuple(shlex.split(os.environ.get(name, "")))
        except ValueError as error:  # noqa: PERF203 - only three iterations
            return _lacking(codes.BAD_FLAGS, f"{name} can't be split into words: {str(error).lower()}")
    return flags


def _program(name: str) -> str | None:
    """Return the absolute path of a program, which is run in the project's folder; links, as ccache's, are kept."""
    found = shutil.which(name)
    return found and str(Path(found).absolute())


def find_ninja() -> str | Diagnostic:
    """Return ninja's path: in PATH, or else beside the interpreter, where ``pip install ninja`` puts it."""
    found = shutil.which("ninja") or shutil.which("ninja", path=sysconfig.get_path("scripts"))
    return found or _lacking(codes.NO_NINJA, "ninja was not found")


def find_python(stated: str | None) -> str | Diagnostic:
    """Return the path of the interpreter that is named, or else of the one that runs opgen."""
    if stated is None:
        return sys.executable
    found = _program(stated)
    return found or _lacking(codes.NO_PYTHON, f"the Python interpreter '{stated}' can't be run")


def find_torch(python: str) -> Torch | Diagnostic:
    """Find the PyTorch that ``python`` would import, without importing it."""
    missing = _lacking(codes.NO_TORCH, f"torch is not installed for '{python}'")
    origin = _origin("torch", python)
    if isinstance(origin, Diagnostic):
        return origin
    if not origin:
        return missing
    folder = Path(origin).parent
    try:
        text = (folder / "version.py").read_text(encoding="utf-8")
    except OSError:
        return missing
    stated = re.search(r"""^__version__ = ['"]((\d+)\.(\d+)\b[^'"]*)['"]""", text, re.MULTILINE)
    return Torch(folder, stated[1], (int(stated[2]), int(stated[3]))) if stated else missing


def find_test_python(stated: str | None) -> str | tuple[Diagnostic, ...]:
    """Return the interpreter for the generated tests, or a diagnostic for each thing that it lacks."""
    python = find_python(stated)
    if isinstance(python, Diagnostic):
        return (python,)
    missing = [found for found in (find_torch(python), _find_pytest(python)) if isinstance(found, Diagnostic)]
    return tuple(dict.fromkeys(missing)) or python


def find_toolchain(
    python: str | None, floor: tuple[int, int], *, compiles: bool = True, launcher: str = ""
) -> Toolchain | tuple[Diagnostic, ...]:
    """Find all tools for a build, or return a diagnostic for each one that is missing.

    Args:
        python: the interpreter to import the library with, ``None`` for the one that runs opgen.
        floor: the oldest torch that the library must load on.
        compiles: whether a C++ compiler is needed.
        launcher: the command in front of compilers; empty for none.
    """
    compiler = find_compiler() if compiles else ()
    flags, ninja, interpreter = find_flags(), find_ninja(), find_python(python)
    launched = find_launcher(launcher)
    torch = interpreter if isinstance(interpreter, Diagnostic) else find_torch(interpreter)
    if isinstance(torch, Torch) and torch.release < floor:
        wanted = ".".join(map(str, floor))
        torch = _lacking(codes.OLD_TORCH, f"torch {torch.version} is installed, but ops.yaml asks for {wanted}")
    if (
        isinstance(compiler, Diagnostic)
        or isinstance(flags, Diagnostic)
        or isinstance(ninja, Diagnostic)
        or isinstance(interpreter, Diagnostic)
        or isinstance(torch, Diagnostic)
        or isinstance(launched, Diagnostic)
    ):
        found = (compiler, launched, flags, ninja, interpreter, torch)
        return tuple(dict.fromkeys(part for part in found if isinstance(part, Diagnostic)))
    cuda = find_cuda(torch.folder, compiler if os.environ.get("CXX") else ())
    if isinstance(cuda, Diagnostic):
        return (cuda,)
    triton = _origin("triton", interpreter)
    found_triton = triton if isinstance(triton, str) else ""
    return Toolchain(compiler, ninja, interpreter, torch, flags, cuda, launched, found_triton)


def has_xdist(python: str) -> bool:
    """Whether pytest-xdist is installed, so that tests can run in several processes."""
    found = _origin("xdist", python)
    return isinstance(found, str) and bool(found)


def _find_pytest(python: str) -> str | Diagnostic:
    missing = _lacking(codes.NO_PYTEST, f"pytest is not installed for '{python}'")
    return _origin("pytest", python) or missing


def _origin(package: str, python: str) -> str | Diagnostic:
    """Return the file of a package that ``python`` would import; empty if it isn't installed."""
    if python == sys.executable:
        spec = importlib.util.find_spec(package)
        return (spec and spec.origin) or ""
    script = "import importlib.util as u, sys; s = u.find_spec(sys.argv[1]); print(s and s.origin or '')"
    try:
        run = subprocess.run([python, "-c", script, package], capture_output=True, text=True, check=True)  # noqa: S603 - the user's own interpreter
    except (OSError, subprocess.CalledProcessError):
        return _lacking(codes.NO_PYTHON, f"'{python}' can't be run as a Python interpreter")
    return run.stdout.strip()


def _lacking(code: Code, message: str) -> Diagnostic:
    return Diagnostic(code, message, None, help=code.remedy)
