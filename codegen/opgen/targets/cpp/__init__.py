"""C++ for libtorch's stable ABI, or for its classic one: one header, one unit and one skeleton a kernel.

What is emitted, relative to the folder of ``ops.yaml`` (``/`` for the dots of a dotted package)::

    generated/csrc/PACKAGE/OP.h          for the author's kernel: the contract, element types
    generated/csrc/PACKAGE/support.h     for all kernels: ``Tensor``, dtype dispatch, ``parallel_for``
    generated/csrc/PACKAGE/abi_stable.h  what all of the C++ takes from torch; ``abi_classic.h`` has the same names
    generated/csrc/PACKAGE/checks/*.h    the host checks with their messages, checked arithmetic, allocation
    generated/csrc/PACKAGE/unit.h        for all units: registration, version counters, overlap
    generated/csrc/PACKAGE/points/*.h    the loops of expressions, and ``maths/*.h``: their functions
    generated/csrc/PACKAGE/device/*.h    loops and functions of expressions for CUDA
    generated/csrc/PACKAGE/cuda.h        for all CUDA kernels: device, stream, launches
    generated/csrc/units/BACKEND/OP.cpp  a unit: includes the kernel, asserts its signature, registers it; ``.cu`` for CUDA
    generated/csrc/expressions/cpu/OP.cpp  a kernel from expressions
    generated/csrc/units/library.cpp     the schema hash, as `PACKAGE_schema_hash()`
    generated/csrc/units/define.cpp      with ``define_in: both`` the schemas: a binary of its own
    generated/csrc/units/classic/**      the same for ops on the classic ABI: a binary of its own
    kernels/BACKEND/OP.cpp               a skeleton, written once; ``.cu`` for CUDA

How a unit is compiled:

- ``-std=c++17``, in ``classic`` the C++ of torch's own headers; ``-fPIC -fvisibility=hidden`` (inline functions of two
libraries in one process stay apart);
- ``-O3 -fno-math-errno -fno-trapping-math``: at ``-O2`` g++ does not vectorise loops whose length it doesn't know, and
  with traps no choice between two floating-point values. PyTorch builds itself so; no value changes;
- ``-DTORCH_TARGET_VERSION=0x020a000000000000``, but not in ``classic``, where torch's headers refuse it: the oldest
torch to load on, a byte each for major and minor;
- include paths: ``generated/csrc``, the folder of ``ops.yaml``, and torch's ``include`` as a system folder;
- for ``library.cpp`` and ``define.cpp`` alone ``-DOPGEN_SCHEMA_HASH="..."`` with
``targets.schema_hash.schema_hash(library)``;
- linked with ``-ltorch_cpu`` and nothing else of torch, those in ``classic`` with ``-lc10`` as well. On the stable ABI
no symbol is needed but C functions ``aoti_torch_*`` and
  ``torch_*``; ``torch_exception_get_what_without_backtrace`` is weak, since it only exists from torch 2.13.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.op import Library
from opgen.targets.cpp.define import define_file
from opgen.targets.cpp.device.kernel import device_kernel_file
from opgen.targets.cpp.expressions import expression_file
from opgen.targets.cpp.header import header_file
from opgen.targets.cpp.library import library_files
from opgen.targets.cpp.skeleton import skeleton_file
from opgen.targets.cpp.unit import unit_file
from opgen.targets.output import OutputFile


def cpp_files(library: Library) -> Iterator[OutputFile]:
    """Emit the C++ half of a library; nothing where no kernel is compiled."""
    if any(op.is_compiled for op in library.ops):
        yield from library_files(library)
        if library.spec.define_in == "both":
            yield define_file(library)
    for op in (op for op in library.ops if not op.is_derived):
        kernels = [kernel for kernel in op.kernels if kernel.is_compiled]
        if kernels:
            yield header_file(library, op)
        for kernel in kernels:
            yield unit_file(library, op, kernel)
            if op.program is not None and kernel.kind == "cpp":
                yield expression_file(library, op, kernel, op.program)
            elif op.program is not None:
                yield device_kernel_file(library, op, op.program, kernel)
            elif not kernel.names_file:
                yield skeleton_file(library, op, kernel)
