"""What two versions of an op say of their tensors, in the same words wherever they mean the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from opgen.breaking.pair import Pair
from opgen.model.op import Op
from opgen.model.tensors import BindPack, BindSize, CheckDtype, DtypeSet, DynamicExtent, SolveSize
from opgen.source import Location, Span
from opgen.spec.library import TensorEntry
from opgen.spec.tensor_spec import DimPack, DimRest, TensorSpec

_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Entry:
    """An entry of ``tensors`` of one version; sizes have the names of the old one."""

    op: Op
    written: TensorEntry
    names: Mapping[str, str]

    @property
    def location(self) -> Location:
        """The place of its text."""
        return self.written.text.locate()

    @property
    def spec(self) -> TensorSpec | None:
        """What it says, where that is the same for all calls."""
        return self.written.form if isinstance(self.written.form, TensorSpec) else None

    def words(self, span: Span | None = None) -> str:
        """Return a part of the text, without blanks."""
        value = self.written.text.value
        return renamed(value if span is None else value[slice(*span)], self.names)

    @property
    def shapes(self) -> tuple[tuple[str, ...], ...]:
        """The dims of each of its shapes."""
        spec = self.spec
        return tuple(tuple(self.words(dim.span) for dim in shape) for shape in spec.shapes) if spec else ()

    @property
    def dtypes(self) -> frozenset[str] | str | None:
        """The dtypes that it allows; a text where another value decides; ``None`` for any."""
        name = self.written.key.value
        checks = [step.check for step in self.op.tensors.steps if isinstance(step.check, CheckDtype)]
        own = [check.dtype for check in checks if check.tensor == name]
        if len(own) == 1 and isinstance(own[0], DtypeSet) and self.spec is not None:
            return frozenset(own[0].names)
        if name in self.op.tensors.any_dtype:
            return None
        return self.words(self.spec.dtype.span) if self.spec else self.words()


@dataclass(frozen=True)
class Tensors:
    """The entries of both versions of an op."""

    pair: Pair

    @cached_property
    def inputs(self) -> tuple[tuple[Entry | None, Entry | None, str], ...]:
        """What is said of each argument that both have: before, now, and its name."""
        old, new = _by_key(self.pair.old), _by_key(self.pair.new)
        names = [(before.name, after.name) for before, after in self.pair.matched]
        return tuple((self._old(old.get(was)), self._new(new.get(now)), now) for was, now in names)

    @cached_property
    def results(self) -> tuple[tuple[Entry | None, Entry | None], ...]:
        """What is said of each result."""
        old, new = _of_results(self.pair.old), _of_results(self.pair.new)
        if len(old) != len(new):
            return ()
        return tuple((self._old(was), self._new(now)) for was, now in zip(old, new, strict=True))

    @cached_property
    def names(self) -> Mapping[str, str]:
        """New names of sizes -> old ones: by the first dim where a name stands in the place of another."""
        old, new = _by_key(self.pair.old), _by_key(self.pair.new)
        found: dict[str, str] = {}
        bound = _bound(self.pair.old), _bound(self.pair.new)
        for before, after in self.pair.matched:
            for was, now in _aligned(old.get(before.name), new.get(after.name)):
                if was in bound[0] and now in bound[1] and was not in found.values():
                    found.setdefault(now, was)
        arguments = {after.name: before.name for before, after in self.pair.matched if before.name != after.name}
        return {**{name: was for name, was in found.items() if name != was}, **arguments}

    def _old(self, entry: TensorEntry | None) -> Entry | None:
        return None if entry is None else Entry(self.pair.old, entry, {})

    def _new(self, entry: TensorEntry | None) -> Entry | None:
        return None if entry is None else Entry(self.pair.new, entry, self.names)


def renamed(text: str, names: Mapping[str, str]) -> str:
    """Return a text of the language of ``tensors`` and ``checks`` with other names of sizes, without blanks."""
    return re.sub(r"\s+", "", _WORD.sub(lambda word: f" {names.get(word[0], word[0])} ", text))


def packs(entry: Entry) -> frozenset[str]:
    """Return the dims of an entry that stand for any number of dims, as they are written: ``*batch``."""
    return frozenset(
        entry.words(dim.span)
        for shape in (entry.spec.shapes if entry.spec else ())
        for dim in shape
        if isinstance(dim, DimPack | DimRest)
    )


def _by_key(op: Op) -> Mapping[str, TensorEntry]:
    return {entry.key.value: entry for entry in op.spec.tensors}


def _of_results(op: Op) -> list[TensorEntry | None]:
    entries = _by_key(op)
    names = [[f"return.{i}", result.name or ""] for i, result in enumerate(op.schema.returns)]
    if len(names) == 1:
        names[0].append("return")
    return [next((entries[name] for name in keys if name in entries), None) for keys in names]


def _aligned(old: TensorEntry | None, new: TensorEntry | None) -> Iterator[tuple[str, str]]:
    """Pair the dims of two entries of as many dims: of their texts what may be a name."""
    if old is None or new is None or not (isinstance(old.form, TensorSpec) and isinstance(new.form, TensorSpec)):
        return
    for was, now in zip(old.form.shapes, new.form.shapes, strict=False):
        if len(was) == len(now):
            for one, other in zip(was, now, strict=True):
                yield tuple(
                    text.value[slice(*dim.span)].strip("*? ") for text, dim in ((old.text, one), (new.text, other))
                )  # type: ignore[misc]  # two


def _bound(op: Op) -> frozenset[str]:
    steps = (step.check for step in op.tensors.steps)
    names = {check.name for check in steps if isinstance(check, BindSize | BindPack | SolveSize)}
    dynamic = {extent.name for extent in op.tensors.output_extents if isinstance(extent, DynamicExtent)}
    return frozenset(names | dynamic) - {argument.name for argument in op.arguments}
