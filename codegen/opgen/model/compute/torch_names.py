"""Names of the functions that the generated package has for an op with expressions."""

from __future__ import annotations

import keyword

MODULE = "_expressions"
"""The module of the package with the PyTorch functions."""

_TAKEN = frozenset({"torch", "math", "Tensor", "Any", "Callable", "Literal", "Sequence"})


def reference_name(identifier: str) -> str:
    """Return the name of the function that computes an op with PyTorch: the reference."""
    is_taken = keyword.iskeyword(identifier) or identifier in _TAKEN or identifier.startswith("_")
    return f"op_{identifier}" if is_taken else identifier


def fill_name(identifier: str) -> str:
    """Return the name of the function that is the op's Python kernel, which fills preallocated outputs."""
    return f"fill_{identifier}"


def backward_name(identifier: str) -> str:
    """Return the name of the function that computes the gradients of an op's arguments."""
    return f"{reference_name(identifier)}_backward"


def place(package: str, function: str) -> str:
    """Return a function of the module as ``module:function``."""
    return f"{package}.{MODULE}:{function}"


def triton_place(package: str, identifier: str) -> str:
    """Return the launcher of an op's Triton kernel as ``module:function``."""
    name = f"{identifier}_" if keyword.iskeyword(identifier) else identifier
    return f"{package}._triton_kernels.{name}:fill_{name}"
