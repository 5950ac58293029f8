"""All rules, all codes, and the run of the rules over a library."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType

import opgen
from opgen import rules
from opgen.diagnostics import Code, Diagnostic, ordered
from opgen.model.op import Library
from opgen.rules.rule import Rule


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    """Import the modules of this room, but those that judge sources: they import a parser of C++."""
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.startswith(f"{package.__name__}.registrations."):
            yield import_module(module.name)


RULES: tuple[Rule, ...] = tuple(
    sorted((module.RULE for module in _modules(rules) if hasattr(module, "RULE")), key=lambda rule: rule.code.id)
)
"""Every module of this room that has a ``RULE``, by code."""


def run_rules(library: Library) -> list[Diagnostic]:
    """Check every op of a library against every rule; of what is derived only the name is its author's."""
    return ordered(_findings(library))


def _findings(library: Library) -> Iterator[Diagnostic]:
    for op in library.ops:
        unread = op.spec.unread | library.spec.unread
        for rule in RULES:
            if op.is_derived and not rule.judges_derived:
                continue
            if op.contract in rule.contracts and rule.reads.isdisjoint(unread):
                yield from rule.check(op, library)


@cache
def all_codes() -> tuple[Code, ...]:
    """Return the codes of every room, by id: those of its modules called ``codes``, and those of the rules."""
    from opgen.rules.registrations.registry import REGISTRATION_RULES  # noqa: PLC0415 - see `_modules`

    codes = {rule.code for rule in RULES} | {rule.code for rule in REGISTRATION_RULES}
    for module in pkgutil.walk_packages(opgen.__path__, "opgen."):
        if module.name.endswith(".codes"):
            codes.update(value for value in vars(import_module(module.name)).values() if isinstance(value, Code))
    return tuple(sorted(codes, key=lambda code: code.id))
