"""What is asked of a build."""

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
    """What is asked for.

    Attributes:
        file: the declaration; its folder is the project.
        python: the interpreter to import the library with; ``None`` for the one that runs opgen.
        jobs: how many compilers at a time; ``None`` for what fits this machine.
        mode: how kernels are compiled.
        required: backends, ``cuda`` and ``triton``, whose absence is an error, not a gap.
        calls: whether the library is imported and each op called once, at the end.
        started: when it was asked, in nanoseconds since the epoch.
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
        """What of it, and of the environment, changes the result."""
        return fingerprint.options_of(self.file.resolve(), self.python or sys.executable, self.mode, self.required)
