"""What two versions of an op say of their tensors, in the same words wherever they mean the same."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from opgen.breaking.pair import Pair
from opgen.breaking.sizes import Sizes, same_sizes
from opgen.model.op import Op
from opgen.model.tensors import CheckDtype, DtypeSet
from opgen.records import dataclass
from opgen.source import Location
from opgen.spec.library import TensorEntry
from opgen.spec.tensor_spec import TensorSpec


@dataclass(frozen=True)
class Entry:
    """An entry of ``tensors`` of one version; sizes have the names of the old one."""

    op: Op
    written: TensorEntry
    sizes: Sizes

    @property
    def location(self) -> Location:
        """The place of its text."""
        return self.written.text.locate()

    @property
    def text(self) -> str:
        """The text as written."""
        return self.written.text.value

    @property
    def spec(self) -> TensorSpec | None:
        """What it says, where that is the same for all calls."""
        return self.written.form if isinstance(self.written.form, TensorSpec) else None

    @property
    def words(self) -> str:
        """The whole text, without blanks."""
        return self.sizes.words(self.text)

    @property
    def dtype(self) -> str:
        """The dtype as written, without blanks; of an entry with conditions all of it."""
        return self.sizes.words(self.text[slice(*self.spec.dtype.span)]) if self.spec else self.words

    @property
    def dtypes(self) -> frozenset[str] | str | None:
        """The dtypes that an argument may have; a text where another value decides; ``None`` for any."""
        name = self.written.key.value
        checks = [step.check for step in self.op.tensors.steps if isinstance(step.check, CheckDtype)]
        own = [check.dtype for check in checks if check.tensor == name]
        if len(own) == 1 and isinstance(own[0], DtypeSet) and self.spec is not None:
            return frozenset(own[0].names)
        return None if name in self.op.tensors.any_dtype else self.dtype

    @property
    def shapes(self) -> tuple[tuple[str, ...], ...]:
        """The dims of each of its shapes."""
        shapes = self.spec.shapes if self.spec else ()
        return tuple(self.sizes.dims(self.text[slice(*dim.span)] for dim in shape) for shape in shapes)

    @property
    def layouts(self) -> frozenset[str]:
        """What is said of strides, without ``any``."""
        layouts = self.spec.layouts if self.spec else ()
        return frozenset(self.sizes.words(self.text[slice(*layout.span)]) for layout in layouts) - {"any"}

    @property
    def device(self) -> str:
        """Where it must be; empty for one device for all."""
        device = self.spec.device if self.spec else None
        return device.joined_by.join(device.names) if device else ""

    @property
    def meaning(self) -> object:
        """What two entries have to agree in to say the same of a result."""
        return (self.dtype, self.shapes, self.layouts, self.device) if self.spec else self.words


@dataclass(frozen=True)
class Tensors:
    """The entries of both versions of an op."""

    pair: Pair

    @cached_property
    def sizes(self) -> Sizes:
        """The sizes of the new version in words of the old one."""
        return same_sizes(self.pair)

    @cached_property
    def inputs(self) -> tuple[tuple[Entry | None, Entry | None, str], ...]:
        """What is said of each argument that both have: before, now, and its name."""
        old, new = _by_key(self.pair.old), _by_key(self.pair.new)
        names = [(before.name, after.name) for before, after in self.pair.matched]
        return tuple((self._old(old.get(was)), self._new(new.get(now)), now) for was, now in names)

    @cached_property
    def results(self) -> tuple[tuple[Entry | None, Entry | None], ...]:
        """What is said of each result; nothing where there are more or fewer now."""
        old, new = _of_results(self.pair.old), _of_results(self.pair.new)
        if len(old) != len(new):
            return ()
        return tuple((self._old(was), self._new(now)) for was, now in zip(old, new, strict=True))

    def _old(self, entry: TensorEntry | None) -> Entry | None:
        return None if entry is None else Entry(self.pair.old, entry, Sizes())

    def _new(self, entry: TensorEntry | None) -> Entry | None:
        return None if entry is None else Entry(self.pair.new, entry, self.sizes)


def _by_key(op: Op) -> Mapping[str, TensorEntry]:
    return {entry.key.value: entry for entry in op.spec.tensors}


def _of_results(op: Op) -> list[TensorEntry | None]:
    entries = _by_key(op)
    names = [[f"return.{i}", result.name or ""] for i, result in enumerate(op.schema.returns)]
    if len(names) == 1:
        names[0].append("return")
    return [next((entries[name] for name in keys if name in entries), None) for keys in names]
