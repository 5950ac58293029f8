"""How kernels are compiled: for use, or to be debugged, to find memory errors, to see which lines run; and started by what."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path

from opgen.records import dataclass

LAUNCHER_VARIABLES = ("OPGEN_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER")
"""Where a launcher is named if nowhere else: for opgen alone, or for whatever CMake builds on this machine as well."""

SANITIZERS = ("address", "undefined", "leak", "thread")
"""Those of g++ and clang++ that can be loaded into a Python that was built without."""

_RUNTIMES = {"address": "libasan.so", "undefined": "libubsan.so", "leak": "liblsan.so", "thread": "libtsan.so"}


@dataclass(frozen=True, slots=True)
class Mode:
    """By default for use. Its flags come after those of a build for use, so that they win.

    Attributes:
        debug: for a debugger.
        sanitize: of ``SANITIZERS``.
        coverage: counting lines, for gcov.
        launcher: the command that compilers are started by.
    """

    debug: bool = False
    sanitize: tuple[str, ...] = ()
    coverage: bool = False
    launcher: str = field(
        default_factory=lambda: next(filter(None, map(os.environ.get, LAUNCHER_VARIABLES)), None) or ""
    )

    @property
    def compile_flags(self) -> tuple[str, ...]:
        """What the compiler is told in addition."""
        flags = ["-g", "-fno-omit-frame-pointer"] if self.debug or self.sanitize else []
        if self.debug or self.coverage:
            flags.append("-O0")
        elif self.sanitize:
            flags.append("-O1")
        # What the undefined behaviour sanitizer finds ends the process, so that the smoke test and tests can see it.
        flags += [f"-fsanitize={','.join(self.sanitize)}", "-fno-sanitize-recover=all"] if self.sanitize else []
        flags += ["--coverage", "-fprofile-abs-path"] if self.coverage else []
        return tuple(flags)

    @property
    def link_flags(self) -> tuple[str, ...]:
        """What the linker is told in addition."""
        flags = [f"-fsanitize={','.join(self.sanitize)}"] if self.sanitize else []
        return (*flags, "--coverage") if self.coverage else tuple(flags)

    def environment(self, compiler: Sequence[str]) -> dict[str, str]:
        """Return what a Python needs in its environment to load the library: a sanitizer's runtime has to come first.

        Python itself and PyTorch leak on purpose at exit, so leaks are not looked for unless ``leak`` is asked for.
        """
        runtimes = [_runtime(compiler, name) for name in self.sanitize]
        if not runtimes:
            return {}
        wishes = {"LD_PRELOAD": " ".join(runtimes)}
        if "leak" not in self.sanitize:
            wishes["ASAN_OPTIONS"] = "detect_leaks=0"
        # What the user says of the same comes behind, so that it wins.
        return {
            name: (":" if name == "ASAN_OPTIONS" else " ").join(filter(None, (wish, os.environ.get(name))))
            for name, wish in wishes.items()
        }

    def as_options(self) -> Mapping[str, str]:
        """Return it as texts, for comparisons."""
        return {
            "debug": str(self.debug),
            "sanitize": ",".join(self.sanitize),
            "coverage": str(self.coverage),
            "launcher": self.launcher,
        }


def _runtime(compiler: Sequence[str], sanitizer: str) -> str:
    """Return the path of a sanitizer's runtime library, which the compiler knows; its bare name where it doesn't."""
    import subprocess  # noqa: PLC0415 - few builds need it, and it takes long to import

    name = _RUNTIMES[sanitizer]
    run = subprocess.run(  # noqa: S603 - the user's own compiler
        [*compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=False
    )
    found = Path(run.stdout.strip() or name)
    return str(found.resolve()) if found.is_absolute() else name
