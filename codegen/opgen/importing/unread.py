"""Lists the registrations that can't become an entry, each with its location and the reason."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from opgen.importing.places import Places
from opgen.rules.registrations.joined import CORE, Defined, Joined, JoinedOp
from opgen.rules.registrations.macros import macro_of


def unread(
    joined: Joined, wanted: Collection[JoinedOp], places: Places, namespaces: Collection[str] = ()
) -> Iterator[str]:
    """Yield the statements and schemas that could not be read, without those for other namespaces."""
    registrations = joined.registrations
    for one in registrations.unread:
        if not one.namespaces or any(_may_be_of(each, namespaces) for each in one.namespaces):
            yield f"{places(one.location)}: {one.reason}"
    told = {one.location for one in registrations.unread}
    named = {word.strip("`'\",:.") for one in registrations.unread for word in one.reason.split()}
    for op in wanted:
        namespace = op.name.partition("::")[0]
        if op.definitions and (why := why_no_namespace(namespace)):
            yield f"namespace {namespace}: {why}"
        elif op.op is None and op.definitions:
            location = op.definitions[0].statement.location
            if location not in told:
                yield f"{places(location)}: {op.name}: {_why_no_schema(op.definitions[0])}"
        elif not op.definitions and namespace not in CORE and not op.name.endswith("::*") and op.name not in named:
            yield f"{places(op.implementations[0].location)}: {op.name} is implemented, and defined in no source that was read"
    for defined in joined.definitions:
        if defined.name is None and _may_be_of(defined.statement.namespace, namespaces):
            yield f"{places(defined.statement.location)}: {_why_no_schema(defined)}"


def _may_be_of(namespace: str, namespaces: Collection[str]) -> bool:
    """Whether a namespace is one of ``namespaces``, or may be, as it is a macro; always if there are none."""
    is_made = namespace not in CORE and bool(why_no_namespace(namespace))
    return not namespaces or namespace in namespaces or is_made


def why_no_namespace(namespace: str) -> str:
    """Return the reason why ops of a namespace can't be declared; empty if they can."""
    if namespace in CORE:
        return "it is PyTorch's own"
    if not namespace.isidentifier():
        return "it is no name, but what a macro makes; `-D NAME=VALUE` defines macros"
    macro = macro_of(namespace)
    return f"it is made by a macro; `-D {macro}=NAME` says what that stands for" if macro else ""


def _why_no_schema(defined: Defined) -> str:
    statement = defined.statement
    if defined.errors:
        return defined.errors[0].message
    if statement.uninferable:
        return statement.uninferable[0].reason
    if statement.is_name_only:
        return "the schema is inferred from a function that is not among the sources"
    return "the schema is no literal"
