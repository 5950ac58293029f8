"""OPG755: a result is promised to be something else."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.breaking.tensors import Tensors
from opgen.diagnostics import Code, Severity

CODE = Code(
    id="OPG755",
    name="changed-result",
    severity=Severity.ERROR,
    summary="A result has a different dtype, shape or layout, or its contract was removed.",
    why=(
        "Callers rely on the results that they get, and graphs that were traced with the old fake kernel contain the "
        "old shapes and strides. Renaming sizes is not a change, and neither is a new `*batch` that also occurs in "
        "the inputs."
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
    for index, (old, new) in enumerate(tensors.results):
        if old is None or (new is not None and old.meaning == new.meaning):
            continue
        which = "the result" if len(tensors.results) == 1 else f"result {index}"
        message = f"nothing is promised of {which} any more, which was `{old.text}`"
        if new is not None:
            message = f"{which} was `{old.text}`, and is `{new.text}`"
        yield changed(CODE, pair, message, [Category.SEMANTIC], new.location if new else None, old.location)
