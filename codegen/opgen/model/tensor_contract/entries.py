"""Resolves the keys of ``tensors`` to arguments and outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, groupby

from opgen.model.codes import UNSUPPORTED
from opgen.model.op import Argument, Output
from opgen.model.tensor_contract import codes
from opgen.model.tensor_contract.guards import EVERYWHERE, Facts, Guard
from opgen.model.tensor_contract.linear import names_in
from opgen.model.tensor_contract.scope import Kind, Scope, did_you_mean, has_gaps, kind_of
from opgen.records import dataclass
from opgen.schema.types import is_tensor, is_tensor_list
from opgen.source import Location, Span, Text
from opgen.spec.library import OpSpec, TensorEntry
from opgen.spec.report import Report
from opgen.spec.tensor_spec import (
    Dim,
    DimAny,
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
class Declaration:
    """The entry of one tensor in ``tensors``.

    Attributes:
        key: the key as its author wrote it: ``x``, ``return.0``.
        tensor: the name of the argument or output.
        argument: the argument, or ``None`` for an output.
        form: its parsed contract, perhaps conditional.
        text: the text of the contract.
    """

    key: str
    tensor: str
    argument: Argument | None
    form: TensorForm
    text: Text

    @property
    def base(self) -> Guard:
        """The guard under which the tensor is given: an optional argument must be, any other tensor always is."""
        is_optional = self.argument is not None and self.argument.is_optional
        return Guard(frozenset({self.tensor} if is_optional else ()))

    def entry(self, spec: TensorSpec, guard: Guard) -> Entry:
        """Return the entry for one branch of the contract, under its guard."""
        return Entry(self.key, self.tensor, self.argument, spec, self.text, guard)

    @property
    def branches(self) -> tuple[Entry, ...]:
        """The entry of each branch of its contract, without branches in which it is ``None``."""
        return tuple(self.entry(form, guard) for form, guard in self.leaves if isinstance(form, TensorSpec))

    @property
    def leaves(self) -> tuple[tuple[TensorSpec | NoTensor, Guard], ...]:
        """The branches of its contract with their guards, also those in which it is ``None``."""
        return tuple(_leaves(self.form, self.base))


def _leaves(form: TensorForm, guard: Guard) -> Iterator[tuple[TensorSpec | NoTensor, Guard]]:
    if isinstance(form, SpecIf):
        yield from _leaves(form.then, guard.under(form.condition, holds=True))
        yield from _leaves(form.otherwise, guard.under(form.condition, holds=False))
    else:
        yield form, guard


@dataclass(frozen=True)
class Entry:
    """The contract of a tensor in every call, or in the calls that take one branch of a conditional contract.

    Attributes:
        key: the key as its author wrote it.
        tensor: the name of the argument or output.
        argument: the argument, or ``None`` for an output.
        spec: the contract.
        text: the text of the whole entry.
        guard: the calls in which it holds.
    """

    key: str
    tensor: str
    argument: Argument | None
    spec: TensorSpec
    text: Text
    guard: Guard = EVERYWHERE

    @cached_property
    def dims(self) -> tuple[Dim, ...]:
        """The dims; of alternative shapes the dims in common, with ``_`` where they differ."""
        first, *others = self.spec.shapes
        if not others:
            return first
        if any(len(shape) != len(first) for shape in others) or any(map(_is_pack, chain(*self.spec.shapes))):
            return (DimRest(),)
        return tuple(dims[0] if len({*dims}) == 1 else DimAny() for dims in zip(*self.spec.shapes, strict=True))

    @property
    def needs(self) -> Facts:
        """The facts that are known in the calls in which it holds."""
        return self.guard.facts

    @property
    def given(self) -> tuple[str, ...]:
        """The optional arguments that are given in the calls in which it holds."""
        return tuple(sorted(self.guard.given))

    @property
    def rank(self) -> tuple[int, bool]:
        """The number of dims without those of a pack, and whether there is no pack, so that it is exact."""
        return len(self.dims) - (self.pack_place is not None), self.pack_place is None

    @property
    def everywhere(self) -> Entry:
        """The same entry for all calls in which the tensor is given."""
        return replace(self, guard=Guard(self.guard.given & {self.tensor}))

    @property
    def each(self) -> bool:
        """Whether it is a list of tensors, and holds for each of them."""
        return self.argument is not None and self.argument.is_tensor_list

    @property
    def has_alternatives(self) -> bool:
        """Whether it has alternative shapes."""
        return len(self.spec.shapes) > 1

    @property
    def has_gaps(self) -> bool:
        """Whether it is a list whose elements may be ``None`` (``Tensor?[]``)."""
        return self.argument is not None and has_gaps(self.argument)

    @property
    def is_result(self) -> bool:
        """Whether it is a destination or scratch, whose sizes follow from those of other tensors."""
        return self.argument is not None and (self.argument.overwrites or self.argument.scratch)

    @cached_property
    def pack_place(self) -> int | None:
        """The index of the pack, ``*batch`` or ``...``, among the written dims; ``None`` without one."""
        return next((place for place, dim in enumerate(self.dims) if _is_pack(dim)), None)

    def index(self, place: int) -> int:
        """Return the dim of a tensor for an index into the written dims; right of a pack it is counted from the end."""
        return place if self.pack_place is None or place < self.pack_place else place - len(self.dims)

    def written(self, span: Span) -> str:
        """Return a part of the text as its author wrote it, on one line."""
        return " ".join(self.text.value[span.start : span.end].split())

    def place(self, span: Span) -> Location:
        """Return the location of a part of the text."""
        return self.text.locate(span)

    @property
    def written_shape(self) -> str:
        """The shape as written, ``[*batch, hidden]``; alternatives joined by ``|``."""
        value, start, texts = self.text.value, self.spec.dtype.span.end, []
        for dims in self.spec.shapes:
            start = value.index("[", start)
            end = value.index("]", dims[-1].span.end if dims else start) + 1
            texts.append(value[start:end])
            start = end
        return "|".join(texts)


def _is_pack(dim: Dim) -> bool:
    return not isinstance(dim, DimSize | DimAny | DimDynamic)


def shared(entries: Sequence[Entry], part: Callable[[Entry], object]) -> list[Entry]:
    """Return the entries from which to read a part: a single one for a tensor whose branches all agree on it."""
    found: list[Entry] = []
    for _, group in groupby(entries, key=lambda entry: entry.tensor):
        branches = [*group]
        is_shared = all(part(branch) == part(branches[0]) for branch in branches)
        found += [branches[0].everywhere] if is_shared else branches
    return found


def read_entries(spec: OpSpec, outputs: Sequence[Output], scope: Scope, report: Report) -> tuple[Declaration, ...]:
    """Resolve the keys of ``tensors`` and report mistakes. The result is in schema order, not in that of the keys."""
    keys = _keys(spec, outputs)
    found: dict[str, Declaration] = {}
    for entry in spec.tensors:
        target = _target(entry, keys, scope, report)
        if target is None:
            scope.broken.update(names_of_form(entry.form))
            continue
        tensor, argument = target
        if tensor in found:
            report.add(codes.UNKNOWN_TENSOR, f"'{tensor}' has two entries", entry.key.locate(), "remove one of them")
            continue
        found[tensor] = Declaration(entry.key.value, tensor, argument, entry.form, entry.text)
    order = (*scope.arguments, *(output.name for output in outputs))
    return tuple(found[name] for name in dict.fromkeys(order) if name in found)


def _keys(spec: OpSpec, outputs: Sequence[Output]) -> dict[str, Output]:
    """Return the keys for outputs: ``return``, ``return.0``, or the name of the return."""
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


def names_of_form(form: TensorForm) -> Iterator[str]:
    """Yield every name that the dims of a contract might bind."""
    if isinstance(form, SpecIf):
        yield from names_of_form(form.then)
        yield from names_of_form(form.otherwise)
    if isinstance(form, TensorSpec):
        for dim in chain(*form.shapes):
            match dim:
                case DimSize(size):
                    yield from names_in(size)
                case DimPack(name) | DimDynamic(name):
                    yield name
