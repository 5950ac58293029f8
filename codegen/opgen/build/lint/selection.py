"""Selects the findings to report by code and file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path

from opgen.build.globs import matches, relative
from opgen.diagnostics import Code, Diagnostic
from opgen.records import dataclass
from opgen.words import closest

ALL = "ALL"


@dataclass(frozen=True, slots=True)
class Selection:
    """The combination of ``--select``, ``--ignore`` and ``per-file-ignores``.

    Attributes:
        select: ids, prefixes of ids, names, or ``ALL``.
        ignore: the same for codes to ignore. If both match a code, the longer entry wins; of equal ones ``ignore``.
        per_file_ignores: pattern of paths -> entries to ignore there.
        root: the folder that patterns are relative to.
    """

    select: tuple[str, ...] = (ALL,)
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    root: Path = Path()

    def __call__(self, diagnostic: Diagnostic) -> bool:
        """Whether a finding is reported."""
        return self.selects(diagnostic.code) and not self._is_ignored_there(diagnostic)

    def selects(self, code: Code) -> bool:
        """Whether findings of a code are reported in any file."""
        return _weight(code, self.select) > _weight(code, self.ignore)

    def _is_ignored_there(self, diagnostic: Diagnostic) -> bool:
        if not self.per_file_ignores or diagnostic.location is None:
            return False
        path = relative(Path(diagnostic.location.source.path), self.root)
        return any(
            _weight(diagnostic.code, entries) and matches(pattern, path)
            for pattern, entries in self.per_file_ignores.items()
        )


def unknown_entries(entries: Iterable[str], codes: Iterable[Code]) -> Iterator[tuple[str, str]]:
    """Yield each entry that matches no code, with a suggestion or an empty text."""
    ids, names = [], []
    for code in codes:
        ids.append(code.id)
        names.append(code.name)
    for entry in entries:
        is_beginning = entry.startswith("OPG") and any(id_.startswith(entry) for id_ in ids)
        if entry != ALL and not is_beginning and entry not in names:
            is_id = entry.upper().startswith("OPG")  # a similar number is no useful suggestion
            close = None if is_id else closest(entry.lower(), names)
            yield entry, f"did you mean '{close}'?" if close else "`opgen rules` lists all codes"


def _weight(code: Code, entries: Iterable[str]) -> int:
    """Return the precedence of the entry that matches a code best: 0 for none, 1 for ``ALL``, else by its length."""
    weights = (
        len(code.id) if entry == code.name else 1 if entry == ALL else len(entry) if code.id.startswith(entry) else 0
        for entry in entries
    )
    return max(weights, default=0)
