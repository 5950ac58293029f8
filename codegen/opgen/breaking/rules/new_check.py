"""OPG756: calls are refused by a condition that is new."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.breaking.sizes import Sizes, same_sizes
from opgen.diagnostics import Code, Severity

CODE = Code(
    id="OPG756",
    name="new-check",
    severity=Severity.ERROR,
    summary="A condition under `checks` is new or different.",
    why=(
        "Calls that were allowed may now be refused. Only the text of a condition is compared, with the old names of "
        "sizes."
    ),
    remedy="handle the case in the kernel, or say so in the notes of the release",
    bad=diff(
        "   - func: scale(Tensor x, float by) -> Tensor",
        '     tensors: {x: "float [n]", return: "x.dtype [n]"}',
        '+    checks: ["by > 0"]',
    ),
    good=diff(
        "   - func: scale(Tensor x, float by) -> Tensor",
        '     tensors: {x: "float [n]", return: "x.dtype [n]"}',
        '-    checks: ["by > 0"]',
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield each condition that the old version did not have."""
    sizes = same_sizes(pair)
    known = {Sizes().words(condition.text.value) for condition in pair.old.spec.checks}
    for condition in pair.new.spec.checks:
        if sizes.words(condition.text.value) not in known:
            message = f"calls must satisfy `{condition.text.value}` now"
            yield changed(CODE, pair, message, [Category.SEMANTIC], condition.text.locate())
