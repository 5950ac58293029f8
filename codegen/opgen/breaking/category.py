"""Who is hit by a change."""

from __future__ import annotations

from enum import Enum


class Category(Enum):
    """A kind of caller. The value is how it is shown, ``meaning`` what the documentation says of it."""

    PYTHON = "PYTHON"
    """Calls of ``torch.ops.NAMESPACE.OP`` and of the package's functions, as they are written today, fail or mean another."""

    EXPORT = "EXPORT"
    """A graph that was exported or scripted with one version can't be loaded with the other, or calls something else."""

    CXX = "CXX"
    """C++ that calls the op through the dispatcher has to be changed, or at least compiled again."""

    SEMANTIC = "SEMANTIC"
    """The same call with the same arguments does something else, or is refused."""


MEANINGS = {
    Category.PYTHON: "calls of `torch.ops` and of the package's functions, by position and by keyword",
    Category.EXPORT: "graphs that `torch.export` or TorchScript has saved, loaded with the other version",
    Category.CXX: "C++ that calls the op through the dispatcher",
    Category.SEMANTIC: "the same call does something else, or is refused",
}
"""What the documentation says of each."""
