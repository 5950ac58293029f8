"""One kernel of an op: which backend it serves, how it is written, and where."""

from __future__ import annotations

from opgen.records import dataclass
from opgen.spec.library import KernelKind


@dataclass(frozen=True, slots=True)
class Kernel:
    """One kernel of an op.

    Attributes:
        dispatch_key: ``CPU``, ``CUDA``, ``CompositeExplicitAutograd``.
        kind: the language it is written in.
        symbol: the qualified C++ function, ``mylib::cpu::rms_norm``; ``module:function`` for a Python kernel.
        path: the author's file, relative to the folder of ``ops.yaml``: ``kernels/cpu/rms_norm.cpp``.
        unit: the name of its unit, ``cpu/rms_norm``, which is the unit's path without folder and suffix.
        allocates: it returns fresh tensors instead of filling preallocated ones.
        names_symbol: the author has named the function (``symbol``), so that it isn't the default one.
        names_file: the author has named the file, which must exist.
    """

    dispatch_key: str
    kind: KernelKind
    symbol: str
    path: str
    unit: str
    allocates: bool = False
    names_symbol: bool = False
    names_file: bool = False

    @property
    def is_compiled(self) -> bool:
        """Whether it becomes part of a binary."""
        return self.kind in {"cpp", "cuda"}

    @property
    def is_python(self) -> bool:
        """Whether it is a Python function, which may launch a Triton kernel."""
        return self.kind in {"python", "triton"}

    @property
    def is_composite(self) -> bool:
        """Whether it serves every backend: its key is a Composite alias key of ``c10/core/DispatchKey.h``."""
        return self.dispatch_key.startswith("Composite")
