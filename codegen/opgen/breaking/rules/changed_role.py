"""OPG757: a written argument has another role."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.breaking.breakage import Breakage, changed, diff
from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.diagnostics import Code, Severity
from opgen.model.op import Argument

CODE = Code(
    id="OPG757",
    name="changed-role",
    severity=Severity.ERROR,
    summary="A written argument has a different role, or may no longer share memory.",
    why=(
        "Callers may pass `torch.empty` for a destination (`overwrites`) and for `scratch`, but not for state, whose "
        "contents matter. Overlap that `may_overlap` or `alias_safe` allowed is now refused, and so is an output "
        "that `resize_out` would have resized."
    ),
    remedy="keep the role, or give the new form another overload name",
    bad=diff(
        "   - func: scale(Tensor(a!) out, Tensor x) -> ()",
        "-    overwrites: [out]",
    ),
    good=diff(
        "   - func: scale(Tensor(a!) out, Tensor x) -> ()",
        "+    may_overlap: [out, x]",
    ),
)
_ROLES = {
    (True, False): "a destination, whose contents are not read",
    (False, True): "scratch, whose contents mean nothing",
    (True, True): "a destination and scratch",
    (False, False): "state, whose contents are read and kept",
}


def check(pair: Pair) -> Iterator[Breakage]:
    """Yield each written argument of another role, and each permission that is gone."""
    for before, after in pair.matched:
        old, new = pair.old.argument[before.name], pair.new.argument[after.name]
        if old.written and new.written and _role(old) != _role(new):
            message = f"the argument '{new.name}' was {_ROLES[_role(old)]}, and is {_ROLES[_role(new)]}"
            yield changed(CODE, pair, message, [Category.SEMANTIC], after.span, before.span)
    spec = pair.new.spec
    kept = {text.value for text in spec.may_overlap}
    for text in pair.old.spec.may_overlap:
        if text.value not in kept and text.value in pair.new_arguments:
            message = f"the argument '{text.value}' may no longer overlap with others"
            yield changed(CODE, pair, message, [Category.SEMANTIC], None, text.locate())
    for key in ("alias_safe", "resize_out"):
        if getattr(pair.old.spec, key) and not getattr(spec, key):
            message = f"`{key}` is no longer true"
            yield changed(CODE, pair, message, [Category.SEMANTIC], spec.keys.get(key), pair.old.spec.keys.get(key))


def _role(argument: Argument) -> tuple[bool, bool]:
    return argument.overwrites, argument.scratch
