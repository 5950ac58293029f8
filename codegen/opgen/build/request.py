"""The options of a build."""

from __future__ import annotations

import sys
import time
from dataclasses import field
from pathlib import Path

from opgen.build import fingerprint
from opgen.build.mode import Mode
from opgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Request:
    """The options of a build.

    Attributes:
        file: the declaration; its folder is the project.
        python: the interpreter to import the library with; ``None`` for the one that runs opgen.
        jobs: the number of parallel compilers; ``None`` for the default of this machine.
        mode: how kernels are compiled.
        required: the backends, ``cuda`` or ``triton``, whose absence is an error instead of leaving out their kernels.
        calls: whether to import the library and call each op once at the end.
        started: the time of the request, in nanoseconds since the epoch.
    """

    file: Path
    python: str | None = None
    jobs: int | None = None
    mode: Mode = field(default_factory=Mode)
    required: tuple[str, ...] = ()
    calls: bool = True
    started: int = field(default_factory=time.time_ns)

    @property
    def root(self) -> Path:
        """The project's folder."""
        return self.file.parent

    @property
    def options(self) -> dict[str, str]:
        """The options and environment variables that change the result."""
        return fingerprint.options_of(self.file.resolve(), self.python or sys.executable, self.mode, self.required)
