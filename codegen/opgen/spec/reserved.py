"""Reserved words, and the names that a namespace or package can't have."""

from __future__ import annotations

from keyword import iskeyword

_PYTORCHS_OWN = frozenset({"aten", "prim", "prims"})
_CPP_NAMESPACES = frozenset({"std", "torch", "at", "c10"})
_CPP_WORDS = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class co_await
    co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete do
    double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace
    new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires return
    short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef
    typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq linux unix
"""
CPP_WORDS = frozenset(_CPP_WORDS.split())
"""Reserved words of C++20 ([lex.key], [lex.digraph]), and GCC's macros `linux` and `unix`."""


def why_no_namespace(name: str) -> str:
    """Return the reason why a namespace can't have this name; empty if it can."""
    if name in _PYTORCHS_OWN:
        return "is PyTorch's own"
    if name in _CPP_NAMESPACES:
        return "is a C++ namespace that generated code uses"
    return "is a keyword" if iskeyword(name) or name in CPP_WORDS else ""


def why_no_package(name: str) -> str:
    """Return the reason why a package, perhaps dotted, can't have this name; empty if it can."""
    parts = name.split(".")
    keyword = next((part for part in parts if iskeyword(part)), None)
    if keyword is not None:
        return f"holds the keyword '{keyword}'"
    return "would hide another package" if parts[0] in {"torch", "opgen"} else ""
