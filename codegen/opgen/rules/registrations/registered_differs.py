"""OPG517: an op with ``registered`` whose schema differs from the one that its source registers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from opgen.diagnostics import Code, Diagnostic, Fix, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.model.op import Library, Op
from opgen.model.tags import CONTRACT_TAGS
from opgen.rules.registrations.differences import behind_name, difference
from opgen.rules.registrations.examples import HAND_WRITTEN
from opgen.rules.registrations.joined import Defined, Joined
from opgen.rules.registrations.rule import RegistrationRule
from opgen.rules.rule import finding, listed, ops_yaml, schema_fix
from opgen.source import Span
from opgen.spec.yaml import shown_path

CODE = Code(
    id="OPG517",
    name="registered-differs",
    severity=Severity.ERROR,
    summary="An op that is `registered` by hand has a different schema in its source, or is not defined there.",
    why=(
        "Fake kernel, stubs, documentation and tests are generated from the declaration; schema and kernels stay in "
        "the source. The generated package compares both when it is imported, and fails if they differ. Names of "
        "alias sets don't count."
    ),
    bad=ops_yaml(
        "clip(Tensor(a!) x, float low, float high) -> ()\nregistered: csrc/bindings.cpp", beside=(HAND_WRITTEN,)
    ),
    good=ops_yaml("clip(Tensor(a!) x, float high) -> ()\nregistered: csrc/bindings.cpp", beside=(HAND_WRITTEN,)),
    remedy="declare the op as its source defines it, or fix the source",
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Compare each such op with its definition in the source that it names, or in another one that was read."""
    for library in joined.libraries:
        for op in library.ops:
            if op.registered is not None and not op.is_derived:
                yield from _judged(op, library, joined)


def _judged(op: Op, library: Library, joined: Joined) -> Iterator[Diagnostic]:
    path = shown_path(Path(library.spec.path).parent / (op.registered or ""))
    if path not in joined.registrations.sources:
        return
    found = joined.ops.get(op.qualified_name)
    definitions = [one for one in found.definitions if one.statement.language != "live"] if found else []
    here = [one for one in definitions if one.statement.location.source.path == path]
    candidates = here or definitions or _of_unknown_namespace(op, path, joined)
    readable = [one for one in candidates if one.op is not None]
    if readable and not any(one.op and not difference(one.op.schema, op.schema) for one in readable[1:]):
        yield from _compared(op, readable[0])
    elif not candidates and not any(one.location.source.path == path for one in joined.registrations.unread):
        yield _missing(op, path, joined)


def _of_unknown_namespace(op: Op, path: str, joined: Joined) -> list[Defined]:
    """Return the definitions with the same name in the namespace `TORCH_EXTENSION_NAME`, which only the build knows."""
    name = op.qualified_name.partition("::")[2]
    there = (one for one in joined.definitions if one.statement.location.source.path == path and one.name)
    return [
        one for one in there if one.name == f"{one.statement.namespace}::{name}" and one.statement.namespace.isupper()
    ]


def _compared(op: Op, one: Defined) -> Iterator[Diagnostic]:
    assert one.op is not None  # noqa: S101 - for mypy
    notes = (Note("it is defined here", one.statement.schema.locate()),)
    if told := difference(one.op.schema, op.schema):
        message = f"the schema is another one in '{one.statement.location.source.path}': {told}"
        written = f"{op.schema.name}{behind_name(one.op.schema)}"
        yield finding(
            CODE, op, message, help=f"declare it as `{written}`, or fix the source", notes=notes, fix=_fix(op, one.op)
        )
        return
    given = {tag.value for tag in one.statement.tags} & set(CONTRACT_TAGS.values())
    wrong = given - {CONTRACT_TAGS.get(op.contract)}
    if wrong:
        message = (
            f"by its schema the op is {op.contract.value}, but its source gives it the tag {listed(sorted(wrong))}"
        )
        yield finding(CODE, op, message, op.schema.name.span, help="take the tag away there", notes=notes)


def _fix(op: Op, other: Op) -> Fix | None:
    text = op.spec.func.value
    span = Span(text.index("("), len(text.rstrip()))
    return schema_fix(op, "declare the schema of the source", (span, behind_name(other.schema)), applicability="unsafe")


def _missing(op: Op, path: str, joined: Joined) -> Diagnostic:
    """Report that a source does not define an op, with a similar name that it defines."""
    name = op.qualified_name.partition("::")[2]
    same = [one.name for one in joined.definitions if one.name and one.name.partition("::")[2] == name]
    help_ = (
        f"it defines `{same[0]}`: is the namespace another one?"
        if same
        else "name the source that defines it, or define it there"
    )
    return finding(CODE, op, f"'{path}' does not define '{op.qualified_name}'", op.schema.name.span, help=help_)


RULE = RegistrationRule(CODE, check, sees_named=True)
