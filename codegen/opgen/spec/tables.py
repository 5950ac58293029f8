"""The tables of keys of each mapping, with hints for keys that don't exist, or belong to another mapping."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from opgen.spec.dispatch_form import DISPATCH_KEYS, KERNEL_TABLE
from opgen.spec.fields import Key, Table
from opgen.spec.library_keys import INCLUDED_KEYS, LIBRARY_KEYS
from opgen.spec.op_keys import DEFAULTS_KEYS, OP_KEYS
from opgen.spec.tests_form import TESTS_TABLE

_DERIVED = "leave it out: the contract is derived from the schema"
_WRITES = "leave it out: a write is stated by '!' in the schema only, `Tensor(a!) x`"

_WORDS = {
    # torch.library.custom_op and Library.define
    "mutates_args": _WRITES,
    "mutates": _WRITES,
    "name": "the name stands in 'func', before its arguments",
    "args": "arguments stand in 'func'",
    "arguments": "arguments stand in 'func'",
    "returns": "returns stand in 'func', behind '->'",
    "kernel": "write it under 'dispatch', {CPU: cpp}",
    "kernels": "write them under 'dispatch', {CPU: cpp}",
    "backward": "write formulas under 'autograd', {x: grad * y}, or call the backward op there, {x: f_backward(grad)}",
    "setup_context": "write formulas under 'autograd': what they use is saved",
    # the contract, which is derived and never declared
    "kind": _DERIVED,
    "contract": _DERIVED,
    "inplace": _DERIVED,
    "out": "write an out= op as 'name.out(…, *, Tensor(a!) out) -> Tensor(a!)' in 'func', or derive it by 'autogen'",
    # native_functions.yaml
    "variants": "leave it out: ops of a library are called as torch.ops.NAMESPACE.NAME, never as methods",
    "device_check": "leave it out: devices are checked by 'tensors', one device for all where none is named",
    "device_guard": "leave it out: the guard is generated",
    "python_module": "leave it out: 'package' names the Python package",
    "structured": "leave it out: a kernel fills outputs that are allocated by the contract; see 'autogen'",
    "structured_delegate": "leave it out: see 'autogen'",
    "structured_inherits": "leave it out: see 'autogen'",
    "precomputed": "leave it out: sizes are computed from 'tensors'",
    "ufunc_inner_loop": "see 'pointwise'",
    "manual_kernel_registration": "see 'registered'",
    "manual_cpp_binding": "leave it out: no C++ binding is generated",
    "cpp_no_default_args": "leave it out: no C++ binding is generated",
    "use_const_ref_for_mutable_tensors": "leave it out: a kernel gets `Tensor&` where the schema writes",
}


_RENAMED = {
    "schema": "func",
    "signature": "func",
    "docstring": "doc",
    "description": "doc",
    "shapes": "tensors",
    "requires": "checks",
    "meta": "fake",
    "abstract": "fake",
    "backend": "dispatch",
    "backends": "dispatch",
    "derivatives": "autograd",
}


def _placed(keys: tuple[Key[Any], ...], where: str) -> dict[str, str]:
    return {key.name: f"'{key.name}' belongs {where}" for key in keys}


_BACKENDS = {
    name: f"write it under 'dispatch', {{{name}: {'cuda' if 'CUDA' in name else 'cpp'}}}" for name in DISPATCH_KEYS
}
_IN_TESTS = _placed(TESTS_TABLE.keys, "under 'tests'")
_IN_KERNEL = _placed(KERNEL_TABLE.keys, "to a kernel under 'dispatch'")
_AT_TOP = _placed(LIBRARY_KEYS, "at the top of the main file")
_IN_EACH_OP = _placed(OP_KEYS, "to each op: it is never the same for all")
_IN_OP_OR_DEFAULTS = {**_placed(OP_KEYS, "to an op"), **_placed(DEFAULTS_KEYS, "to an op, or under 'defaults'")}


def _table(what: str, keys: tuple[Key[Any], ...], *hints: Mapping[str, str]) -> Table:
    """Make a table of keys with hints for other words; of two hints for a word the first one applies."""
    joined = {word: hint for mapping in reversed(hints) for word, hint in mapping.items()}
    names = {key.name for key in keys}
    return Table(
        what,
        keys,
        hints={word: hint for word, hint in joined.items() if word not in names},
        renamed={word: name for word, name in _RENAMED.items() if name in names},
    )


OP_TABLE = _table("an op", OP_KEYS, _WORDS, _BACKENDS, _IN_TESTS, _IN_KERNEL, _AT_TOP)
DEFAULTS_TABLE = _table("'defaults'", DEFAULTS_KEYS, _IN_EACH_OP, _WORDS, _BACKENDS, _IN_TESTS, _IN_KERNEL, _AT_TOP)
LIBRARY_TABLE = _table("the library", LIBRARY_KEYS, _IN_OP_OR_DEFAULTS, _WORDS, _BACKENDS, _IN_TESTS)
INCLUDED_TABLE = _table("an included file", INCLUDED_KEYS, _AT_TOP, _IN_OP_OR_DEFAULTS, _WORDS, _BACKENDS, _IN_TESTS)
