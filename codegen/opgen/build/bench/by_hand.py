"""Compiles the sources of ``opgen.targets.cpp.by_hand`` in the work folder, to one binary for each ABI."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from opgen.build.compile import write_if_changed
from opgen.build.layout import Binary, Unit, lay_out_build
from opgen.build.mode import Mode
from opgen.build.plan import Plan, plan_layout
from opgen.build.toolchain import Toolchain
from opgen.emit.file_set import FileSet
from opgen.emit.kernel_files import KernelState, kernel_state
from opgen.emit.paths import WORK_FOLDER
from opgen.model.kernel import Kernel
from opgen.model.op import Library, Op
from opgen.targets.cpp.by_hand import by_hand_file

FOLDER = f"{WORK_FOLDER}/by_hand"
_ON_CPU = ("CPU", "CompositeExplicitAutograd", "CompositeImplicitAutograd")


def kernel_on_cpu(op: Op, root: Path) -> Kernel | str:
    """Return the CPU kernel of an op, declared or derived, that can be registered by hand, or why there is none."""
    if op.registered:
        return f"it is registered by hand already, in {op.registered}"
    kernels = [kernel for kernel in op.kernels if kernel.dispatch_key in _ON_CPU]
    if not kernels:
        return "it has no kernel for the CPU"
    compiled = [kernel for kernel in kernels if kernel.kind == "cpp"]
    if not compiled:
        return "its kernel for the CPU is in Python"
    if kernel_state(root, compiled[0]) is KernelState.SKELETON:
        return f"its kernel is still to be written: {compiled[0].path}"
    return compiled[0]


def plan_by_hand(library: Library, kernels: Mapping[str, Kernel], toolchain: Toolchain, root: Path, mode: Mode) -> Plan:
    """Write the sources for the kernels of ops, given by qualified name, and plan their build.

    Raises:
        OSError: the work folder can't be written.
    """
    units = []
    for op in (op for op in library.ops if op.qualified_name in kernels):
        file = by_hand_file(library, op, kernels[op.qualified_name], FOLDER)
        (root / file.path).parent.mkdir(parents=True, exist_ok=True)
        write_if_changed(root / file.path, file.content)
        units.append(Unit(file.path, op, kernels[op.qualified_name]))
    layout = lay_out_build(library, FileSet(()), root)
    layout = replace(layout, units=tuple(units), binaries=tuple(_binaries(units)), copies=())
    return plan_layout(layout, toolchain, root.resolve(), mode, folder=FOLDER)


def _binaries(units: Sequence[Unit]) -> Iterator[Binary]:
    for suffix, is_classic in (("", False), ("_classic", True)):
        if chosen := tuple(unit for unit in units if unit.is_classic == is_classic):
            yield Binary(f"{FOLDER}/libby_hand{suffix}.so", suffix, chosen)
