"""What is known of ops that were registered by hand, as entries of an ``ops.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from opgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """One op.

    Attributes:
        name: the qualified name.
        func: the canonical schema, as it is to stand in the file.
        keys: further keys -> their values in YAML.
        notes: what is known and can't be stated.
        has_fake: whether a fake kernel is registered, or none is needed.
        has_gradient: whether a gradient is registered.
        refused: why the op can't be declared, in the words of ``lint``; empty if it can.
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
    """What became of all that was read.

    Attributes:
        namespace: the one of most ops; the others are named in ``func``.
        entries: one an op, in the order of the sources.
        unread: what could not be read, each with its place and the reason.
        imports: Python modules that register ops, or load what does.
        same_for_all: keys and values that hold for every entry.
    """

    namespace: str
    entries: tuple[Entry, ...]
    unread: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    same_for_all: Mapping[str, str] = field(default_factory=dict)

    @property
    def declared(self) -> tuple[Entry, ...]:
        """The entries that stand in the file, and not only in a comment."""
        return tuple(entry for entry in self.entries if not entry.refused)

    @property
    def is_whole(self) -> bool:
        """Whether nothing was left out."""
        return not self.unread and len(self.declared) == len(self.entries)
