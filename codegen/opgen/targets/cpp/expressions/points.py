"""What is computed at a point in C++: the parameters and statements of a function, and the constants of its row."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.records import dataclass
from opgen.targets.checks.lines import fill
from opgen.targets.cpp.expressions.plan import Kept, OfRow, Plan, Point
from opgen.targets.cpp.expressions.primitives import Count, RowValue
from opgen.targets.cpp.expressions.types import CppType
from opgen.targets.cpp.expressions.values import Renderer
from opgen.targets.names import cpp_name


@dataclass(frozen=True)
class Points:
    """The points of one kernel.

    Attributes:
        plan: of the kernel.
        values: renders what is computed.
    """

    plan: Plan
    values: Renderer

    def parameters(self, point: Point) -> str:
        """Return the parameters: what is read."""
        names = self.values.names
        return ", ".join(
            f"{names.type(self.plan.reads[read])} {cpp_name(read.name) if isinstance(read, Kept) else names.elements[read]}"
            for read in point.reads
        )

    def statements(self, point: Point) -> list[str]:
        """Return constants for bindings, and what comes out."""
        bindings = ((each, self.plan.conversions.named[each.name]) for each in point.bindings)
        lines = [
            self._constant(cpp_name(each.name), type_, self.values.render(each.value, type_))
            for each, type_ in bindings
        ]
        texts = [self.values.render(*typed) for typed in point.values]
        if len(texts) == 1:
            return [*lines, f"return {texts[0]};"]
        return [*lines, *fill("return std::tuple(", texts, ");")]

    def row(self, point: Point) -> str:
        """Return the parameter for the number of its row, with a name where that is used."""
        is_used = not self.values.names.arrays.keys().isdisjoint(point.of_row)
        return f"int64_t {self.values.names.row}" if is_used else "int64_t"

    def of_row(self, point: Point) -> Iterator[str]:
        """Yield constants for the values of its row."""
        for each in point.of_row:
            if not isinstance(each, str):
                yield self._constant(self.values.names.elements[each], self.plan.reads[each], self._in_array(each))
            else:
                text = self._follows(self.plan.rows[each]) if each in self.plan.rows else self._in_array(each)
                yield self._constant(cpp_name(each), self.plan.conversions.named[each], text)

    def _constant(self, name: str, type_: CppType, text: str) -> str:
        return f"const {self.values.names.type(type_)} {name} = {text};"

    def _in_array(self, each: OfRow) -> str:
        return f"{self.values.names.arrays[each]}[{self.values.names.row}]"

    def _follows(self, row: RowValue) -> str:
        """Render a value of a row that follows from others."""
        type_ = self.plan.conversions.named[row.name]
        if not isinstance(row.value, Count):
            return self.values.render(row.value, type_)
        count = f"{self.values.names.space}.reduced_points()"
        if row.value.correction:
            count = f"std::max<int64_t>({count} - {row.value.correction}, 0)"
        return f"{cpp_name(row.value.of)} / static_cast<{self.values.names.type(type_)}>({count})"
