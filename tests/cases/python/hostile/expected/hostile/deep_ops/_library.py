"""The compiled half of the package."""

# mypy: disable-error-code="no-untyped-call"
# torch.ops and torch.library carry few annotations.

from __future__ import annotations

import ctypes
import sys
from pathlib import Path
from typing import Any, NoReturn

import torch

from . import _private
from ._schemas import DEFINED, LIBRARIES, Operator, schema_hash

REQUIRED = (2, 10)
NAME = "hostile_deep_ops"
_SUFFIX = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
PATH = Path(__file__).with_name(f"lib{NAME}{_SUFFIX}")

# (operator, dispatch key) -> why a call raises.
UNAVAILABLE: dict[tuple[str, str], str] = {}


def is_torch_new_enough() -> bool:
    """Say whether this PyTorch can open the library.

    An older one lacks symbols that the library needs, and opening it would end in a linker's message at best. So the
    package stays importable, and calling an operator says why it can't.
    """
    found = tuple(int(part) for part in torch.__version__.split(".")[:2])
    if found >= REQUIRED:
        return True
    required = ".".join(map(str, REQUIRED))
    for operator in DEFINED:
        reason = f"{__package__} was built for torch >= {required}, this is torch {torch.__version__}"
        _make_unavailable(operator, "CompositeExplicitAutograd", reason)
    return False


def load() -> None:
    """Open the library, compare its schemas with the package's, look for its kernels.

    An operator that this build leaves out says so when it is called.

    Raises:
        ImportError: the library is missing, can't be opened, or was compiled for other schemas.
    """
    if not any(operator.kernels for operator in DEFINED):
        return  # another copy of this package serves them, or no kernel is compiled
    _open(PATH)
    for operator in DEFINED:
        for key in operator.kernels:
            if not _private.has_kernel(operator.name, key):
                _make_unavailable(operator, key, f"{operator.name} has no {key} kernel in {PATH}")


def _open(path: Path) -> None:
    if not path.is_file():
        raise ImportError(f"{__package__}: the compiled library is missing, looked for {path}: run `opgen build`")
    try:
        torch.ops.load_library(str(path))
    except OSError as error:
        raise ImportError(f"{__package__} can't open {path}: {error.__cause__ or error}") from error
    if _compiled_hash(path) != schema_hash():
        raise ImportError(f"{__package__}: {path} was compiled for other schemas than these: run `opgen build`")


def _compiled_hash(path: Path) -> str:
    try:
        function = getattr(ctypes.CDLL(str(path)), f"{NAME}_schema_hash")
    except AttributeError:
        return ""
    function.restype = ctypes.c_char_p
    return bytes(function()).decode()


def _make_unavailable(operator: Operator, key: str, reason: str) -> None:
    def kernel(*args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError(reason)

    UNAVAILABLE[operator.name, key] = reason
    LIBRARIES[operator.namespace].impl(operator.name.partition("::")[2], kernel, key)
