"""OPG754: an argument must be laid out, or lie, in a narrower way."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.breaking.tensors import Tensors
from opgen.diagnostics import Code, Severity
from opgen.rules.rule import listed

CODE = Code(
    id="OPG754",
    name="narrowed-layout",
    severity=Severity.ERROR,
    summary="A tensor argument must now have a particular layout, or be on a particular device.",
    why="Calls with a transposed or sliced tensor, or with one on another device, are now refused.",
    remedy="make the copy in the kernel, or give the new form another overload name",
    bad=diff(
        "   - func: scale(Tensor x) -> Tensor",
        '-    tensors: {x: "float [n]", return: "x.dtype [n]"}',
        '+    tensors: {x: "float [n] contiguous", return: "x.dtype [n]"}',
    ),
    good=diff(
        "   - func: scale(Tensor x) -> Tensor",
        '-    tensors: {x: "float [n] contiguous", return: "x.dtype [n]"}',
        '+    tensors: {x: "float [n]", return: "x.dtype [n]"}',
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield each argument with a layout that it did not have to have, or with another device."""
    for old, new, name in Tensors(pair).inputs:
        if new is None or new.spec is None or (old is not None and old.spec is None):
            continue
        place = old.location if old else None
        asked = sorted(new.layouts - (old.layouts if old else frozenset()))
        if asked:
            message = f"the argument '{name}' must be {listed(asked)} now"
            yield changed(CODE, pair, message, [Category.SEMANTIC], new.location, place)
        if new.device not in {old.device if old else "", "any"}:
            message = f"the argument '{name}' must be on another device than before"
            yield changed(CODE, pair, message, [Category.SEMANTIC], new.location, place)
