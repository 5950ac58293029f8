"""Resolves the contracts of fresh outputs, by which they are allocated."""

from __future__ import annotations

from opgen.model.tensor_contract import codes
from opgen.model.tensor_contract.devices import Devices
from opgen.model.tensor_contract.dtypes import Dtypes
from opgen.model.tensor_contract.entries import Declaration, Entry
from opgen.model.tensor_contract.expressions import Expressions
from opgen.model.tensor_contract.guards import EVERYWHERE, Guard
from opgen.model.tensor_contract.layouts import Layouts
from opgen.model.tensor_contract.packs import resolve_pack
from opgen.model.tensor_contract.scope import Scope
from opgen.model.tensors import (
    BroadcastExtent,
    DynamicExtent,
    Extent,
    OutputChoice,
    OutputExtent,
    OutputForm,
    OutputSpec,
)
from opgen.records import dataclass
from opgen.spec.report import Report
from opgen.spec.tensor_spec import (
    Dim,
    DimAny,
    DimBroadcast,
    DimDynamic,
    DimPack,
    DimRest,
    DimSize,
    NoTensor,
    SpecIf,
    TensorForm,
    TensorSpec,
)


@dataclass(frozen=True)
class Outputs:
    """Resolves the outputs of one op.

    Attributes:
        optional: the outputs that may be ``None`` by the schema.
    """

    scope: Scope
    report: Report
    dtypes: Dtypes
    devices: Devices
    layouts: Layouts
    optional: frozenset[str]

    def resolve(self, declaration: Declaration) -> OutputForm | None:
        """Resolve one output; ``None`` after reporting a mistake."""
        problems = len(self.report.diagnostics)
        form = self._form(declaration, declaration.form, EVERYWHERE)
        is_made = form is not None and any(spec is not None for _, spec in form.cases)
        return form if is_made and len(self.report.diagnostics) == problems else None

    def _form(self, declaration: Declaration, form: TensorForm, guard: Guard) -> OutputForm | None:
        match form:
            case SpecIf(then, condition, otherwise):
                expressions = Expressions(self.scope, self.report, declaration.text)
                return OutputChoice(
                    expressions.condition(condition, guard.facts),
                    self._form(declaration, then, guard.under(condition, holds=True)),
                    self._form(declaration, otherwise, guard.under(condition, holds=False)),
                )
            case NoTensor(span):
                if declaration.tensor not in self.optional:
                    message = f"'{declaration.key}' is a Tensor, which is never None"
                    place = declaration.text.locate(span)
                    self.report.add(codes.NONE_FORM, message, place, "declare the return as `Tensor?`")
                return None
            case TensorSpec():
                return self._spec(declaration.entry(form, guard))

    def _spec(self, entry: Entry) -> OutputSpec | None:
        if entry.has_alternatives:
            message = f"'{entry.key}': an output has one shape, found '{entry.written_shape}'"
            self.report.add(codes.ALTERNATIVES, message, entry.place(entry.spec.span), "state each by its condition")
            return None
        extents = tuple(extent for dim in entry.dims if (extent := self._extent(dim, entry)) is not None)
        dtype = self.dtypes.of_output(entry)
        target = self.devices.of_output(entry)
        layout = self.layouts.of_output(entry)
        if dtype is None:
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
                return Extent(expressions.size(size, entry.needs))
            case DimPack(name, span):
                return resolve_pack(self.scope, self.report, entry, name, span)
            case DimBroadcast(names, span):
                packs = [resolve_pack(self.scope, self.report, entry, name, span) for name in names]
                return BroadcastExtent(tuple(pack.name for pack in packs if pack is not None))
            case DimDynamic(name, bound):
                self._is_new(name, dim, entry)
                return DynamicExtent(name, None if bound is None else expressions.size(bound, entry.needs))
            case DimAny(span) | DimRest(span):
                written = "_" if isinstance(dim, DimAny) else "..."
                message = f"'{entry.key}': '{written}' says no size, and an output needs one"
                remedy = "name the dims, or write `?k` for a size that the kernel finds"
                self.report.add(codes.SHAPE, message, entry.place(span), remedy)
                return None

    def _is_new(self, name: str, dim: DimDynamic, entry: Entry) -> None:
        if entry.guard:
            message = f"'{entry.key}': whether the kernel finds '{name}' can't depend on a condition"
            self.report.add(codes.SHAPE, message, entry.place(dim.span), "let '?' stand in a form for every call")
        if name in self.scope.sizes or name in self.scope.arguments:
            message = f"'{entry.key}': '{name}' is known before the kernel runs"
            self.report.add(codes.NAME_CLASH, message, entry.place(dim.span), f"write `{name}` without '?'")
