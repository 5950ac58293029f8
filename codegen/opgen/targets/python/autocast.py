"""Emits ``_autocast.py``: the policies by which autocast converts the arguments of a call.

Only functional ops have a policy, as PyTorch's own in-place and out= ops are not autocast either.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.records import dataclass
from opgen.targets.output import OutputFile
from opgen.targets.python.layout import lay_out, py_string, py_strings
from opgen.targets.python.place import folder
from opgen.targets.templates import render

AUTOCAST_KEYS = ("CPU", "CUDA", "XPU", "MPS", "HPU", "XLA", "MTIA", "PrivateUse1")
"""Dispatch keys of backends that have an autocast key of their own, as ``AutocastCPU``.

Source: ``get_autocast_dispatch_key_from_device_type`` in ``aten/src/ATen/autocast_mode.h``."""


@dataclass(frozen=True, slots=True)
class AutocastView:
    """The module.

    Attributes:
        policies: an entry for each op, laid out: qualified name, policy, and the dispatch keys that have kernels.
    """

    policies: tuple[str, ...]


def policy(op: Op) -> str | None:
    """Return the op's policy, ``None`` if autocast leaves its arguments unchanged."""
    stated = op.spec.autocast
    is_cast = stated is not None and stated.value != "none" and op.contract is Contract.FUNCTIONAL
    return stated.value if stated is not None and is_cast and op.tensor_arguments else None


def autocast_files(library: Library) -> Iterator[OutputFile]:
    """Emit the module; nothing for a library without a policy."""
    entries = [
        lay_out(f"{py_string(op.qualified_name)}: ({py_string(stated)}, {py_strings(_keys(op))}),", 1)
        for op in library.ops
        if (stated := policy(op)) is not None
    ]
    if entries:
        view = AutocastView(tuple(entries))
        yield OutputFile(f"{folder(library)}/_autocast.py", render("python/autocast.py.j2", view))


def _keys(op: Op) -> tuple[str, ...]:
    """Return the backends that have a kernel: all of them for a composite kernel."""
    stated = {"CUDA" if kernel.dispatch_key == "HIP" else kernel.dispatch_key for kernel in op.kernels}
    is_composite = any(key.startswith("Composite") for key in stated)
    return tuple(key for key in AUTOCAST_KEYS if is_composite or key in stated)
