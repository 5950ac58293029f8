"""OPG518: an op that is declared to be generated, and defined by hand as well."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePath

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.rules.registrations.examples import HAND_WRITTEN
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule
from opgen.rules.rule import finding, ops_yaml
from opgen.source import Location
from opgen.spec.yaml import shown_path

CODE = Code(
    id="OPG518",
    name="declared-and-defined",
    severity=Severity.ERROR,
    summary="An op of `ops.yaml` is both generated and defined by hand.",
    why=(
        "The generated package defines the op, and so does the source: whichever is loaded second raises (`Tried to "
        "register an operator … multiple times`). This is the state of a library after `opgen import`, until its own "
        "registrations are removed."
    ),
    bad=ops_yaml("clip(Tensor(a!) x, float high) -> ()", beside=(HAND_WRITTEN,)),
    good=ops_yaml("clip(Tensor(a!) x, float high) -> ()\nregistered: csrc/bindings.cpp", beside=(HAND_WRITTEN,)),
    remedy="take the definition out of the source, or declare the op as `registered` there",
)
_GENERATED = "generated"


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Check each op without `registered`; a definition that `#if` may leave out is not reported."""
    for library in joined.libraries:
        folder = PurePath(shown_path(Path(library.spec.path).parent))
        for op in library.ops:
            place = None if op.declared.registered else _definition(op.qualified_name, joined, folder)
            if place is not None:
                path = PurePath(place.source.path).relative_to(folder).as_posix()
                message = f"'{op.qualified_name}' is generated from this, and defined in '{place.source.path}' as well"
                other = "leave it out of `autogen`" if op.is_derived else f"declare the op as `registered: {path}`"
                help_ = f"take the definition out of the source, or {other}"
                note = Note("it is defined here", place)
                yield finding(CODE, op, message, op.schema.name.span, help=help_, notes=(note,))


def _definition(name: str, joined: Joined, folder: PurePath) -> Location | None:
    """Return the place where a source of the library, not generated, defines an op in every build; else ``None``."""
    for one in joined.ops[name].definitions if name in joined.ops else ():
        statement = one.statement
        path = PurePath(statement.location.source.path)
        is_of_library = path.is_relative_to(folder) and _GENERATED not in path.parts
        if statement.language != "live" and not statement.conditions and is_of_library:
            return statement.location
    return None


RULE = RegistrationRule(CODE, check)
