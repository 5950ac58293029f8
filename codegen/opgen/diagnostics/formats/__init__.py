"""The ways to print findings: each a pure function from diagnostics to a text that ends in a line break."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from opgen.diagnostics.diagnostic import Diagnostic
from opgen.diagnostics.formats.concise import concise
from opgen.diagnostics.formats.json import json_list
from opgen.diagnostics.formats.text import text


class Format(Protocol):
    """A printer; ``color`` asks for ANSI colours where the format has any."""

    def __call__(self, diagnostics: Sequence[Diagnostic], *, color: bool = False) -> str:
        """Print findings in their order."""


FORMATS: Mapping[str, Format] = MappingProxyType({"text": text, "concise": concise, "json": json_list})
"""Name of the format, as ``--format`` takes it, -> printer."""

__all__ = ["FORMATS", "Format"]
