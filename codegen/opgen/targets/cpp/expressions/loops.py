"""The loops of a kernel in C++, over points or over tiles of rows: the calls of ``points/tile.h``."""

from __future__ import annotations

from collections.abc import Sequence

from opgen.records import dataclass
from opgen.targets.checks.lines import fill, indented
from opgen.targets.cpp.expressions.identifiers import Identifiers
from opgen.targets.cpp.expressions.operands import Operands
from opgen.targets.cpp.expressions.plan import Keep, Kept, Loop, Plan, Reduce, StoreAtPoints, StoreOfRow
from opgen.targets.cpp.expressions.points import Points
from opgen.targets.cpp.expressions.primitives import Pass

_SHORT = 90
"""What fits on a line, some levels deep."""


@dataclass(frozen=True)
class Loops:
    """The loops of one kernel.

    Attributes:
        plan: of the kernel.
        names: of its variables.
        operands: what it reads and writes.
        points: what it computes.
    """

    plan: Plan
    names: Identifiers
    operands: Operands
    points: Points

    def lines(self) -> list[str]:
        """Lay them out."""
        if not self.plan.program.reduced:
            return [line for loop in self.plan.loops for line in self._over_points(loop)]
        arrays = (
            f"const auto {self.names.arrays[read]} = {self.names.tile}.rows_of({self.names.reads[read]});"
            for read in self.plan.reads
            if not isinstance(read, Kept) and read in self.names.arrays
        )
        loops = (line for loop in self.plan.loops for line in self._over_rows(loop))
        return _function(f"{self.names.space}.for_each_tile([&](auto& {self.names.tile})", [*arrays, *loops], ");")

    def _over_points(self, loop: Loop) -> list[str]:
        function, point = self.names.at_point, loop.point
        head = f"const auto {function} = [=]({self.points.parameters(point)})"
        return [
            *_function(head, self.points.statements(point), ";"),
            *fill(f"{self.names.space}.for_each_point({function}, ", self._operands(loop), ");"),
        ]

    def _over_rows(self, loop: Loop) -> list[str]:
        tile, point = self.names.tile, loop.point
        match loop:
            case Keep(kept):
                head = f"const auto {self.names.reads[kept]} = {tile}.keep({self.operands.class_of(kept)}(), "
            case Reduce(reduction):
                array = self.names.arrays[reduction.name]
                head = f"const auto {array} = {tile}.template reduce<points::{self._reducer(reduction)}>("
            case StoreAtPoints():
                head = f"{tile}.store("
            case StoreOfRow():
                head = f"{tile}.store_rows("
        body = self.points.statements(point)
        if not isinstance(loop, StoreOfRow):  # for each row a function of its points
            body = _function(f"return [=]({self.points.parameters(point)})", body, ";")
        operands = "".join(f", {each}" for each in self._operands(loop))
        head = f"{head}[&]({self.points.row(point)})"
        return _function(head, [*self.points.of_row(point), *body], f"{operands});")

    def _operands(self, loop: Loop) -> list[str]:
        """Return what stands for what is written and read."""
        reads = [self.names.reads[read] for read in loop.point.reads]
        match loop:
            case StoreAtPoints(stores):
                return [f"std::tuple{{{', '.join(self.names.stores[store.target] for store in stores)}}}", *reads]
            case StoreOfRow(store):
                return [self.names.stores[store.target]]
        return reads

    def _reducer(self, reduction: Pass) -> str:
        if reduction.reducer in {"Any", "All"}:
            return reduction.reducer
        return f"{reduction.reducer}<{self.names.type(self.plan.conversions.types.of(reduction.taken))}>"


def _function(head: str, lines: Sequence[str], tail: str) -> list[str]:
    """Lay out a function: on one line where it is short."""
    if len(lines) == 1 and len(head) + len(lines[0]) + len(tail) < _SHORT:
        return [f"{head} {{ {lines[0]} }}{tail}"]
    return [f"{head} {{", *indented(lines, 2), f"}}{tail}"]
