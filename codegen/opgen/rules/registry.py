"""The lists of all rules and codes, and the function that runs the rules over a library."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module

import opgen
from opgen.diagnostics import Code, Diagnostic, ordered
from opgen.model.op import Library
from opgen.rules.rule import Rule

CATEGORIES = ("contract", "naming", "registration", "types")
"""The folders of rules that check one op of a library; those in ``registrations`` check sources."""


@cache
def rules_of(category: str) -> tuple[Rule, ...]:
    """Return the ``RULE`` of each module in a folder of this package, sorted by code."""
    package = import_module(f"opgen.rules.{category}")
    modules = [import_module(f"{package.__name__}.{module.name}") for module in pkgutil.iter_modules(package.__path__)]
    return _by_code(module.RULE for module in modules if hasattr(module, "RULE"))


@cache
def all_rules() -> tuple[Rule, ...]:
    """Return the rules over declarations, sorted by code."""
    return _by_code(rule for category in CATEGORIES for rule in rules_of(category))


def _by_code(found: Iterable[Rule]) -> tuple[Rule, ...]:
    return tuple(sorted(found, key=lambda rule: rule.code.id))


def run_rules(library: Library) -> list[Diagnostic]:
    """Run every rule on every op of a library and return the findings; derived ops are only checked for names."""
    return ordered(_findings(library))


def _findings(library: Library) -> Iterator[Diagnostic]:
    for op in library.ops:
        unread = op.spec.unread | library.spec.unread
        for rule in all_rules():
            if op.is_derived and not rule.judges_derived:
                continue
            if op.contract in rule.contracts and rule.reads.isdisjoint(unread):
                yield from rule.check(op, library)


@cache
def all_codes() -> tuple[Code, ...]:
    """Return all codes, sorted by id: those in modules named ``codes``, and those of the rules."""
    from opgen.rules.registrations.registry import REGISTRATION_RULES  # noqa: PLC0415 - imports tree-sitter

    codes = {rule.code for rule in all_rules()} | {rule.code for rule in REGISTRATION_RULES}
    for module in pkgutil.walk_packages(opgen.__path__, "opgen."):
        if module.name.endswith(".codes"):
            codes.update(value for value in vars(import_module(module.name)).values() if isinstance(value, Code))
    return tuple(sorted(codes, key=lambda code: code.id))
