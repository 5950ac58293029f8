"""What the variables of a kernel are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from opgen.model.compute.nodes import Operand
from opgen.model.op import Op
from opgen.records import dataclass
from opgen.targets.cpp.expressions.conversions import Place
from opgen.targets.cpp.expressions.outside import Constant, constants, rendered
from opgen.targets.cpp.expressions.plan import Kept, OfRow, Outside, Plan, Read, Reduce, is_of_row
from opgen.targets.cpp.expressions.types import CppType, Key
from opgen.targets.expressions.names import Names
from opgen.targets.names import FreeNames, cpp_name


@dataclass(frozen=True)
class Identifiers:
    """The names of one kernel: none is one of the op's own.

    Attributes:
        op: names of arguments and sizes.
        space: the iteration space.
        tile: some of its rows.
        row: the number of one.
        types: the types that are chosen, as an argument.
        at_point: the function of a point.
        chosen: the types that are chosen.
        stores: what stands for an operand that is written, by its target.
        reads: what stands for one that is read.
        elements: an element of it.
        arrays: the values of all rows of a tile.
        constants: what is computed before any loop.
    """

    op: Names
    space: str
    tile: str
    row: str
    types: str
    at_point: str
    chosen: Mapping[Key, str]
    stores: Mapping[str, str]
    reads: Mapping[Read, str]
    elements: Mapping[Operand | Place, str]
    arrays: Mapping[OfRow, str]
    constants: Mapping[Constant, str]

    @staticmethod
    def of(op: Op, plan: Plan) -> Identifiers:
        """Choose them."""
        names = Names.of(op, cpp_name)
        free = FreeNames((*names.taken, *map(cpp_name, plan.conversions.named)))
        loads = [read for read in plan.reads if not isinstance(read, Kept)]
        arrays: dict[OfRow, str] = {read: _element(read) for read in loads if is_of_row(plan.program, read)}
        reductions = (loop.reduction.name for loop in plan.loops if isinstance(loop, Reduce))
        arrays |= {name: cpp_name(name) for name in reductions}
        return Identifiers(
            op=names,
            space=free("space"),
            tile=free("tile"),
            row=free("row"),
            types=free("types"),
            at_point=free("at_point"),
            chosen={key: free(f"{'_'.join((*key.tensors, *key.dtypes))}_t") for key in plan.chosen},
            stores={store.target: free(f"to_{cpp_name(store.target)}") for store in plan.program.stores},
            reads={read: free(_handle(read)) for read in plan.reads},
            elements=_elements(loads, free),
            arrays={each: free(f"{name}_of") for each, name in arrays.items()},
            constants={constant: free(constant.name) for constant in constants(plan.outside, names)},
        )

    def type(self, type_: CppType) -> str:
        """Spell a type."""
        return self.chosen[type_] if isinstance(type_, Key) else type_

    def outside(self, outside: Outside) -> str:
        """Render what is the same at all points."""
        found = rendered(outside, self.op)
        return self.constants[found] if isinstance(found, Constant) else found


def _handle(read: Read) -> str:
    return f"kept_{cpp_name(read.name)}" if isinstance(read, Kept) else f"from_{_element(read)}"


def _element(read: Operand | Place) -> str:
    """Return what an element is called if nothing else is: where it is in sight, the tensor isn't needed."""
    return cpp_name(read.argument) if isinstance(read, Operand) else f"{cpp_name(read.axis)}_place"


def _elements(loads: list[Operand | Place], free: Callable[[str], str]) -> dict[Operand | Place, str]:
    found: dict[Operand | Place, str] = {}
    for read in loads:
        name = _element(read)
        if isinstance(read, Place):
            found[read] = free(name)
        else:
            found[read] = free(f"{name}_2") if name in found.values() else name
    return found
