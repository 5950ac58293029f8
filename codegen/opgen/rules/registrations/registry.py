"""The list of all rules over registrations, and the function that runs them."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator
from importlib import import_module

from opgen.diagnostics import Diagnostic, ordered
from opgen.model.op import Library
from opgen.readers.registrations import Registrations
from opgen.rules import registrations as package
from opgen.rules.registrations.joined import join
from opgen.rules.registrations.rule import RegistrationRule
from opgen.rules.registrations.schemas import schema_findings


def _rules() -> Iterator[RegistrationRule]:
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if module.name != __name__ and isinstance(
            rule := getattr(import_module(module.name), "RULE", None), RegistrationRule
        ):
            yield rule


REGISTRATION_RULES: tuple[RegistrationRule, ...] = tuple(sorted(_rules(), key=lambda rule: rule.code.id))
"""The ``RULE`` of every module in this package that has one, sorted by code."""


def judge_registrations(
    registrations: Registrations, libraries: Iterable[Library] = (), named: Registrations | None = None
) -> list[Diagnostic]:
    """Run all rules over the registrations in some sources, and return their findings.

    Args:
        registrations: the registrations in the sources to check.
        libraries: the libraries of ``ops.yaml`` files that were read in the same run.
        named: the registrations in further sources that ops of these libraries name by ``registered``.
    """
    declarations = tuple(libraries)
    joined = join(registrations, declarations)
    whole = join(registrations + named, declarations) if named is not None else joined
    found = list(schema_findings(joined))
    for rule in REGISTRATION_RULES:
        found += rule.check(whole if rule.sees_named else joined)
    return ordered(found)
