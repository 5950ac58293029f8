"""What a target yields: files as values. Nothing is written before every target is done (see ``opgen.emit``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from opgen.model.op import Library
from opgen.records import dataclass


@dataclass(frozen=True, slots=True)
class OutputFile:
    """One file to emit.

    Attributes:
        path: relative to the folder of ``ops.yaml``, with forward slashes.
        content: the whole text, ending in one line break; the ``@generated`` line is added by ``opgen.emit``.
        once: a skeleton: written where nothing stands, from then on the author's.
    """

    path: str
    content: str
    once: bool = False


Target: TypeAlias = Callable[[Library], Iterable[OutputFile]]
"""A pure function from the model to files, one module a target."""
