"""The form of ``dispatch``, which maps dispatch keys to kernels."""

from __future__ import annotations

from typing import get_args

from opgen.source import Text
from opgen.spec.codes import BAD_VALUE
from opgen.spec.fields import Fields, Key, Table
from opgen.spec.forms import FILE, FLAG, Form, matching, one_of, word
from opgen.spec.library import DispatchEntry, KernelKind
from opgen.spec.report import Report, shorten
from opgen.spec.yaml import Mapping, Node

DISPATCH_KEYS = (
    "CPU",
    "CUDA",
    "HIP",
    "XPU",
    "MPS",
    "HPU",
    "XLA",
    "MTIA",
    "PrivateUse1",
    "PrivateUse2",
    "PrivateUse3",
    "MkldnnCPU",
    "NestedTensorCPU",
    "NestedTensorCUDA",
    "QuantizedCPU",
    "QuantizedCUDA",
    "SparseCPU",
    "SparseCUDA",
    "SparseCsrCPU",
    "SparseCsrCUDA",
    "CompositeExplicitAutograd",
    "CompositeExplicitAutogradNonFunctional",
    "CompositeImplicitAutograd",
)
"""The dispatch keys that may have a kernel: backends and Composite keys. Source: ``c10/core/DispatchKey.h``."""

LAYER_KEYS = (
    *(key for key in DISPATCH_KEYS if not key.startswith("Composite")),
    "BackendSelect",
    "ADInplaceOrView",
    *(f"Autograd{backend}" for backend in ("CPU", "CUDA", "XPU", "MPS", "HPU", "XLA", "MTIA", "PrivateUse1", "Other")),
    *(f"Autocast{backend}" for backend in ("CPU", "CUDA", "XPU", "MPS", "HPU", "XLA", "MTIA", "PrivateUse1")),
    "Tracer",
    "FuncTorchBatched",
    "FuncTorchDynamicLayerFrontMode",
    "Conjugate",
    "Negative",
    "ZeroTensor",
    "Functionalize",
    "PreDispatch",
)
"""The dispatch keys for ``layers``: functionalities in front of the kernels, and backends.

Source: ``c10/core/DispatchKey.h``.
"""

_KIND = word(
    get_args(KernelKind),
    otherwise='state the kind of kernel, {CPU: cpp}; an existing function is named by {kernel: cuda, symbol: "mylib::function"}',
)
_SYMBOL = matching(
    "a qualified function",
    r"(::)?[A-Za-z_]\w*((::|\.|:)[A-Za-z_]\w*)*",
    "write 'a::f' for C++ and CUDA, 'module:function' for Python and Triton",
)

KERNEL = Key("kernel", _KIND, "How the kernel is written.", "cuda", required=True)
SYMBOL = Key(
    "symbol",
    _SYMBOL,
    "The function to call, if it isn't named after the op: `a::f`, or `module:function` for `python` and `triton`.",
    '"mylib::rms_norm_cuda"',
    default="`NAMESPACE::BACKEND::NAME`",
)
KERNEL_FILE = Key(
    "file",
    FILE,
    "An existing file to include instead of the one named after the op; use it to adopt an existing function. Several "
    "kernels may share a file, see [Existing functions](kernels.md#existing-functions).",
    "csrc/norms.cpp",
    default="`kernels/BACKEND/NAME.cpp`",
)
ALLOCATES = Key(
    "allocates",
    FLAG,
    "The function returns fresh tensors instead of filling preallocated ones; they are checked against the contract.",
    "true",
    default="`false`",
)
KERNEL_TABLE = Table("a kernel", (KERNEL, SYMBOL, KERNEL_FILE, ALLOCATES))

_NO_KERNELS = {
    "Meta": "the kernel for meta tensors is the fake kernel, see 'fake'",
    "Autograd": "write formulas under 'autograd'",
    "Autocast": "write a policy under 'autocast'",
    **{
        key: "what stands in front of kernels is written under 'layers'"
        for key in LAYER_KEYS
        if key not in DISPATCH_KEYS
    },
    **dict.fromkeys(("AutogradCPU", "AutogradCUDA"), "write formulas under 'autograd', or a function under 'layers'"),
    **dict.fromkeys(("AutocastCPU", "AutocastCUDA"), "write a policy under 'autocast', or a function under 'layers'"),
}
_DISPATCH_KEY = one_of(
    DISPATCH_KEYS,
    {"GPU": "did you mean 'CUDA'?", **_NO_KERNELS},
    f"write one key an entry, of {', '.join(DISPATCH_KEYS)}",
    name="a dispatch key",
)


def _read_dispatch(node: Node, report: Report) -> tuple[DispatchEntry, ...] | None:
    if not isinstance(node, Mapping):
        report.wrong_type(node, DISPATCH.name, "write {CPU: cpp}")
        return None
    entries = []
    for pair in node.pairs:
        key = _DISPATCH_KEY.read(pair.key, report)
        if pair.key.text.value in _NO_KERNELS:
            continue  # the key has been reported, so its value doesn't matter
        entry = _read_kernel(pair.key.text, pair.value, report.under(pair.key.text.value))
        if key is not None and entry is not None:
            entries.append(entry)
    return tuple(entries)


def _read_kernel(key: Text, node: Node, report: Report) -> DispatchEntry | None:
    if not isinstance(node, Mapping):
        kind = _KIND.read(node, report)
        return None if kind is None else DispatchEntry(key, kind)
    fields = Fields(node, KERNEL_TABLE, report)
    kind, symbol, file = fields.get(KERNEL), fields.get(SYMBOL), fields.get(KERNEL_FILE)
    if kind is None:
        return None
    name = None if symbol is None else _function(kind, symbol, report)
    return DispatchEntry(key, kind, name, file, fields.get(ALLOCATES) or False)


def _function(kind: KernelKind, symbol: Text, report: Report) -> str | None:
    """Return the function that ``symbol`` names if that is valid in the kernel's language; else it is reported."""
    is_python = kind in {"python", "triton"}
    if is_python == (":" in symbol.value.replace("::", "")) and is_python >= ("." in symbol.value):
        return symbol.value.removeprefix("::")
    expected = "'module:function'" if is_python else "a C++ function, 'a::f'"
    message = f"'{SYMBOL.name}' of a {kind} kernel expects {expected}, found {shorten(symbol.value)}"
    report.add(BAD_VALUE, message, symbol.locate(), f"write {expected}")
    return None


DISPATCH: Form[tuple[DispatchEntry, ...]] = Form(
    "a mapping of dispatch keys to kernels",
    _read_dispatch,
    {
        "type": "object",
        "propertyNames": _DISPATCH_KEY.json,
        "additionalProperties": {"anyOf": [_KIND.json, KERNEL_TABLE.json]},
    },
)
