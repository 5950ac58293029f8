"""The kernel of one program: an iteration space, the types to compute in, and the loops over its points."""

from __future__ import annotations

from collections.abc import Sequence

from opgen.model.compute.nodes import Given, Program, Scalar
from opgen.model.op import Op
from opgen.targets.checks.lines import fill, indented
from opgen.targets.cpp.expressions.identifiers import Identifiers
from opgen.targets.cpp.expressions.loops import Loops
from opgen.targets.cpp.expressions.operands import Operands
from opgen.targets.cpp.expressions.plan import Plan
from opgen.targets.cpp.expressions.planning import plan_of
from opgen.targets.cpp.expressions.points import Points
from opgen.targets.cpp.expressions.types import Types, dtype_arguments
from opgen.targets.cpp.expressions.values import Renderer
from opgen.targets.cpp.sizes import sizes_in
from opgen.targets.cpp.unused import unused_arguments
from opgen.targets.names import cpp_name


def kernel_body(op: Op, program: Program) -> list[str]:
    """Return the statements of the kernel."""
    plan = plan_of(program, Types(op))
    names = Identifiers.of(op, plan)
    operands = Operands(plan, names)
    loops = Loops(plan, names, operands, Points(plan, Renderer(plan.conversions, names)))
    lines = [
        *(f"const {each.type} {name} = {each.value};" for each, name in names.constants.items()),
        *_space(plan, names, operands),
        *_in_types(plan, names, [*operands.declarations(), *loops.lines()]),
    ]
    mentioned = (each for each in plan.outside if not isinstance(each, Scalar | Given))
    return [*sizes_in(op, mentioned), *lines, *unused_arguments(op, lines)]


def _space(plan: Plan, names: Identifiers, operands: Operands) -> list[str]:
    """Return the statement that makes the iteration space."""
    axes = []
    for axis in plan.program.axes:
        size = "points::kPack" if axis.is_pack or axis.size is None else names.outside(axis.size)
        axes.append(f"{{{size}, true}}" if axis.name in plan.program.reduced else f"{{{size}}}")
    found = operands.in_space()
    return fill(f"const points::Space<{len(found)}> {names.space}({{{', '.join(axes)}}}, {{", found, "});")


def _in_types(plan: Plan, names: Identifiers, lines: Sequence[str]) -> list[str]:
    """Return the call of some lines with the types that are chosen, the lines themselves where there are none."""
    if not plan.chosen:
        return [*lines]
    types = names.types
    uses = [
        f"using {names.type(key)} = typename decltype({types})::template at<{place}>;"
        for place, key in enumerate(plan.chosen)
    ]
    cases = [f"points::Types<{', '.join(case)}>" for case in plan.conversions.types.cases(plan.chosen)]
    found = [dtype_arguments(key, cpp_name) for key in plan.chosen]
    function = [*fill("{", found, f"}}, [&](auto {types}) {{"), *indented([*uses, *lines], 2), "});"]
    return [*fill("points::in_types<", cases, ">("), *indented(function, 4)]
