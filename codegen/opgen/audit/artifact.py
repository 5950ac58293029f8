"""What is audited: one shared library with the package around it, or a whole wheel."""

from __future__ import annotations

from pathlib import Path

from opgen.audit import codes
from opgen.audit.binary import Binary, Kernel, read_binary
from opgen.audit.declared import SCHEMAS_FILE, Declared, read_declared
from opgen.audit.surface import Release
from opgen.audit.wheel import Claims, read_wheel
from opgen.diagnostics import Diagnostic
from opgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Artifact:
    """What was read.

    Attributes:
        path: as it was named.
        binaries: sorted by path.
        declared: the Python half of each generated library.
        claims: of a wheel.
    """

    path: str
    binaries: tuple[Binary, ...]
    declared: tuple[Declared, ...] = ()
    claims: Claims | None = None

    @property
    def is_whole(self) -> bool:
        """Whether it has all binaries of the library: beside a single file there may be others."""
        return self.claims is not None

    @property
    def oldest_torch(self) -> Release | None:
        """The oldest release that serves all binaries for the stable ABI; ``None`` where there are none."""
        return max((floor for binary in self.binaries if (floor := binary.oldest_torch)), default=None)

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """Those of all binaries, each once, by operator."""
        found = {kernel for binary in self.binaries for kernel in binary.kernels}
        return tuple(sorted(found, key=lambda kernel: (kernel.op, kernel.key)))


def read_artifact(path: Path) -> Artifact | Diagnostic:
    """Read a shared library or a wheel, or say why it can't be read.

    Raises:
        OSError: the system refuses.
    """
    if path.suffix == ".whl":
        return _of_wheel(path)
    binary = read_binary(path.as_posix(), path.read_bytes())
    if binary is None:
        return _unreadable(path, "it is no shared library in the ELF format")
    beside = path.with_name(SCHEMAS_FILE)
    declared = _declared({beside.as_posix(): beside.read_text(encoding="utf-8")} if beside.is_file() else {})
    return Artifact(path.as_posix(), (binary,), declared)


def _of_wheel(path: Path) -> Artifact | Diagnostic:
    wheel = read_wheel(path)
    if isinstance(wheel, str):
        return _unreadable(path, wheel)
    binaries = []
    for name, data in sorted(wheel.libraries.items()):
        binary = read_binary(name, data)
        if binary is None:
            return _unreadable(path, f"'{name}' in it is no shared library in the ELF format")
        binaries.append(binary)
    return Artifact(path.as_posix(), tuple(binaries), _declared(wheel.schemas), wheel.claims)


def _declared(texts: dict[str, str]) -> tuple[Declared, ...]:
    found = (read_declared(path, text) for path, text in sorted(texts.items()))
    return tuple(declared for declared in found if declared)


def _unreadable(path: Path, reason: str) -> Diagnostic:
    return Diagnostic(
        codes.UNREADABLE, f"'{path.as_posix()}' can't be audited: {reason}", None, codes.UNREADABLE.remedy
    )
