"""Functions outside of the sources that write what they are given: of C, C++, CUDA, intrinsics and ATen."""

from __future__ import annotations

import re

from opgen.readers.cpp.tensor_methods import is_in_place

_FIRST = re.compile(
    r"(?:gpu|fast|cpu_)?[aA]tomic_?(?:Add|Sub|Max|Min|Exch|CAS|Or|And|Xor|Inc|Dec|add)\w*"
    r"|mem(?:cpy|set|move)|(?:cuda|hip|musa)Mem(?:cpy|set)(?:Async)?"
    r"|__st(?:cg|cs|wb|wt)|_mm\d*_(?:mask_)?(?:store|stream)\w*|v?st[1-4]q?_[a-z]+\d+\w*|vse\d+_v_\w+"
)
_FIRST_OF_STD = frozenset({"fill", "fill_n", "iota", "sort", "stable_sort", "reverse", "memcpy", "memset", "memmove"})
_THIRD_OF_STD = frozenset({"copy", "copy_n", "transform", "partial_sum", "copy_if"})
_ATEN = re.compile(r"(?:::)?(?:at|torch)::(?:cpu::|cuda::|native::|stable::)?\w+")
STORING_METHODS = frozenset({"store", "save", "storeu", "store_to", "add_output"})
"""Methods that write to what they are given first, as vectors in registers do."""


def written_by(name: str, last_name: str, given: int) -> int | None:
    """Return which argument a function outside of the sources writes.

    Args:
        name: as it is called, ``std::copy``.
        last_name: the last part of it.
        given: how many arguments it gets.
    """
    if _FIRST.fullmatch(last_name):
        return 0
    if _ATEN.fullmatch(name):
        return 0 if last_name.endswith("_out") or is_in_place(last_name) else None
    if not name.startswith(("std::", "::std::", "thrust::")):
        return None
    if last_name in _FIRST_OF_STD:
        return 0
    return 2 if given > 2 and last_name in _THIRD_OF_STD else None  # noqa: PLR2004 - the third
