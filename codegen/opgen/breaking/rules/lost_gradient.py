"""OPG758: gradients are gone."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.diagnostics import Code, Severity
from opgen.model.op import Op
from opgen.rules.rule import listed

CODE = Code(
    id="OPG758",
    name="lost-gradient",
    severity=Severity.ERROR,
    summary="An op lost its gradient, or now raises where it warned.",
    why=(
        "Training code fails, or continues without the gradient: with `autograd: none` PyTorch only warns in the "
        "backward pass. Source: `torch/_library/autograd.py`."
    ),
    remedy="keep the formula",
    bad=diff(
        "   - func: scale(Tensor x, float by) -> Tensor",
        "-    autograd: {x: grad * by}",
    ),
    good=diff(
        "   - func: scale(Tensor x, float by) -> Tensor",
        "+    autograd: {x: grad * by}",
    ),
)


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield ops that lost formulas, or whose word became stricter."""
    old, new = (_gradients(op) for op in (pair.old, pair.new))
    place, before = (op.spec.keys.get("autograd") for op in (pair.new, pair.old))
    lost = sorted(name for name in old if pair.renamed.get(name, name) not in new) if isinstance(old, frozenset) else []
    if new == "composite" or not lost:
        lost = []
    if lost:
        message = f"{listed(lost)} no longer {'has a gradient' if len(lost) == 1 else 'have gradients'}"
        yield changed(CODE, pair, message, [Category.SEMANTIC], place, before)
    elif new == "error" and old != "error":
        message = "calls that need a gradient raise now"
        yield changed(CODE, pair, message, [Category.SEMANTIC], place, before)
    elif old == "composite" and new == "none":
        message = "the op is no longer differentiated through the ops that it calls"
        yield changed(CODE, pair, message, [Category.SEMANTIC], place, before)


def _gradients(op: Op) -> frozenset[str] | str:
    """Return the names of the arguments with a formula, or the word."""
    stated = op.spec.autograd
    if isinstance(stated, tuple):
        return frozenset(name.value for formula in stated for name in formula.arguments)
    return stated.value if stated else "none"
