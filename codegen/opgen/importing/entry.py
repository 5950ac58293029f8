"""The entries of an imported ``ops.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from opgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """One op.

    Attributes:
        name: the qualified name.
        func: the canonical schema for the file.
        keys: further key -> its value in YAML.
        notes: comments on facts for which there is no key.
        has_fake: whether a fake kernel is registered, or none is needed.
        has_gradient: whether a gradient is registered.
        refused: the reason why the op can't be declared, as a message of ``lint``; empty if it can.
    """

    name: str
    func: str
    keys: Mapping[str, str]
    notes: tuple[str, ...]
    has_fake: bool
    has_gradient: bool
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of an import.

    Attributes:
        namespace: the namespace of most ops; other namespaces are written in ``func``.
        entries: one entry for each op, in the order of the sources.
        unread: the registrations that could not be read, each with its location and the reason.
        imports: the Python modules that register ops, or load binaries that do.
        same_for_all: keys with the same value for every entry.
    """

    namespace: str
    entries: tuple[Entry, ...]
    unread: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    same_for_all: Mapping[str, str] = field(default_factory=dict)

    @property
    def declared(self) -> tuple[Entry, ...]:
        """The entries that are declared in the file, and not only mentioned in a comment."""
        return tuple(entry for entry in self.entries if not entry.refused)

    @property
    def is_whole(self) -> bool:
        """Whether nothing was left out."""
        return not self.unread and len(self.declared) == len(self.entries)
