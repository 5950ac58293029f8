"""Finds valid declarations for which this release generates no code: an info in ``lint``, else an error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from opgen.diagnostics import Diagnostic
from opgen.model.codes import UNSUPPORTED
from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.schema.types import returns_none
from opgen.spec.dispatch_form import DISPATCH_KEYS
from opgen.spec.library import KernelKind

_DISPATCH_KEYS: dict[KernelKind, frozenset[str]] = {
    "cpp": frozenset({"CPU", "CompositeExplicitAutograd"}),
    "cuda": frozenset({"CUDA"}),
    "python": frozenset(
        key for key in DISPATCH_KEYS if not key.startswith(("Sparse", "Quantized", "Nested", "Mkldnn"))
    ),
    "triton": frozenset({"CPU", "CUDA", "HIP", "XPU"}),
}
"""The dispatch keys that kernels of each kind can be generated for."""


def unsupported(library: Library) -> list[Diagnostic]:
    """Report everything in a library that no target can render."""
    found = []
    if library.spec.define_in == "cpp":
        place = library.spec.keys.get("define_in", library.spec.namespace.locate())
        remedy = (
            "write `define_in: both`: the Python package, and a library of definitions for processes without Python"
        )
        found.append(Diagnostic(UNSUPPORTED, "`define_in: cpp` can't be generated yet", place, remedy))
    for op in (op for op in library.ops if not op.is_derived):
        found += [replace(diagnostic, op=op.qualified_name) for diagnostic in op.tensors.unsupported]
        for key, what in _unsupported_parts(op):
            place = op.spec.keys.get(key, op.location)
            message = f"{what} can't be generated yet"
            found.append(Diagnostic(UNSUPPORTED, message, place, UNSUPPORTED.remedy, op.qualified_name))
    return found


def _unsupported_parts(op: Op) -> Iterator[tuple[str, str]]:
    """Yield the key and the part of its value that no target can render."""
    spec = op.spec
    kinds = {kernel.kind for kernel in op.kernels}
    parts = (
        ("func", op.contract is Contract.VIEW, "a view"),
        ("func", op.schema.is_vararg or op.schema.is_varret, "an op with `...`"),
        ("func", op.is_compiled and any(map(returns_none, op.schema.returns)), "a C++ kernel for `-> None`"),
        ("abi", op.abi == "classic" and "cuda" in kinds, "a cuda kernel for `abi: classic`"),
        (
            "resize_out",
            spec.resize_out and not kinds.isdisjoint({"python", "triton"}),
            "`resize_out` of an op with a kernel in Python",
        ),
    )
    yield from ((key, what) for key, is_present, what in parts if is_present)
    for kernel in op.kernels:
        if kernel.dispatch_key not in _DISPATCH_KEYS[kernel.kind]:
            yield "dispatch", f"a {kernel.kind} kernel for {kernel.dispatch_key}"
