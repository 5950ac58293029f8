"""The contract of an operator: what it does to its arguments. Derived from the schema, never declared twice."""

from __future__ import annotations

from enum import Enum


class Contract(Enum):
    """The four contracts of ``torch.library``, and views; the values are what JSON and pages show.

    Source: "Choosing the kind of custom op", PyTorch's ``torch.library`` page, and the checks on ``Tag.inplace`` and
    ``Tag.out`` in ``torch/_library/utils.py``.
    """

    FUNCTIONAL = "functional"
    """No argument is written; every result is fresh."""

    INPLACE = "in-place"
    """The first positional argument is a written plain ``Tensor``, alone, and is returned, alone."""

    OUT = "out="
    """All written arguments are keyword-only plain tensors, returned in the order of their declaration."""

    MUTABLE = "mutable"
    """Some argument is written; no result shares memory with an argument."""

    VIEW = "view"
    """Nothing is written; a result shares memory with an argument."""

    IRREGULAR = "irregular"
    """Writes and returns an alias in a way that fits no contract; always accompanied by a diagnostic."""
