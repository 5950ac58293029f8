"""Which argument or output each entry of ``tensors`` speaks about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from opgen.model.codes import UNSUPPORTED
from opgen.model.op import Argument, Output
from opgen.model.tensor_contract import codes
from opgen.model.tensor_contract.linear import names_in
from opgen.model.tensor_contract.scope import Kind, Scope, did_you_mean, has_gaps, kind_of
from opgen.schema.types import is_tensor, is_tensor_list
from opgen.source import Location, Span, Text
from opgen.spec.library import OpSpec, TensorEntry
from opgen.spec.report import Report
from opgen.spec.tensor_spec import Dim, DimAny, DimDynamic, DimPack, DimSize, SpecIf, TensorForm, TensorSpec


@dataclass(frozen=True)
class Entry:
    """One entry, resolved to the tensor that it is about.

    Attributes:
        key: what its author calls it.
        tensor: the name of the argument or output.
        argument: the argument, or ``None`` for an output.
        needs: the optional arguments that are given whenever this tensor is there.
    """

    key: str
    tensor: str
    argument: Argument | None
    spec: TensorSpec
    text: Text
    needs: frozenset[str] = frozenset()

    @property
    def dims(self) -> tuple[Dim, ...]:
        """The dims; alternatives have been refused before."""
        return self.spec.shapes[0]

    @property
    def given(self) -> tuple[str, ...]:
        """The guard of this tensor's steps."""
        return (self.tensor,) if self.needs else ()

    @property
    def each(self) -> bool:
        """Whether it is a list whose elements are all meant."""
        return self.argument is not None and self.argument.is_tensor_list

    @property
    def has_gaps(self) -> bool:
        """Whether it is a list whose elements may be ``None``."""
        return self.argument is not None and has_gaps(self.argument)

    @property
    def is_result(self) -> bool:
        """Whether it is made for the result: its sizes follow from the others, not the others from it."""
        return self.argument is not None and (self.argument.overwrites or self.argument.scratch)

    @cached_property
    def run(self) -> int | None:
        """The place of the run of dims, ``*batch`` or ``...``, if there is one."""
        single = (DimSize, DimAny, DimDynamic)
        return next((place for place, dim in enumerate(self.dims) if not isinstance(dim, single)), None)

    def index(self, place: int) -> int:
        """Return the dim at a place of the written shape, counted from the end where it stands right of a run."""
        return place if self.run is None or place < self.run else place - len(self.dims)

    def written(self, span: Span) -> str:
        """Return a piece of the text as its author wrote it."""
        return " ".join(self.text.value[span.start : span.end].split())

    def place(self, span: Span) -> Location:
        """Return where a piece of the text stands."""
        return self.text.locate(span)

    @property
    def written_shape(self) -> str:
        """The shape as written, ``[*batch, hidden]``."""
        value, dims = self.text.value, self.dims
        start = value.rindex("[", 0, dims[0].span.start) if dims else value.index("[", self.spec.dtype.span.end)
        return value[start : value.index("]", dims[-1].span.end if dims else start) + 1]


def read_entries(spec: OpSpec, outputs: Sequence[Output], scope: Scope, report: Report) -> tuple[Entry, ...]:
    """Resolve every key; arguments and outputs come in the order of the schema, whatever the order of the keys."""
    keys = _keys(spec, outputs)
    found: dict[str, Entry] = {}
    for entry in spec.tensors:
        target = _target(entry, keys, scope, report)
        if target is None:
            scope.broken.update(_names(entry.form))
            continue
        tensor, argument = target
        if tensor in found:
            report.add(codes.UNKNOWN_TENSOR, f"'{tensor}' has two entries", entry.key.locate(), "remove one of them")
            continue
        form = _generated(entry, report)
        if form is None and argument is not None:
            scope.broken.update(_names(entry.form))
        if form is not None:
            needs = frozenset({tensor}) if argument is not None and argument.is_optional else frozenset()
            found[tensor] = Entry(entry.key.value, tensor, argument, form, entry.text, needs)
    order = [*scope.arguments, *(output.name for output in outputs)]
    return tuple(sorted(found.values(), key=lambda entry: order.index(entry.tensor)))


def _keys(spec: OpSpec, outputs: Sequence[Output]) -> dict[str, Output]:
    """Return the keys that mean a return."""
    keys = {f"return.{place}": output for place, output in enumerate(outputs)}
    if len(outputs) == 1:
        keys["return"] = outputs[0]
    for return_, output in zip(spec.schema.returns, outputs, strict=True):
        if return_.name is not None:
            keys.setdefault(return_.name, output)
    return keys


def _target(
    entry: TensorEntry, keys: dict[str, Output], scope: Scope, report: Report
) -> tuple[str, Argument | None] | None:
    key = entry.key.value
    argument, output = scope.arguments.get(key), keys.get(key)
    if argument is not None:
        if kind_of(argument) in (Kind.TENSOR, Kind.TENSORS):
            return key, argument
        message = f"'{key}' is {kind_of(argument).value}, expected a tensor argument"
        report.add(codes.UNKNOWN_TENSOR, message, entry.key.locate(), "state it under `checks`")
    elif output is None:
        choices = [*scope.of_kind(Kind.TENSOR, Kind.TENSORS), *keys]
        remedy = did_you_mean(key, choices, codes.UNKNOWN_TENSOR.remedy)
        report.add(codes.UNKNOWN_TENSOR, f"'{key}' is no argument and no return", entry.key.locate(), remedy)
    elif output.alias_of is not None:
        message = f"'{key}' is the argument '{output.alias_of}' itself"
        remedy = f"state the contract under '{output.alias_of}'"
        report.add(codes.UNKNOWN_TENSOR, message, entry.key.locate(), remedy)
    elif is_tensor_list(output.type):
        message = f"'{key}' is a list of tensors, whose length no contract can say"
        report.add(UNSUPPORTED, message, entry.key.locate(), "remove the entry, and name a `fake: module:function`")
    elif not is_tensor(output.type):
        report.add(codes.UNKNOWN_TENSOR, f"'{key}' is no tensor", entry.key.locate(), "remove the entry")
    else:
        return output.name, None
    return None


def _generated(entry: TensorEntry, report: Report) -> TensorSpec | None:
    """Return the spec, unless its form cannot be generated yet."""
    form = entry.form
    if isinstance(form, TensorSpec) and len(form.shapes) == 1:
        return form
    what = "alternatives of shape" if isinstance(form, TensorSpec) else "conditional forms"
    message = f"'{entry.key.value}': {what} can't be generated yet"
    report.add(UNSUPPORTED, message, entry.text.locate(form.span), "state a form that holds for every call")
    return None


def _names(form: TensorForm) -> Iterator[str]:
    """Yield every name that the dims of a form might bind."""
    if isinstance(form, SpecIf):
        yield from _names(form.then)
        yield from _names(form.otherwise)
    if isinstance(form, TensorSpec):
        for dim in chain(*form.shapes):
            match dim:
                case DimSize(size):
                    yield from names_in(size)
                case DimPack(name) | DimDynamic(name):
                    yield name
