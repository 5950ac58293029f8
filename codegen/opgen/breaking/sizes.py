"""Which sizes of two versions of an op are the same, whatever they are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from opgen.breaking.pair import Pair
from opgen.model.op import Op
from opgen.model.tensors import BindPack, BindSize, DynamicExtent, SolveSize
from opgen.records import dataclass
from opgen.spec.library import TensorEntry
from opgen.spec.tensor_spec import Dim, DimPack, TensorSpec

_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Sizes:
    """What names of the new version are in words of the old one.

    Attributes:
        names: of sizes, and of arguments that were renamed.
        packs: new packs -> the old dims in whose place they stand, perhaps none: ``*batch`` -> ``("rows",)``.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    packs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def words(self, text: str) -> str:
        """Return a text of ``tensors`` or ``checks`` with the old names, without blanks."""
        return re.sub(r"\s+", "", _WORD.sub(lambda word: f" {self.names.get(word[0], word[0])} ", text))

    def dims(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Return the dims of a shape in words of the old version."""
        return tuple(dim for text in texts for dim in self.packs.get(text.lstrip("* "), (self.words(text),)))


def same_sizes(pair: Pair) -> Sizes:
    """Match the dims of the arguments that both have, from the first to the last: what stands in one place is one size."""
    old, new = (bound_names(op) for op in (pair.old, pair.new))
    names: dict[str, str] = {}
    packs: dict[str, tuple[str, ...]] = {}
    for before, after in _entries(pair):
        for was, now in zip(_shapes(before), _shapes(after), strict=False):
            for one, other in _aligned(was, now, old):
                if isinstance(one, tuple):
                    packs.setdefault(other, one)
                elif one in old and other in new and one not in names.values():
                    names.setdefault(other, one)
    # A size that is new must not be taken for an old one of its name.
    fresh = {name: f"{name}'" for name in (new & old) - names.keys() if name in names.values()}
    renamed = {after.name: before.name for before, after in pair.matched if before.name != after.name}
    return Sizes({**fresh, **names, **renamed}, packs)


def bound_names(op: Op) -> frozenset[str]:
    """Return the names that stand for sizes and runs of them, without arguments."""
    checks = (step.check for step in op.tensors.steps)
    names = {check.name for check in checks if isinstance(check, BindSize | BindPack | SolveSize)}
    dynamic = {extent.name for extent in op.tensors.output_extents if isinstance(extent, DynamicExtent)}
    return frozenset(names | dynamic) - {argument.name for argument in op.arguments}


def _entries(pair: Pair) -> Iterator[tuple[TensorEntry, TensorEntry]]:
    old, new = ({entry.key.value: entry for entry in op.spec.tensors} for op in (pair.old, pair.new))
    for before, after in pair.matched:
        if before.name in old and after.name in new:
            yield old[before.name], new[after.name]


def _shapes(entry: TensorEntry) -> list[list[tuple[str, Dim]]]:
    text = entry.text.value
    shapes = entry.form.shapes if isinstance(entry.form, TensorSpec) else ()
    return [[(text[slice(*dim.span)], dim) for dim in shape] for shape in shapes]


def _aligned(
    old: Sequence[tuple[str, Dim]], new: Sequence[tuple[str, Dim]], known: frozenset[str]
) -> Iterator[tuple[str | tuple[str, ...], str]]:
    """Pair old names with new ones, and runs of old dims with the new pack that takes their place."""
    packs = [i for i, (_, dim) in enumerate(new) if isinstance(dim, DimPack) and dim.name not in known]
    if len(packs) == 1 and not any(isinstance(dim, DimPack) for _, dim in old) and len(old) >= len(new) - 1:
        at, tail = packs[0], len(new) - packs[0] - 1
        run = old[at : len(old) - tail]
        yield tuple(re.sub(r"\s+", "", text) for text, _ in run), new[at][0].lstrip("* ")
        old, new = [*old[:at], *old[len(old) - tail :]], [*new[:at], *new[at + 1 :]]
    if len(old) == len(new):
        yield from ((one.strip("*? "), other.strip("*? ")) for (one, _), (other, _) in zip(old, new, strict=True))
