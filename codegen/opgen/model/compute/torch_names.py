"""Where the package keeps what an expression computes, as functions of PyTorch."""

from __future__ import annotations

import keyword

MODULE = "_expressions"
"""The module of the package."""

_TAKEN = frozenset({"torch", "math", "Tensor", "Any", "Callable", "Literal", "Sequence"})


def reference_name(identifier: str) -> str:
    """Return the function that computes what an op does."""
    is_taken = keyword.iskeyword(identifier) or identifier in _TAKEN or identifier.startswith("_")
    return f"op_{identifier}" if is_taken else identifier


def fill_name(identifier: str) -> str:
    """Return the function that is a kernel of an op: it fills what it is given."""
    return f"fill_{identifier}"


def backward_name(identifier: str) -> str:
    """Return the function that computes the gradients of an op's arguments."""
    return f"{reference_name(identifier)}_backward"


def place(package: str, function: str) -> str:
    """Return a function of the module as ``module:function``."""
    return f"{package}.{MODULE}:{function}"


def triton_place(package: str, identifier: str) -> str:
    """Return the function that launches an op's kernel in Triton, as ``module:function``."""
    name = f"{identifier}_" if keyword.iskeyword(identifier) else identifier
    return f"{package}._triton_kernels.{name}:fill_{name}"
