"""Emitted files as values: targets yield them, and ``opgen.emit`` writes them once every target is done."""

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
        once: it is a skeleton, written only if no file exists at ``path``; from then on it is the author's.
    """

    path: str
    content: str
    once: bool = False


Target: TypeAlias = Callable[[Library], Iterable[OutputFile]]
"""A pure function from the model of a library to the files of one kind of output."""
