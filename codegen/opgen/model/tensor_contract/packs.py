"""Resolves the names of packs, as ``*batch``."""

from __future__ import annotations

from opgen.model.tensor_contract import codes
from opgen.model.tensor_contract.entries import Entry
from opgen.model.tensor_contract.guards import where
from opgen.model.tensor_contract.scope import Kind, Scope, did_you_mean, kind_of
from opgen.model.tensors import PackExtent
from opgen.source import Span
from opgen.spec.report import Report


def resolve_pack(scope: Scope, report: Report, entry: Entry, name: str, span: Span) -> PackExtent | None:
    """Resolve the name of a pack; ``None`` after reporting why it can't be used."""
    argument = scope.arguments.get(name)
    version = scope.version(name, entry.needs)
    if version is None and name in scope.broken:
        return None
    if argument is not None and kind_of(argument) is not Kind.SIZES:
        message = f"'{entry.key}': '*{name}' is {kind_of(argument).value}, expected a list of integers"
        report.add(codes.KIND, message, entry.place(span))
    elif name in scope.sizes and version is None:
        message = f"'{entry.key}': '*{name}' is only known {where(known.guard for known in scope.sizes[name])}"
        report.add(codes.OPTIONAL, message, entry.place(span), "bind it by a tensor that is always given")
    elif version is None:
        remedy = did_you_mean(name, scope.names, f"let an input hold `*{name}`")
        report.add(codes.UNKNOWN_SIZE, f"'{entry.key}': no input has dims '*{name}'", entry.place(span), remedy)
    elif name not in scope.packs:
        message = f"'{entry.key}': '{name}' is one dim, expected a run of dims"
        report.add(codes.KIND, message, entry.place(span), f"write `{name}`")
    else:
        return PackExtent(version.name, is_argument=argument is not None)
    return None
