"""Builds the model of a library from its ``ops.yaml``: every declared op resolved, and the ops derived from it."""

from __future__ import annotations

from functools import partial

from opgen.diagnostics import Diagnostic, has_errors
from opgen.diagnostics.diagnostic import Note
from opgen.model.build_op import build_op
from opgen.model.codes import TAKEN_VARIANT
from opgen.model.family import derive_members, with_resizing
from opgen.model.gradients.resolve import with_gradients
from opgen.model.op import Library, Op
from opgen.records import dataclass
from opgen.spec.library import LibrarySpec


@dataclass(frozen=True, slots=True)
class BuildResult:
    """A library and the diagnostics found while it was resolved.

    The library holds every declared op even after mistakes, so that rules can check all of it. If a diagnostic is an
    error the ops may be incomplete, and nothing may be generated from them.
    """

    library: Library
    diagnostics: tuple[Diagnostic, ...]


def build_library(spec: LibrarySpec) -> BuildResult:
    """Resolve a whole library."""
    ops: list[Op] = []
    diagnostics: list[Diagnostic] = []
    for op_spec in spec.ops:
        op, found = build_op(op_spec, spec)
        diagnostics += found
        if not has_errors(found):
            build = partial(build_op, library=spec)
            members, found = derive_members(op, build)
            ops += members
            diagnostics += found
            resized = with_resizing(op, build)
            if isinstance(resized, Op):
                op = resized
            else:
                diagnostics.append(resized)
        ops.append(op)
    ops, found = _without_taken(ops)
    diagnostics += found
    ops, found = with_gradients(ops)
    diagnostics += found
    ops.sort(key=lambda op: op.qualified_name)
    return BuildResult(Library(spec, tuple(ops)), tuple(diagnostics))


def _without_taken(ops: list[Op]) -> tuple[list[Op], list[Diagnostic]]:
    """Leave out derived ops whose name another op has already; declared ops take precedence over derived ones."""
    known: dict[str, Op] = {}
    found = []
    for op in sorted(ops, key=lambda op: op.is_derived):
        first = known.setdefault(op.qualified_name, op)
        if first is not op:
            declared = op.declared.qualified_name
            message = f"{op.qualified_name} can't be derived from {declared}: there is an op of this name"
            note = Note("it is declared here" if first is first.declared else "it is derived here", first.location)
            found.append(Diagnostic(TAKEN_VARIANT, message, op.location, TAKEN_VARIANT.remedy, declared, (note,)))
    return list(known.values()), found
