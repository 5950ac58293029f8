"""Names of a schema as identifiers of Python and C++.

A schema may call an argument ``class``, ``double`` or ``len``: legal there, a syntax error or a shadowed name in what is
generated. A reserved name gets one underscore; so does a reserved name with underscores at its end, which keeps the
renaming injective: ``class`` and ``class_`` become ``class_`` and ``class__``.
"""

from __future__ import annotations

import keyword

from opgen.spec.reserved import CPP_WORDS

# Names that generated function bodies use unqualified. Each one costs a public parameter its name, so they are few.
_PYTHON = frozenset(keyword.kwlist) | {"torch", "math", "len", "enumerate"}

# Macros of C headers that C++ knows, then what generated bodies use unqualified. Names in front of `::` (`std`, `checks`)
# can't be hidden by a variable: [basic.lookup.qual].
_CPP_NAMES = """
    NULL EOF NAN INFINITY assert errno stdin stdout stderr major minor makedev DEF IMPL FRAGMENT
    Tensor ScalarType Device int64_t dispatch kernel_not_written
"""
_CPP = CPP_WORDS | set(_CPP_NAMES.split())


def python_name(name: str) -> str:
    """Return a name as a Python identifier: ``lambda`` -> ``lambda_``, ``eps`` unchanged."""
    return f"{name}_" if name.rstrip("_") in _PYTHON else name


def cpp_name(name: str) -> str:
    """Return a name as a C++ identifier: ``double`` -> ``double_``, ``eps`` unchanged."""
    return f"{name}_" if name.rstrip("_") in _CPP else name
