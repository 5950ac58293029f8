"""OPG755: a result is promised to be something else."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.breaking.tensors import Entry, Tensors, packs
from opgen.diagnostics import Code, Severity

CODE = Code(
    id="OPG755",
    name="changed-result",
    severity=Severity.ERROR,
    summary="A result has another dtype, shape or layout, or nothing is promised of it any more.",
    why=(
        "Callers rely on what they get, and graphs that were traced with the old fake kernel hold the old shapes and strides. Other names "
        "for the same sizes are no change, neither is a new `*batch` that stands in the inputs, too."
    ),
    remedy="return what was returned, or give the new form another overload name",
    bad=diff(
        "   - func: scale(Tensor x) -> Tensor",
        '-    tensors: {x: "float [n]", return: "x.dtype [n]"}',
        '+    tensors: {x: "float [n]", return: "float32 [n]"}',
    ),
    good=diff(
        "   - func: scale(Tensor x) -> Tensor",
        '-    tensors: {x: "float [n]", return: "x.dtype [n]"}',
        '+    tensors: {x: "float [size]", return: "x.dtype [size]"}',
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield each result of which something else is said; where nothing was promised nothing can be broken."""
    tensors = Tensors(pair)
    fresh = _packs(new for _, new, _ in tensors.inputs) - _packs(old for old, _, _ in tensors.inputs)
    for index, (old, new) in enumerate(tensors.results):
        if old is None:
            continue
        which = "the result" if len(tensors.results) == 1 else f"result {index}"
        if new is None:
            message = f"nothing is promised of {which} any more, which was `{old.written.text.value}`"
            yield changed(CODE, pair, message, [Category.SEMANTIC], None, old.location)
        elif old.words() != _without(new.words(), fresh):
            message = f"{which} was `{old.written.text.value}`, and is `{new.written.text.value}`"
            yield changed(CODE, pair, message, [Category.SEMANTIC], new.location, old.location)


def _packs(entries: Iterator[Entry | None]) -> frozenset[str]:
    return frozenset().union(*(packs(entry) for entry in entries if entry))


def _without(text: str, fresh: frozenset[str]) -> str:
    for pack in fresh:
        text = text.replace(f"{pack},", "").replace(f",{pack}]", "]").replace(f"[{pack}]", "[]")
    return text
