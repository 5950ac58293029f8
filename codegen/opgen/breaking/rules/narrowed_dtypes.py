"""OPG752: an argument takes fewer dtypes."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.breaking.tensors import Entry, Tensors
from opgen.diagnostics import Code, Severity
from opgen.spec.dtypes import in_order

CODE = Code(
    id="OPG752",
    name="narrowed-dtypes",
    severity=Severity.ERROR,
    summary="A tensor argument accepts fewer dtypes than before.",
    why=(
        "Calls with a tensor of another dtype are refused by the host checks and, when graphs are traced again, by "
        "the fake kernel."
    ),
    remedy="take all dtypes that were taken",
    bad=diff(
        "   - func: scale(Tensor x) -> Tensor",
        '-    tensors: {x: "float [n]", return: "x.dtype [n]"}',
        '+    tensors: {x: "float32 [n]", return: "x.dtype [n]"}',
    ),
    good=diff(
        "   - func: scale(Tensor x) -> Tensor",
        '-    tensors: {x: "float32 [n]", return: "x.dtype [n]"}',
        '+    tensors: {x: "float [n]", return: "x.dtype [n]"}',
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield each argument of which a dtype is refused now, or is decided in another way."""
    for old, new, name in Tensors(pair).inputs:
        lost = _lost(old, new) if new else ""
        if lost and new:
            place = old.location if old else None
            yield changed(CODE, pair, f"the argument '{name}' {lost}", [Category.SEMANTIC], new.location, place)


def _lost(old: Entry | None, new: Entry) -> str:
    before, now = old.dtypes if old else None, new.dtypes
    if now is None or before == now:
        return ""
    if isinstance(before, frozenset) and isinstance(now, frozenset):
        lost = in_order(before - now)
        return f"no longer takes {', '.join(lost)}" if lost else ""
    was = "any" if before is None else before if isinstance(before, str) else ", ".join(in_order(before))
    return f"took the dtype {was}, and takes {now if isinstance(now, str) else ', '.join(in_order(now))}"
