"""From an ``ops.yaml`` to checked files, the stages in their order. ``lint`` stops half-way, everything else goes on.

Nothing here imports torch.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from opgen.diagnostics import Diagnostic, has_errors, ordered
from opgen.emit.file_set import FileSet
from opgen.model.build import build_library, unsupported
from opgen.model.op import Library
from opgen.rules import run_rules
from opgen.spec.load import load_library
from opgen.targets import TARGETS


@dataclass(frozen=True, slots=True)
class Checked:
    """A library, and all that was found in it; ``None`` where the file could not be read so far."""

    library: Library | None
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Generated:
    """The files of a library, and all that was found in it.

    Both are ``None`` where a finding is an error: nothing is generated from a library that is not valid.
    """

    library: Library | None
    files: FileSet | None
    diagnostics: tuple[Diagnostic, ...]


def check(path: Path) -> Checked:
    """Load, resolve and lint."""
    loaded = load_library(path)
    if loaded.library is None:
        return Checked(None, tuple(ordered(loaded.diagnostics)))
    built = build_library(loaded.library)
    found = [*loaded.diagnostics, *built.diagnostics, *run_rules(built.library)]
    return Checked(built.library, tuple(ordered(found)))


def generate(path: Path) -> Generated:
    """Check, then render every target. Declarations that are valid but not implemented are errors here."""
    checked = check(path)
    library, diagnostics = checked.library, checked.diagnostics
    if library is not None:
        diagnostics = tuple(ordered([*diagnostics, *unsupported(library)]))
    if library is None or has_errors(diagnostics):
        return Generated(None, None, diagnostics)
    files = tuple(file for target in TARGETS for file in target(library))
    return Generated(library, FileSet(files, source=path.name), diagnostics)
