"""The form of ``dispatch``: which kernel serves which dispatch key."""

from __future__ import annotations

import re
from typing import get_args

from opgen.source import Text
from opgen.spec.fields import EVERY_VALUE, Fields, Key, Table
from opgen.spec.forms import FLAG, Form, checked, mapped, one_of, word
from opgen.spec.library import DispatchEntry, KernelKind
from opgen.spec.report import Report
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
"""Backends and composites of ``c10/core/DispatchKey.h`` that a library of operators writes kernels for."""

_KIND = word(
    get_args(KernelKind),
    otherwise='state the kind of kernel, {CPU: cpp}; an existing function is named by {kernel: cuda, symbol: "mylib::function"}',
)
_SYMBOL = checked(
    "a qualified function",
    re.compile(r"(::)?[A-Za-z_]\w*((::|\.|:)[A-Za-z_]\w*)*", re.ASCII).fullmatch,
    "write 'a::f' for C++ and CUDA, 'module:function' for Python and Triton",
)

KERNEL = Key("kernel", _KIND, "How the kernel is written.", "cuda", required=True, not_generated="all but `cpp`")
SYMBOL = Key(
    "symbol",
    mapped(_SYMBOL, lambda text: text.value),
    "An existing function to call instead of the one that is named after the op: `a::f`, or `module:function` for "
    "`python` and `triton`.",
    '"mylib::rms_norm_cuda"',
    default="`NAMESPACE::BACKEND::NAME`",
    not_generated=EVERY_VALUE,
)
ALLOCATES = Key(
    "allocates",
    FLAG,
    "The function returns fresh tensors instead of filling given ones.",
    "true",
    default="`false`",
    not_generated="`true`",
)
KERNEL_TABLE = Table("a kernel", (KERNEL, SYMBOL, ALLOCATES))

_NO_KERNELS = {
    "Meta": "the kernel for meta tensors is the fake kernel, see 'fake'",
    **dict.fromkeys(("Autograd", "AutogradCPU", "AutogradCUDA"), "write formulas under 'autograd'"),
    **dict.fromkeys(("Autocast", "AutocastCPU", "AutocastCUDA"), "write a policy under 'autocast'"),
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
            continue  # whatever stands there, it belongs elsewhere
        entry = _read_kernel(pair.key.text, pair.value, report.under(pair.key.text.value))
        if key is not None and entry is not None:
            entries.append(entry)
    return tuple(entries)


def _read_kernel(key: Text, node: Node, report: Report) -> DispatchEntry | None:
    if not isinstance(node, Mapping):
        kind = _KIND.read(node, report)
        return None if kind is None else DispatchEntry(key, kind)
    fields = Fields(node, KERNEL_TABLE, report)
    kind, symbol, allocates = fields.get(KERNEL), fields.get(SYMBOL), fields.get(ALLOCATES)
    return None if kind is None else DispatchEntry(key, kind, symbol, allocates or False)


DISPATCH: Form[tuple[DispatchEntry, ...]] = Form("a mapping of dispatch keys to kernels", _read_dispatch)
