"""The ways to print findings: each a pure function from diagnostics to a text that ends in a line break.

One module a format, imported when that format is asked for, so that none costs the others anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Protocol

from opgen.diagnostics.diagnostic import Diagnostic


class Format(Protocol):
    """A printer; ``color`` asks for ANSI colours where the format has any."""

    def __call__(self, diagnostics: Sequence[Diagnostic], *, color: bool = False) -> str:
        """Print findings in their order."""


def _format(module: str, function: str) -> Format:
    def print_(diagnostics: Sequence[Diagnostic], *, color: bool = False) -> str:
        text: str = getattr(import_module(f"{__name__}.{module}"), function)(diagnostics, color=color)
        return text

    return print_


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "text": _format("text", "text"),
        "concise": _format("concise", "concise"),
        "json": _format("json", "json_list"),
        "github": _format("github", "github"),
        "sarif": _format("sarif", "sarif"),
        "junit": _format("junit", "junit"),
    }
)
"""Name of the format, as ``--format`` takes it, -> printer."""

DOCUMENTS = frozenset({"json", "sarif", "junit"})
"""The formats that are a whole document, also where nothing was found."""

__all__ = ["DOCUMENTS", "FORMATS", "Format"]
