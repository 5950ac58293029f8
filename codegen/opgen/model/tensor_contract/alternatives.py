"""Resolves alternative shapes of an input, ``[1, n]|[1, 1]``.

Dims that all alternatives have in common bind names as any shape does (``Entry.dims``). Other names must be bound
elsewhere; a name that is only in one alternative, or at different dims of several, has no defined value and is refused.
"""

from __future__ import annotations

from opgen.model.tensor_contract import codes
from opgen.model.tensor_contract.entries import Entry
from opgen.model.tensor_contract.expressions import Expressions
from opgen.model.tensor_contract.linear import names_in
from opgen.model.tensor_contract.packs import resolve_pack
from opgen.model.tensor_contract.scope import Scope
from opgen.model.tensors import CheckShapes, Extent, PackExtent
from opgen.records import dataclass
from opgen.source import Span
from opgen.spec.dtypes import DTYPES
from opgen.spec.report import Report
from opgen.spec.tensor_spec import Dim, DimAny, DimPack, DimSize

_ALLOWED = (DimSize, DimPack, DimAny)


@dataclass(frozen=True)
class Alternatives:
    """Resolves the alternatives of one op, once all names are bound."""

    scope: Scope
    report: Report

    def check(self, entry: Entry) -> CheckShapes | None:
        """Return the check of an entry with alternatives; ``None`` after reporting why it has none."""
        problems = len(self.report.diagnostics)
        every = [dim for shape in entry.spec.shapes for dim in shape]
        for dim in (dim for dim in every if not isinstance(dim, _ALLOWED)):
            message = f"'{entry.key}': '{entry.written(dim.span)}' can't stand in one of several shapes"
            self.report.add(codes.ALTERNATIVES, message, entry.place(dim.span), "write `_` for a dim of any size")
        if len(self.report.diagnostics) > problems:  # further mistakes may only follow from this one
            self.scope.broken.update(name for dim in every if isinstance(dim, DimSize) for name in names_in(dim.size))
            return None
        shapes = tuple(tuple(self._extent(entry, dim) for dim in shape) for shape in entry.spec.shapes)
        if len(self.report.diagnostics) > problems:
            return None
        return CheckShapes(entry.tensor, shapes, entry.written_shape.replace("]|[", "] or ["))

    def _extent(self, entry: Entry, dim: Dim) -> Extent | PackExtent | None:
        match dim:
            case DimSize(size):
                if self._is_known(entry, [*names_in(size)], size.span):
                    return Extent(Expressions(self.scope, self.report, entry.text).size(size, entry.needs))
            case DimPack(name, span):
                if self._is_known(entry, [name], span):
                    return resolve_pack(self.scope, self.report, entry, name, span)
        return None

    def _is_known(self, entry: Entry, names: list[str], span: Span) -> bool:
        known = {*self.scope.sizes, *self.scope.arguments, *self.scope.broken, *DTYPES}
        unknown = [name for name in names if name not in known]
        for name in unknown:
            message = f"'{entry.key}': the shapes would bind '{name}' in different ways"
            remedy = f"let another tensor have a dim '{name}', or write `_` here"
            self.report.add(codes.ALTERNATIVES, message, entry.place(span), remedy)
        self.scope.broken.update(unknown)
        return not unknown
