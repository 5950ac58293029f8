"""One kernel of an op: which backend it serves, how it is written, and where."""

from __future__ import annotations

from opgen.records import dataclass
from opgen.spec.library import KernelKind


@dataclass(frozen=True, slots=True)
class Kernel:
    """One kernel of an op.

    Attributes:
        dispatch_key: ``CPU``, ``CUDA``, ``CompositeExplicitAutograd``.
        kind: how it is written.
        symbol: the qualified C++ function, ``mylib::cpu::rms_norm``; ``module:function`` of a Python one.
        path: the author's file, relative to the folder of ``ops.yaml``, ``kernels/cpu/rms_norm.cpp``.
        unit: what its unit is called, ``cpu/rms_norm``.
        allocates: returns fresh tensors instead of filling given ones.
        names_symbol: the author named the function.
        names_file: the author named the file, which is there already.
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
        """Whether it is a Python function, which may launch what it likes."""
        return self.kind in {"python", "triton"}

    @property
    def is_composite(self) -> bool:
        """Whether it serves every backend: its key is an alias key of ``c10/core/DispatchKey.h``."""
        return self.dispatch_key.startswith("Composite")
