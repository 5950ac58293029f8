"""Loads, resolves and lints an ``ops.yaml``, which every command does first. Imports neither torch nor jinja2."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from opgen.diagnostics import Diagnostic, Severity, ordered
from opgen.model.build import build_library
from opgen.model.op import Library
from opgen.model.unsupported import unsupported
from opgen.records import dataclass
from opgen.rules.registry import run_rules
from opgen.spec.load import load_library
from opgen.spec.yaml import Read, read_source


@dataclass(frozen=True, slots=True)
class Checked:
    """A library, ``None`` if not even its namespace could be read, and all diagnostics."""

    library: Library | None
    diagnostics: tuple[Diagnostic, ...]


def check(path: Path, read: Read = read_source, is_file: Callable[[Path], bool] = Path.is_file) -> Checked:
    """Load, resolve and lint a library. Valid declarations that can't be generated yet are infos here."""
    loaded = load_library(path, read, is_file)
    if loaded.library is None:
        return Checked(None, tuple(ordered(loaded.diagnostics)))
    built = build_library(loaded.library)
    later = (replace(diagnostic, severity_override=Severity.INFO) for diagnostic in unsupported(built.library))
    found = [*loaded.diagnostics, *built.diagnostics, *run_rules(built.library), *later]
    return Checked(built.library, tuple(ordered(found)))
