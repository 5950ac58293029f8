"""Plans a kernel from the nodes of its program, in the order in which the kernel will mention things."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opgen.model.compute.nodes import Binding, Program
from opgen.targets.cpp.expressions.bindings import needed, once_a_row, worth_keeping
from opgen.targets.cpp.expressions.conversions import Conversions, Typed, conversions_of
from opgen.targets.cpp.expressions.mentions import Mentions, Used
from opgen.targets.cpp.expressions.plan import (
    Keep,
    Kept,
    Loop,
    OfRow,
    Plan,
    Point,
    Reduce,
    StoreAtPoints,
    StoreOfRow,
    is_of_row,
)
from opgen.targets.cpp.expressions.primitives import Count, Pass, Primitive, RowValue, primitives
from opgen.targets.cpp.expressions.types import Types
from opgen.targets.expressions.names import Names
from opgen.targets.names import FreeNames


def plan_of(program: Program, types: Types) -> Plan:
    """Plan the kernel of a program."""
    named = [*(binding.name for binding in program.bindings), *(reduction.name for reduction in program.reductions)]
    reductions = primitives(program, FreeNames((*Names.of(types.op, str).taken, *named)))
    return _Planner(program, reductions, conversions_of(program, reductions, types)).plan()


class _Planner:
    """Goes through a program once."""

    def __init__(self, program: Program, reductions: Sequence[Primitive], conversions: Conversions) -> None:
        self._program, self._reductions = program, reductions
        self._once_a_row = once_a_row(program)
        self._keepable = frozenset(worth_keeping(program, reductions))
        self._mentions = Mentions(conversions)
        self._rows: dict[str, RowValue] = {}
        self._follows_from: dict[OfRow, frozenset[Used]] = {}
        self._loops: list[Loop] = []

    def plan(self) -> Plan:
        """Plan reductions, what is stored once a row, what is stored at points."""
        stores = [(store, self._mentions.typed(store.value)) for store in self._program.stores]
        for reduction in self._reductions:
            if isinstance(reduction, Pass):
                self._reduce(reduction)
            else:
                self._add_row(reduction)
        for store, typed in stores:
            if store.per_row:
                self._loops.append(StoreOfRow(store, self._point([typed])))
        if at_points := [(store, typed) for store, typed in stores if not store.per_row]:
            point = self._point([typed for _, typed in at_points])
            self._loops.append(StoreAtPoints(tuple(store for store, _ in at_points), point))
        mentions = self._mentions
        sizes = [axis.size for axis in self._program.axes if axis.size is not None and not axis.is_pack]
        return Plan(
            program=self._program,
            conversions=mentions.conversions,
            chosen=tuple(mentions.chosen),
            reads=mentions.reads,
            loads=mentions.loads,
            outside=tuple(dict.fromkeys([*mentions.outside, *sizes])),
            rows=self._rows,
            loops=tuple(self._loops),
        )

    # --- loops ---
    def _point(self, values: Sequence[Typed]) -> Point:
        """Plan what computes some values; what is kept for them is planned before."""
        used: list[Used] = []
        bindings: list[Binding] = []
        for binding in needed(self._program.bindings, [value for value, _ in values], self._keepable):
            if binding.name in self._once_a_row:
                self._add_row(RowValue(binding.name, binding.value, binding.value.type))
            elif binding.name in self._keepable:
                used.append(self._keep(binding))
            else:
                bindings.append(binding)
                used += self._use(self._mentions.typed(binding.value))
        for typed in values:
            used += self._use(typed)
        reads = (each for each in used if not isinstance(each, str) and each not in self._follows_from)
        return Point(self._of_row(used), tuple(dict.fromkeys(reads)), tuple(bindings), tuple(values))

    def _keep(self, binding: Binding) -> Kept:
        kept = Kept(binding.name)
        if kept not in self._mentions.reads:
            value, type_ = self._mentions.typed(binding.value)
            point = self._point([(value, type_)])
            self._mentions.reads[kept] = type_
            self._loops.append(Keep(kept, point))
        return kept

    def _reduce(self, reduction: Pass) -> None:
        type_ = self._mentions.choose(self._mentions.conversions.types.of(reduction.taken))
        self._loops.append(Reduce(reduction, self._point([(reduction.value, type_)])))
        self._follows_from[reduction.name] = frozenset()

    # --- rows ---
    def _add_row(self, row: RowValue) -> None:
        if row.name not in self._rows:
            type_ = self._mentions.choose(self._mentions.conversions.named[row.name])
            used = [row.value.of] if isinstance(row.value, Count) else self._use((row.value, type_))
            self._follows_from[row.name] = frozenset(used)
            self._rows[row.name] = row

    def _use(self, typed: Typed) -> list[Used]:
        """Note what a value mentions, and return what it uses."""
        used = self._mentions.add(typed)
        for each in used:
            if not isinstance(each, str | Kept) and is_of_row(self._program, each):
                self._follows_from.setdefault(each, frozenset())
        return used

    def _of_row(self, used: Iterable[Used]) -> tuple[OfRow, ...]:
        """Return the values of a row among what is used, directly or not, each after those that it follows from."""
        wanted = set(used)
        found: list[OfRow] = []
        for each, others in reversed(self._follows_from.items()):
            if each in wanted:
                found.append(each)
                wanted |= others
        return tuple(reversed(found))
