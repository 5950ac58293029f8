"""Emits ``generated/csrc/expressions/cuda/OP.cu``: the kernel of an expression, in CUDA."""

from __future__ import annotations

from opgen.model.compute.nodes import Program
from opgen.model.kernel import Kernel
from opgen.model.op import Library, Op
from opgen.records import dataclass
from opgen.targets.cpp.device.body import Body
from opgen.targets.cpp.device.identifiers import Identifiers
from opgen.targets.cpp.device.launch import Launch
from opgen.targets.cpp.header import header_path
from opgen.targets.cpp.library import LibraryView
from opgen.targets.cpp.signature import kernel_signature, kernel_symbol
from opgen.targets.cpp.sizes import sizes
from opgen.targets.cpp.unused import unused_arguments
from opgen.targets.expressions.as_written import as_written
from opgen.targets.expressions.device_program import DeviceProgram
from opgen.targets.output import OutputFile
from opgen.targets.templates import render


@dataclass(frozen=True, slots=True)
class DeviceKernelView:
    """One kernel.

    Attributes:
        op: the qualified name.
        expression: the author's expression, for a comment.
        headers: the headers to include, as ``#include`` spells them.
        namespace: the namespace of the kernel.
        using: the namespace to import the header's names from; empty where they are visible.
        struct: the name of the struct.
        types: the template parameters of the struct.
        choices: for each template parameter the variable that carries the chosen type, and the call that chooses it by
            the dtypes of a call.
        instance: the struct with its template arguments.
        head: return type, name and parameters of the launching function.
        sizes: declarations of the named sizes.
        space: the lines of the statement that creates the iteration space.
        elements: for each operand its element types, the struct's member, and the member's initializer; three empty
            texts for an operand that is the place along an axis.
        members: type, name and initializer of the struct's other members: scalars, sizes, flags.
        body: the lines of the device function.
        reduces: whether there are reductions.
        on: the tensor whose device and stream are used.
        walked: the variable that holds the iteration space.
        launched: the variable that holds the struct.
        unused: statements for arguments that nothing else mentions, against warnings.
    """

    op: str
    expression: str
    headers: tuple[str, ...]
    namespace: str
    using: str
    struct: str
    types: tuple[str, ...]
    choices: tuple[tuple[str, str], ...]
    instance: str
    head: str
    sizes: tuple[str, ...]
    space: tuple[str, ...]
    elements: tuple[tuple[str, str, str], ...]
    members: tuple[tuple[str, str, str], ...]
    body: tuple[str, ...]
    reduces: bool
    on: str
    walked: str
    launched: str
    unused: tuple[str, ...]


def device_kernel_file(library: Library, op: Op, program: Program, kernel: Kernel) -> OutputFile:
    """Emit the file."""
    parts = DeviceProgram(program)
    names = Identifiers.of(parts)
    first = Body(parts, names, {})
    for _ in first.lines():
        pass
    # An operand that all uses convert to one type is loaded in that type, so that no code is compiled for its own type.
    loads = {operand: next(iter(found)) for operand, found in first.values.wanted.items() if len(found) == 1}
    body = Body(parts, names, loads)
    lines = tuple(body.lines())  # first: the launcher passes the members that these lines mention
    view = _view(library, op, kernel, Launch(op, parts, names, body.values), lines)
    return OutputFile(kernel.path, render("cpp/expression.cu.j2", view))


def _view(library: Library, op: Op, kernel: Kernel, launch: Launch, body: tuple[str, ...]) -> DeviceKernelView:
    namespace, _, name = kernel_symbol(kernel).rpartition("::")
    folder = LibraryView.of(library).folder
    reduces = launch.program.reduces
    struct = "".join(part.capitalize() for part in op.identifier.split("_")) + "Kernel"
    walked, sized = launch.names.local("space"), tuple(sizes(op))
    space, elements, members = tuple(launch.space(walked)), tuple(launch.elements()), tuple(launch.members())
    types = tuple(launch.types())  # last: element lists add types
    handed = [made for *_, made in (*types, *elements, *members)]
    chosen = ", ".join(f"typename decltype({variable})::type" for _, variable, _ in types)
    return DeviceKernelView(
        op=op.qualified_name,
        expression="\n".join(as_written(op)),
        headers=(
            header_path(library, op),
            *(f"{folder}/device/{part}.h" for part in ("reductions" if reduces else "maths", "walk")),
        ),
        namespace=namespace,
        using="" if namespace.partition("::")[0] in {op.namespace, library.namespace} else f"::{library.namespace}",
        struct=struct,
        types=tuple(parameter for parameter, _, _ in types),
        choices=tuple((variable, call) for _, variable, call in types),
        instance=f"{struct}<{chosen}>" if types else struct,
        head=kernel_signature(op, kernel).declare(name),
        sizes=sized,
        space=space,
        elements=elements,
        members=members,
        body=body,
        reduces=reduces,
        on=launch.on,
        walked=walked,
        launched=launch.names.local("kernel"),
        unused=unused_arguments(op, [*sized, *space, *handed, launch.on]),
    )
