"""Checks that each dim of an input is of a form that an input can have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from opgen.model.tensor_contract import codes
from opgen.model.tensor_contract.entries import Entry
from opgen.model.tensor_contract.linear import names_in
from opgen.model.tensor_contract.scope import Kind, Scope, kind_of
from opgen.records import dataclass
from opgen.source import Span
from opgen.spec.expression import Name
from opgen.spec.report import Report
from opgen.spec.tensor_spec import DimBroadcast, DimDynamic, DimPack, DimRest, DimSize


def check_forms(inputs: Sequence[Entry], scope: Scope, report: Report) -> list[Entry]:
    """Return the entries whose dims are all valid; the names in the others are marked as broken in the scope."""
    forms = _Forms(scope, report, dict(reversed([*_first_uses(inputs)])))
    return [entry for entry in inputs if forms.has_form(entry)]


@dataclass(frozen=True)
class _Forms:
    scope: Scope
    report: Report
    is_pack: Mapping[str, bool]
    """What the first shape that holds a name takes it for."""

    def has_form(self, entry: Entry) -> bool:
        """Whether all dims of an input are valid; mistakes are reported."""
        problems = len(self.report.diagnostics)
        runs = [dim for dim in entry.dims if isinstance(dim, DimPack | DimRest | DimBroadcast)]
        if len(runs) > 1:
            message = f"'{entry.key}': expected one run of dims at most, found {len(runs)}"
            self.report.add(codes.SHAPE, message, entry.place(runs[1].span), "write `_` for single dims")
        for dim in entry.dims:
            match dim:
                case DimDynamic(name):
                    message = f"'{entry.key}': '?{name}' stands in an input, whose sizes are known"
                    self.report.add(codes.SHAPE, message, entry.place(dim.span), f"write `{name}`")
                case DimPack(name):
                    self._has_name(entry, name, dim.span, is_pack=True)
                case DimSize(Name(name)):
                    self._has_name(entry, name, dim.span, is_pack=False)
        if len(self.report.diagnostics) == problems:
            return True
        self.scope.broken.update(
            *(names_in(dim.size) for dim in entry.dims if isinstance(dim, DimSize)),
            (dim.name for dim in entry.dims if isinstance(dim, DimPack | DimDynamic)),
        )
        return False

    def _has_name(self, entry: Entry, name: str, span: Span, *, is_pack: bool) -> None:
        """Report a dim whose name is that of no size, or is a pack in one place and a single dim in another."""
        argument = self.scope.arguments.get(name)
        expected = Kind.SIZES if is_pack else Kind.INTEGER
        if argument is not None and kind_of(argument) is not expected:
            message = f"'{entry.key}': the dim '{name}' is named like an argument that is {kind_of(argument).value}"
            self.report.add(codes.NAME_CLASH, message, entry.place(span))
        elif argument is None and is_pack != self.is_pack[name]:
            message = f"'{entry.key}': '{name}' is one dim here and a run of dims, '*{name}', elsewhere"
            self.report.add(codes.NAME_CLASH, message, entry.place(span))


def _first_uses(inputs: Sequence[Entry]) -> Iterator[tuple[str, bool]]:
    """Yield the names that dims consist of, and whether they are runs."""
    for entry in inputs:
        for dim in entry.dims:
            match dim:
                case DimPack(name):
                    yield name, True
                case DimSize(Name(name)):
                    yield name, False
