"""Names of a schema as identifiers of Python and C++.

A schema may call an argument ``class``, ``double`` or ``len``: legal there, a syntax error or a shadowed name in what is
generated. A reserved name gets one underscore; so does a reserved name with underscores at its end, which keeps the
renaming injective: ``class`` and ``class_`` become ``class_`` and ``class__``.
"""

from __future__ import annotations

import keyword

# Names that generated function bodies use unqualified. Each one costs a public parameter its name, so they are few.
_PYTHON = frozenset(keyword.kwlist) | {"torch", "math", "len", "enumerate"}

# [lex.key] and [lex.digraph] of C++20 and its contextual macros in C headers, then what generated bodies use
# unqualified. Names in front of `::` (`std`, `checks`) can't be hidden by a variable: [basic.lookup.qual].
_CPP_WORDS = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class co_await
    co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete do
    double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace
    new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires return
    short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef
    typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq
    NULL EOF NAN INFINITY assert errno stdin stdout stderr linux unix major minor makedev DEF IMPL FRAGMENT
    Tensor ScalarType Device int64_t dispatch kernel_not_written
"""
_CPP = frozenset(_CPP_WORDS.split())


def python_name(name: str) -> str:
    """Return a name as a Python identifier: ``lambda`` -> ``lambda_``, ``eps`` unchanged."""
    return f"{name}_" if name.rstrip("_") in _PYTHON else name


def cpp_name(name: str) -> str:
    """Return a name as a C++ identifier: ``double`` -> ``double_``, ``eps`` unchanged."""
    return f"{name}_" if name.rstrip("_") in _CPP else name
