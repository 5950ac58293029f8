"""How each fresh output is made."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.model.tensor_contract import codes
from opgen.model.tensor_contract.devices import Devices
from opgen.model.tensor_contract.dtypes import Dtypes
from opgen.model.tensor_contract.entries import Entry
from opgen.model.tensor_contract.expressions import Expressions
from opgen.model.tensor_contract.layouts import Layouts
from opgen.model.tensor_contract.packs import resolve_pack
from opgen.model.tensor_contract.scope import Scope
from opgen.model.tensors import BroadcastExtent, DynamicExtent, Extent, OutputExtent, OutputSpec
from opgen.spec.report import Report
from opgen.spec.tensor_spec import Dim, DimAny, DimBroadcast, DimDynamic, DimPack, DimRest, DimSize


@dataclass(frozen=True)
class Outputs:
    """Resolves the outputs of one op."""

    scope: Scope
    report: Report
    dtypes: Dtypes
    devices: Devices
    layouts: Layouts

    def resolve(self, entry: Entry) -> OutputSpec | None:
        """Resolve one output; ``None`` where a diagnostic says why."""
        problems = len(self.report.diagnostics)
        extents = tuple(extent for dim in entry.dims if (extent := self._extent(dim, entry)) is not None)
        dtype = self.dtypes.of_output(entry)
        target = self.devices.of_output(entry)
        layout = self.layouts.of_output(entry)
        if dtype is None or len(self.report.diagnostics) > problems:
            return None
        return OutputSpec(
            output=entry.tensor,
            extents=extents,
            dtype=dtype,
            device_of=target.tensor,
            device_type=target.device_type,
            device_argument=target.argument,
            memory_format=layout.memory_format,
            strides=layout.strides,
            strides_of=layout.strides_of,
        )

    def _extent(self, dim: Dim, entry: Entry) -> OutputExtent | None:
        expressions = Expressions(self.scope, self.report, entry.text)
        match dim:
            case DimSize(size):
                return Extent(expressions.size(size))
            case DimPack(name, span):
                return resolve_pack(self.scope, self.report, entry, name, span)
            case DimBroadcast(names, span):
                packs = [resolve_pack(self.scope, self.report, entry, name, span) for name in names]
                return BroadcastExtent(tuple(pack.name for pack in packs if pack is not None))
            case DimDynamic(name, bound):
                self._is_new(name, dim, entry)
                return DynamicExtent(name, None if bound is None else expressions.size(bound))
            case DimAny(span) | DimRest(span):
                written = "_" if isinstance(dim, DimAny) else "..."
                message = f"'{entry.key}': '{written}' says no size, and an output needs one"
                remedy = "name the dims, or write `?k` for a size that the kernel finds"
                self.report.add(codes.SHAPE, message, entry.place(span), remedy)
                return None

    def _is_new(self, name: str, dim: DimDynamic, entry: Entry) -> None:
        if name in self.scope.sizes or name in self.scope.arguments:
            message = f"'{entry.key}': '{name}' is known before the kernel runs"
            self.report.add(codes.NAME_CLASH, message, entry.place(dim.span), f"write `{name}` without '?'")
