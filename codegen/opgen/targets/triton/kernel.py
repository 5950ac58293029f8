"""Emits ``generated/PACKAGE/_triton_kernels/OP.py``: the kernel of an expression, in Triton."""

from __future__ import annotations

from opgen.model.compute.nodes import Program
from opgen.model.op import Library, Op
from opgen.records import dataclass
from opgen.targets.expressions.as_written import as_written
from opgen.targets.expressions.device_program import DeviceProgram
from opgen.targets.names import python_name
from opgen.targets.output import OutputFile
from opgen.targets.python.layout import lay_out, lay_out_body, py_string
from opgen.targets.python.place import folder
from opgen.targets.templates import render
from opgen.targets.triton.body import Body
from opgen.targets.triton.identifiers import Identifiers
from opgen.targets.triton.launch import Launch


@dataclass(frozen=True, slots=True)
class TritonKernelView:
    """One kernel.

    Attributes:
        op: the qualified name.
        expression: the author's expression, for the docstring.
        name: the name of the launcher; the kernel is called ``NAME_kernel``.
        head: the head of the launcher, laid out.
        sizes: statements that bind the named sizes.
        space: the statement that creates the iteration space, laid out.
        pointers: the names of the operands in the kernel, in the order of the iteration space.
        scalars: the kernel's parameters for scalars and sizes.
        constants: the kernel's ``tl.constexpr`` parameters.
        passed: the arguments for both, laid out.
        loaded: statements that convert passed scalars to values, laid out.
        body: the statements of the kernel, laid out.
        reduces: whether there are reductions.
        restored: the argument ``restore_value`` of ``triton.autotune``, which names the written pointers, laid out.
    """

    op: str
    expression: str
    name: str
    head: str
    sizes: tuple[str, ...]
    space: str
    pointers: tuple[str, ...]
    scalars: tuple[str, ...]
    constants: tuple[str, ...]
    passed: tuple[str, ...]
    loaded: tuple[str, ...]
    body: tuple[str, ...]
    reduces: bool
    restored: str


def triton_kernel_file(library: Library, op: Op, program: Program) -> OutputFile:
    """Emit the file."""
    path = f"{folder(library)}/_triton_kernels/{python_name(op.identifier)}.py"
    return OutputFile(path, render("triton/kernel.py.j2", _view(op, DeviceProgram(program))))


def _view(op: Op, program: DeviceProgram) -> TritonKernelView:
    names = Identifiers.of(program)
    body = Body(program, op.tensors, names)
    lines = tuple(lay_out_body(body.lines()))  # first: the launcher passes the parameters that these lines mention
    launch = Launch(op, program, body.parameters)
    passed = [*(f"{text}," for _, text in launch.scalars), *(f"{name}={text}," for name, text in launch.constants)]
    restored = ", ".join(py_string(f"{each}_pointer") for each in names.stores.values())
    name = python_name(op.identifier)
    return TritonKernelView(
        op=op.qualified_name,
        expression="\n".join(as_written(op)),
        name=name,
        head=lay_out(f"def fill_{name}({', '.join(launch.parameters())}) -> None:"),
        sizes=tuple(launch.sizes()),
        space=lay_out(f"space = Space({launch.space})", 1),
        pointers=names.operands,
        scalars=tuple(name for name, _ in launch.scalars),
        constants=tuple(name for name, _ in launch.constants),
        passed=tuple(lay_out(text, 2) for text in passed),
        loaded=tuple(lay_out_body(body.scalars())),
        body=lines,
        reduces=program.reduces,
        restored=lay_out(f"restore_value=[{restored}],", 1),
    )
