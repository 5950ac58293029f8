"""OPG575: a registration for an op that no source defines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches

from opgen.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from opgen.readers.registrations import Implementation
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.python.examples import gate
from opgen.rules.registrations.rule import RegistrationRule, found_at

CODE = Code(
    id="OPG575",
    name="undefined-op",
    severity=Severity.ERROR,
    summary="A registration names an op that none of the sources defines.",
    why=(
        "In Python it raises while the module is imported; a C++ kernel silently waits for a definition that never "
        "comes (`torch._C._dispatch_find_dangling_impls`). Often a name is misspelt, or one half of a library uses "
        "another namespace."
    ),
    bad=gate(fake="gate"),
    good=gate(),
    remedy="name an op as it is defined: `ns::op`, with its overload if it has one",
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Report names without a namespace, and names without a definition if all definitions were read."""
    defined = {one.name for one in joined.definitions if one.name is not None} | joined.declared
    for joined_op in joined.ops.values():
        statements = joined_op.implementations
        if joined_op.definitions or not statements or joined_op.name.removesuffix(".default") in defined:
            continue
        if "::" not in joined_op.name:
            meant = next((name for name in sorted(defined) if name.partition("::")[2] == joined_op.name), "")
            for one in statements:
                message = f"'{joined_op.name}' has no namespace, expected `ns::{joined_op.name}`"
                yield found_at(
                    CODE,
                    None,
                    message,
                    one.location,
                    help=f"write `{meant}`" if meant else CODE.remedy,
                    fix=_fix(one, meant),
                )
            continue
        meant = _meant(joined_op.name, defined)
        for one in statements:
            if meant:
                message = f"no source defines '{joined_op.name}'; there is '{meant}'"
                yield found_at(
                    CODE, joined_op.name, message, one.location, help=f"did you mean `{meant}`?", fix=_fix(one, meant)
                )
            elif _is_owned(joined_op.name, joined):
                message = f"no source defines '{joined_op.name}', though they define other ops of its namespace"
                close = _close(joined_op.name, defined)
                help_ = f"did you mean `{close}`?" if close else ""
                finding = found_at(CODE, joined_op.name, message, one.location, help=help_, fix=_fix(one, close))
                yield replace(finding, severity_override=Severity.WARNING)


def _fix(statement: Implementation, meant: str) -> Fix | None:
    """Return a fix that writes the intended name; in C++, where the namespace is elsewhere, only within a namespace."""
    place = statement.op.locate()
    written = place.source.text[slice(*place.span)]
    namespace, _, name = statement.op.value.partition("::")
    its_namespace, _, its_name = meant.partition("::")
    if not meant or (written != statement.op.value and (written, its_namespace) != (name, namespace)):
        return None
    new = meant if written == statement.op.value else its_name
    return Fix(f"write `{new}`", (Edit(place, new),), "unsafe")


def _meant(name: str, defined: set[str]) -> str:
    """Return the defined op that an undefined name may mean: in another namespace, or another overload."""
    namespace, _, op = name.partition("::")
    for other in sorted(defined):
        its_namespace, _, its_op = other.partition("::")
        if its_op == op and (its_namespace.startswith(namespace) or namespace.startswith(its_namespace)):
            return other
        if its_namespace == namespace and its_op.partition(".")[0] == op.partition(".")[0]:
            return other
    return ""


def _close(name: str, defined: set[str]) -> str:
    """Return the op of the same namespace whose name is closest to an undefined one."""
    namespace = name.partition("::")[0]
    same = sorted(one for one in defined if one.startswith(f"{namespace}::"))
    return next(iter(get_close_matches(name, same, 1, 0.8)), "")


def _is_owned(name: str, joined: Joined) -> bool:
    """Whether all definitions of a namespace were read: its owner among them, and no statement was unreadable."""
    registrations, namespace = joined.registrations, name.partition("::")[0]
    owners = {block.namespace for block in registrations.blocks if block.kind == "library"}
    return not registrations.unread and namespace in owners


RULE = RegistrationRule(CODE, check)
