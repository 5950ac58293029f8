"""Names of a schema as identifiers of Python and C++.

A schema may call an argument ``double`` or ``len``: legal there, a syntax error or a shadowed name in what is
generated. A reserved name gets one underscore; so does a reserved name with underscores at its end, which keeps the
renaming injective: ``double`` and ``double_`` become ``double_`` and ``double__``. Keywords of Python never meet the
names that the rule ``python-keyword`` proposes for them, so ``from_`` stays as callers write it.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Sequence

from opgen.spec.reserved import CPP_WORDS

# Names that the bodies of generated Python functions use unqualified.
_PYTHON = frozenset({"torch", "math", "len", "Checker"})

# Macros of C headers that C++ knows, then what generated bodies use unqualified. Names in front of `::` (`std`,
# `checks`) can't be hidden by a variable: [basic.lookup.qual].
_CPP_NAMES = """
    NULL EOF NAN INFINITY I BUFSIZ assert errno stdin stdout stderr major minor makedev DEF IMPL FRAGMENT
    CHAR_BIT INT_MIN INT_MAX UINT_MAX LONG_MIN LONG_MAX SIZE_MAX INT32_MAX INT64_MAX RAND_MAX MAXFLOAT M_E M_PI
    FLT_MIN FLT_MAX FLT_EPSILON DBL_MIN DBL_MAX DBL_EPSILON
    Tensor ScalarType Device int64_t dispatch kernel_not_written
    DeviceGuard kThreads blocks_for current_stream check_launch
    Half BFloat16 complex Float8_e4m3fn Float8_e4m3fnuz Float8_e5m2 Float8_e5m2fnuz Float8_e8m0fnu
    uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t
"""
_CPP = CPP_WORDS | set(_CPP_NAMES.split())


def parameter_name(name: str) -> str:
    """Return the keyword under which callers pass an argument: ``from`` -> ``from_``, ``len`` and ``eps`` unchanged."""
    return f"{name}_" if keyword.iskeyword(name) else name


def python_name(name: str) -> str:
    """Return a name as a local variable of generated Python: ``len`` -> ``len_``, ``eps`` unchanged."""
    return f"{name}_" if name.rstrip("_") in _PYTHON else parameter_name(name)


def cpp_name(name: str) -> str:
    """Return a name as a C++ identifier: ``double`` -> ``double_``, ``eps`` unchanged."""
    return f"{name}_" if name.rstrip("_") in _CPP else name


class FreeNames:
    """Makes names free: of the ones that are taken, and of the ones made before."""

    def __init__(self, taken: Iterable[str], ends: Sequence[str] = ("",)) -> None:
        """Prepare; ``ends`` is what is put behind a name to make others of it, which have to be free as well."""
        self._taken, self._ends = set(taken), ends

    def __call__(self, name: str) -> str:
        """Return a name, with underscores where it isn't free."""
        while any(f"{name}{end}" in self._taken for end in self._ends):
            name += "_"
        self._taken.update(f"{name}{end}" for end in self._ends)
        return name
