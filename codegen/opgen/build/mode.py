"""The mode of a build: optimised, or with debug information, sanitizers or coverage; and the compiler launcher."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path

from opgen.records import dataclass

LAUNCHER_VARIABLES = ("OPGEN_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER")
"""The environment variables that name a launcher: for opgen alone, or also for CMake."""

SANITIZERS = ("address", "undefined", "leak", "thread")
"""The sanitizers of g++ and clang++ that can be loaded into a Python that was built without them."""

_RUNTIMES = {"address": "libasan.so", "undefined": "libubsan.so", "leak": "liblsan.so", "thread": "libtsan.so"}


@dataclass(frozen=True, slots=True)
class Mode:
    """How kernels are compiled; by default optimised. Its flags follow those of an optimised build and override them.

    Attributes:
        debug: compile for a debugger.
        sanitize: the sanitizers to use, of ``SANITIZERS``.
        coverage: count executed lines, for gcov.
        launcher: the command that starts compilers, as ``ccache``; empty for none.
    """

    debug: bool = False
    sanitize: tuple[str, ...] = ()
    coverage: bool = False
    launcher: str = field(
        default_factory=lambda: next(filter(None, map(os.environ.get, LAUNCHER_VARIABLES)), None) or ""
    )

    @property
    def compile_flags(self) -> tuple[str, ...]:
        """The additional options for compiling."""
        flags = ["-g", "-fno-omit-frame-pointer"] if self.debug or self.sanitize else []
        if self.debug or self.coverage:
            flags.append("-O0")
        elif self.sanitize:
            flags.append("-O1")
        # A finding of the undefined behaviour sanitizer ends the process, so that the smoke test and tests notice it.
        flags += [f"-fsanitize={','.join(self.sanitize)}", "-fno-sanitize-recover=all"] if self.sanitize else []
        flags += ["--coverage", "-fprofile-abs-path"] if self.coverage else []
        return tuple(flags)

    @property
    def link_flags(self) -> tuple[str, ...]:
        """The additional options for linking."""
        flags = [f"-fsanitize={','.join(self.sanitize)}"] if self.sanitize else []
        return (*flags, "--coverage") if self.coverage else tuple(flags)

    def environment(self, compiler: Sequence[str]) -> dict[str, str]:
        """Return the variables with which a Python can load the library: a sanitizer's runtime must be preloaded.

        Leaks are only detected with ``leak``, since Python and PyTorch don't free everything at exit.
        """
        runtimes = [_runtime(compiler, name) for name in self.sanitize]
        if not runtimes:
            return {}
        wishes = {"LD_PRELOAD": " ".join(runtimes)}
        if "leak" not in self.sanitize:
            wishes["ASAN_OPTIONS"] = "detect_leaks=0"
        # The user's own options come last, and so take precedence.
        return {
            name: (":" if name == "ASAN_OPTIONS" else " ").join(filter(None, (wish, os.environ.get(name))))
            for name, wish in wishes.items()
        }

    def as_options(self) -> Mapping[str, str]:
        """Return the mode as texts, for comparisons."""
        return {
            "debug": str(self.debug),
            "sanitize": ",".join(self.sanitize),
            "coverage": str(self.coverage),
            "launcher": self.launcher,
        }


def _runtime(compiler: Sequence[str], sanitizer: str) -> str:
    """Return the path of a sanitizer's runtime library from the compiler, or its bare name if the compiler has none."""
    import subprocess  # noqa: PLC0415 - few builds need it, and it is slow to import

    name = _RUNTIMES[sanitizer]
    run = subprocess.run(  # noqa: S603 - the user's own compiler
        [*compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=False
    )
    found = Path(run.stdout.strip() or name)
    return str(found.resolve()) if found.is_absolute() else name
