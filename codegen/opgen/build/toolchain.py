"""What this machine has for building. Nothing here imports torch: its folder and version are read."""

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
"""Variables of the environment that hold options; they come last on command lines, so that they win."""


@dataclass(frozen=True, slots=True)
class Torch:
    """An installed PyTorch.

    Attributes:
        folder: of the package; headers and libraries stand in it.
        version: what its own ``version.py`` states, ``2.13.0+cpu``.
        release: major and minor number.
    """

    folder: Path
    version: str
    release: tuple[int, int]

    @property
    def cxx11_abi(self) -> bool | None:
        """Whether it was built with libstdc++'s newer ABI, which marks symbols; ``None`` where that can't be read."""
        try:
            return b"__cxx11" in (self.folder / "lib" / "libc10.so").read_bytes()
        except OSError:
            return None

    @property
    def version_file(self) -> Path:
        """Rewritten by every installation, so what was built with this PyTorch depends on it."""
        return self.folder / "version.py"


@dataclass(frozen=True, slots=True)
class Toolchain:
    """Everything that a build needs: a command line each, PyTorch, and the words of ``FLAGS_VARIABLES``.

    ``compiler`` is empty where nothing is compiled; ``cuda`` may be the reason why there is none. ``launcher`` stands in
    front of the compiler, and is empty most often. ``triton`` is the file of its package, empty where it isn't installed.
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
        """Return an error for each backend, ``cuda`` and ``triton``, that is required and can't be built here."""
        absent = {"cuda": not isinstance(self.cuda, Cuda), "triton": not self.triton}
        lacks = {
            "cuda": (codes.NO_NVCC, f"`--require cuda`: {NVCC_SOUGHT}"),
            "triton": (codes.NO_TRITON, f"`--require triton`: triton is not installed for '{self.python}'"),
        }
        return tuple(_lacking(*lacks[name]) for name in sorted(required) if absent[name])


def find_compiler() -> tuple[str, ...] | Diagnostic:
    """Return the C++ compiler's absolute path, and the words that CXX has after it (as in ``ccache g++``)."""
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
    """Return the program that compilers are started by, as in ``ccache g++``; nothing where none is named.

    Its words are split as a shell would, or at semicolons, as CMake has it.
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
        except ValueError as error:  # noqa: PERF203 - there are three of them
            return _lacking(codes.BAD_FLAGS, f"{name} can't be split into words: {str(error).lower()}")
    return flags


def _program(name: str) -> str | None:
    """Return the absolute path of a program, since it is run in the project's folder; a link stays one, as ccache's do."""
    found = shutil.which(name)
    return found and str(Path(found).absolute())


def find_ninja() -> str | Diagnostic:
    """Return ninja's path: from PATH, else what ``pip install ninja`` put beside the interpreter."""
    found = shutil.which("ninja") or shutil.which("ninja", path=sysconfig.get_path("scripts"))
    return found or _lacking(codes.NO_NINJA, "ninja was not found")


def find_python(stated: str | None) -> str | Diagnostic:
    """Return the path of the interpreter named, else of the one that runs opgen."""
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
    """Return the interpreter for the generated tests, or say all that it lacks for them."""
    python = find_python(stated)
    if isinstance(python, Diagnostic):
        return (python,)
    missing = [found for found in (find_torch(python), _find_pytest(python)) if isinstance(found, Diagnostic)]
    return tuple(dict.fromkeys(missing)) or python


def find_toolchain(
    python: str | None, floor: tuple[int, int], *, compiles: bool = True, launcher: str = ""
) -> Toolchain | tuple[Diagnostic, ...]:
    """Find all that a build needs, or say all that is missing.

    Args:
        python: the interpreter to import the library with, ``None`` for the one that runs opgen.
        floor: the oldest torch that the library is to load on.
        compiles: whether a C++ compiler is needed.
        launcher: the command that compilers are started by.
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
    """Whether pytest can run tests in several processes."""
    found = _origin("xdist", python)
    return isinstance(found, str) and bool(found)


def _find_pytest(python: str) -> str | Diagnostic:
    missing = _lacking(codes.NO_PYTEST, f"pytest is not installed for '{python}'")
    return _origin("pytest", python) or missing


def _origin(package: str, python: str) -> str | Diagnostic:
    """Return the file of a package that ``python`` would import; empty if there is none."""
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
