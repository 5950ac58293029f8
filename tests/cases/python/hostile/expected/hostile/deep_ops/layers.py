"""What stands in front of kernels: functions at single keys of PyTorch's dispatcher, for good or for a while."""

# mypy: disable-error-code="no-untyped-call"
# torch.library carries few annotations.

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from . import _private
from ._schemas import DEFINED, find


@contextmanager
def replaced(name: str, function: Callable[..., Any], key: str = "CPU") -> Iterator[None]:
    """Put a function in the place of a kernel for a while: to compare the two in a program, or to watch calls.

    Args:
        name: the operator, ``namespace::name.overload``.
        function: is given a function that calls what it replaces, and then the operator's arguments.
        key: a dispatch key: ``CPU``, ``CUDA``, ``AutogradCPU``, ...

    Raises:
        ValueError: this package has no such operator, or the key stands for several.
    """
    if not any(operator.name == name for operator in DEFINED):
        raise ValueError(f"{__package__} has no operator '{name}'")
    if key == "Autograd" or key.startswith("Composite"):
        raise ValueError(f"'{key}' stands for several dispatch keys: name one of them, such as AutogradCPU or CPU")
    library = torch.library.Library(name.partition("::")[0], "FRAGMENT")
    try:
        _put(library, name, key, function)
        yield
    finally:
        library._destroy()


def _put(library: torch.library.Library, name: str, key: str, function: Callable[..., Any]) -> None:
    beneath = _beneath(name, key)

    def kernel(keyset: Any, /, *args: Any, **kwargs: Any) -> Any:
        return function(functools.partial(beneath, keyset), *args, **kwargs)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it replaces another one
        library.impl(name.partition("::")[2], kernel, key, with_keyset=True, allow_override=True)


def _beneath(name: str, key: str) -> Callable[..., Any]:
    """Return what calls the kernel of a key as it is now, or goes on to the next key where it has none."""
    if key.startswith("Autograd") or _private.has_kernel(name, key):
        call: Callable[..., Any] = torch.library.get_kernel(name, key).call_boxed
        return call
    live, later = find(name), _private.keys_after(key)
    return lambda keyset, /, *args, **kwargs: live.redispatch(keyset & later, *args, **kwargs)
