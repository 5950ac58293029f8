"""OPG700: an op is gone."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from opgen.breaking.breakage import Breakage, breakage, diff
from opgen.breaking.category import Category
from opgen.breaking.surface import Surface
from opgen.diagnostics import Code, Severity
from opgen.model.op import Op
from opgen.schema.kinds import Kind, kind_of
from opgen.schema.nodes import Argument, Return

CODE = Code(
    id="OPG700",
    name="removed-op",
    severity=Severity.ERROR,
    summary="An op, or an overload of it, is no longer there.",
    why=(
        "Calls raise an AttributeError, saved graphs that contain the op can't be loaded, and C++ code that looks it "
        "up by name throws. An op is identified by namespace, name and overload, and saved graphs contain all three. "
        "Source: `torch/_export/serde/serialize.py`."
    ),
    remedy="keep it beside the new one, until nobody calls it and no graph holds it",
    bad=diff(
        "   - func: scale(Tensor x, float by) -> Tensor",
        "-  - func: halve(Tensor x) -> Tensor",
        "+  - func: half(Tensor x) -> Tensor",
    ),
    good=diff(
        "   - func: scale(Tensor x, float by) -> Tensor",
        "   - func: halve(Tensor x) -> Tensor",
        "+  - func: half(Tensor x) -> Tensor",
    ),
)
_HIT = (Category.PYTHON, Category.EXPORT, Category.CXX)


def check(old: Surface, new: Surface) -> Iterator[Breakage]:
    """Yield each op that only the old side has, at what it was renamed to, else where the ops of the new side begin."""
    gone = [op for name, op in old.ops.items() if name not in new.ops and name not in new.unreadable]
    added = {name: op for name, op in new.ops.items() if name not in old.ops}
    for op in gone:
        successor = _successor(op, added)
        path = op.location.source.path.rpartition(":")[2]
        place = successor.location if successor else new.places.get(path, new.places.get(""))
        renamed = f", {successor.qualified_name} is new: was it renamed?" if successor else ""
        help_ = "" if new.whole else f"it may be among the registrations that can't be read; else {CODE.remedy}"
        message = f"{op.qualified_name} was removed{renamed}"
        yield breakage(CODE, op.qualified_name, message, _HIT, place, before=op.location, help=help_)


def _successor(op: Op, added: dict[str, Op]) -> Op | None:
    """Return the new op that it may be now: one of the same types, of the most similar name."""
    alike = [name for name, other in added.items() if _types(op) == _types(other)]
    close = get_close_matches(op.qualified_name, alike, 1, 0.5)
    return added[close[0]] if close else None


def _types(op: Op) -> list[Kind]:
    values: list[Argument | Return] = [*op.schema.arguments, *op.schema.returns]
    return [kind_of(value.type) for value in values]
