"""What kernel-builder has no place for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from opgen.diagnostics import Diagnostic
from opgen.emit.kernel_files import KernelState, kernel_state
from opgen.integrations.codes import NOT_FOR_KERNEL_BUILDER
from opgen.model.op import Library, Op

BACKENDS = {"CPU": "cpu", "CUDA": "cuda", "XPU": "xpu"}
"""Dispatch key -> backend of ``build.toml``."""

_NAME = re.compile(r"[a-z][-a-z0-9]*[a-z0-9]")


def kernel_name(library: Library) -> str:
    """Return the package as kernel-builder spells names: ``acme-ops``."""
    return library.package.replace(".", "-").replace("_", "-")


def module_name(library: Library) -> str:
    """Return the name of the module that kernel-builder makes of it: ``acme_ops``."""
    return kernel_name(library).replace("-", "_")


def refusals(library: Library, root: Path) -> Iterator[Diagnostic]:
    """Yield a finding for each; the reasons are those of its "Kernel requirements". ``root`` is the folder of ``ops.yaml``."""
    if not _NAME.fullmatch(kernel_name(library)):
        message = f"kernel-builder can't name a kernel '{kernel_name(library)}', as the package would have it"
        help_ = "give the package a name of lower-case letters, digits and single underscores"
        yield Diagnostic(NOT_FOR_KERNEL_BUILDER, message, None, help_)
    for op in library.ops:
        if not op.is_derived:
            for reason, help_ in _reasons(library, op, root):
                message = f"it can't be built by kernel-builder: {reason}"
                yield Diagnostic(NOT_FOR_KERNEL_BUILDER, message, op.location, help_, op.qualified_name)


def _reasons(library: Library, op: Op, root: Path) -> Iterator[tuple[str, str]]:
    if op.registered:
        yield "it is registered by hand, in a namespace that does not change", "let opgen register it"
    elif op.namespace != library.namespace:
        yield (
            "a build has one namespace, and this op is in another than the library",
            "declare it in a library of its own",
        )
    for kernel in op.kernels:
        if kernel.is_python and kernel.names_symbol:
            module = kernel.symbol.partition(":")[0]
            yield f"its kernel stands in '{module}', outside of the package", f"let it stand in {kernel.path}"
        elif not kernel.is_composite and kernel.dispatch_key not in BACKENDS:
            yield f"it has no backend for {kernel.dispatch_key}", f"it has {', '.join(BACKENDS)}: leave the kernel out"
        elif op.program is None and kernel_state(root, kernel) is KernelState.ABSENT:
            yield f"'{kernel.path}' is missing", "write the kernel; `opgen generate` makes a skeleton"
    for key, places in (("layers", op.spec.layers), ("torch_dispatch", op.spec.torch_dispatch)):
        if any(":" in place.value for place in places.values()):
            yield f"'{key}' names a function outside of the package", f"register it beside the kernel, without '{key}'"
