"""Generates the files of a library as values from its ``ops.yaml``. Imports no torch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from opgen.build.check import check
from opgen.build.custom_templates import template_mistake, unused_templates
from opgen.diagnostics import Diagnostic, has_errors
from opgen.emit.file_set import FileSet
from opgen.model.codes import UNSUPPORTED
from opgen.model.op import Library
from opgen.records import dataclass
from opgen.targets.output import Target
from opgen.targets.registry import TARGETS
from opgen.targets.templates import custom_templates


@dataclass(frozen=True, slots=True)
class Generated:
    """The files of a library, and all diagnostics.

    Library and files are ``None`` if a diagnostic is an error: nothing is generated from an invalid library.
    """

    library: Library | None
    files: FileSet | None
    diagnostics: tuple[Diagnostic, ...]


def generate(path: Path, targets: Iterable[Target] = TARGETS) -> Generated:
    """Check a library, then run every target. Valid declarations that can't be generated yet are errors here."""
    checked = check(path)
    library, diagnostics = checked.library, tuple(map(_weighed, checked.diagnostics))
    if library is None or has_errors(diagnostics):
        return Generated(None, None, diagnostics)
    with custom_templates(path.parent) as custom:
        try:
            files = tuple(file for target in targets for file in target(library))
        except Exception as error:
            problem = template_mistake(error, custom)
            if problem is None:
                raise
            return Generated(None, None, (*diagnostics, problem))
        diagnostics += tuple(unused_templates(custom))
    return Generated(library, FileSet(files, source=path.name), diagnostics)


def _weighed(diagnostic: Diagnostic) -> Diagnostic:
    return replace(diagnostic, severity_override=None) if diagnostic.code is UNSUPPORTED else diagnostic
