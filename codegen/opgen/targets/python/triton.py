"""The skeleton of a Triton kernel: launcher, kernel function, masks and strides, without the maths."""

from __future__ import annotations

import re

from opgen.model.kernel import Kernel
from opgen.model.op import Op
from opgen.records import dataclass
from opgen.targets.names import python_name
from opgen.targets.output import OutputFile
from opgen.targets.python.ops import stub_imports
from opgen.targets.templates import render


@dataclass(frozen=True, slots=True)
class TritonSkeletonView:
    """One skeleton.

    Attributes:
        op: the qualified name.
        key: the dispatch key.
        imports: import lines, as the import sorter orders them.
        name: the name of the launcher.
        head: the head of the launcher, laid out.
        tensor: the tensor whose elements the Triton programs share: the first that is written.
        place: the message of the error that is raised until the maths is written.
    """

    op: str
    key: str
    imports: tuple[str, ...]
    name: str
    head: str
    tensor: str
    place: str


def triton_skeleton(op: Op, kernel: Kernel, head: str) -> OutputFile:
    """Emit ``kernels/triton/OP.py``, unless the file exists; ``head`` is the head of the launcher."""
    plain = [argument for argument in op.arguments if argument.is_tensor and not argument.is_optional]
    written = [argument for argument in plain if argument.written]
    filled = [output for output in op.fresh_outputs if re.search(rf"\b{python_name(output.name)}: Tensor\b", head)]
    names = [*(one.name for one in filled), *(one.name for one in written), *(one.name for one in plain)]
    imports = [*stub_imports(head), "import triton", "import triton.language as tl"]
    standard = [line for line in imports if not re.match(r"(import|from) (torch|triton)", line) and line]
    third = sorted(
        (line for line in imports if re.match(r"(import|from) (torch|triton)", line)),
        key=lambda x: (x.split()[0] == "from", x),
    )
    view = TritonSkeletonView(
        op=op.qualified_name,
        key=kernel.dispatch_key,
        imports=tuple([*standard, "", *third] if standard else third),
        name=python_name(op.identifier),
        head=head,
        tensor=python_name(next(iter(names), "x")),
        place=f"{op.qualified_name}: write the kernel in {kernel.path}",
    )
    return OutputFile(kernel.path, render("python/kernel_triton.py.j2", view), once=True)
