"""Emits the kernels that are written in Python: ``_kernels/__init__.py``, which registers them, and their skeletons.

The signature is that of C++ kernels: the arguments in schema order, then the preallocated outputs. The author's files
stand outside of the package; a build copies them into ``_kernels/BACKEND/``, as it does with the binary, so that the
package is complete wherever it is installed.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from opgen.model.kernel import Kernel
from opgen.model.op import Argument, Derivation, Library, Op, Output
from opgen.records import dataclass
from opgen.targets.checks.python import (
    checker_line,
    fake_checks,
    fake_return,
    kernel_allocations,
    result_checks,
)
from opgen.targets.cpp.signature import is_allocated
from opgen.targets.members import Member
from opgen.targets.names import python_name
from opgen.targets.output import OutputFile
from opgen.targets.python.fakes import write_call
from opgen.targets.python.layout import lay_out, lay_out_body, py_string, requote
from opgen.targets.python.members import MemberBody
from opgen.targets.python.mentions import mentions
from opgen.targets.python.ops import stub_imports
from opgen.targets.python.place import folder
from opgen.targets.python.signature import fake_head
from opgen.targets.python.triton import triton_skeleton
from opgen.targets.python.types import annotation, passed_type, result_type
from opgen.targets.templates import render

PACKAGE = "_kernels"
"""The subpackage with the copies of the author's kernels."""


@dataclass(frozen=True, slots=True)
class RegistrationView:
    """The registration of one kernel.

    Attributes:
        op: the qualified name.
        key: the dispatch key.
        function: the generated wrapper around the author's kernel.
        is_triton: whether it needs Triton.
    """

    op: str
    key: str
    function: str
    is_triton: bool


@dataclass(frozen=True, slots=True)
class KernelsView:
    """The module.

    Attributes:
        imports: import lines, as the import sorter orders them.
        files: the copied kernel files, relative to the module.
        functions: the wrappers, laid out.
        registrations: one for each kernel.
        has_overlap: whether a wrapper checks arguments for overlapping memory.
        has_filled: whether some kernels fill preallocated outputs and return nothing.
        has_triton: whether some kernels are written in Triton.
        seen_through: the ops and wrappers whose Triton launches `torch.compile` records (`torch.library.triton_op`).
    """

    imports: tuple[str, ...]
    files: tuple[str, ...]
    functions: tuple[str, ...]
    registrations: tuple[RegistrationView, ...]
    has_overlap: bool
    has_filled: bool
    has_triton: bool
    seen_through: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SkeletonView:
    """One skeleton.

    Attributes:
        op: the qualified name.
        key: the dispatch key.
        imports: import lines.
        head: the ``def`` line, laid out.
        task: what the author's code has to do, for the docstring.
        place: the message of the ``NotImplementedError`` that marks where to write it.
    """

    op: str
    key: str
    imports: tuple[str, ...]
    head: str
    task: str
    place: str


def kernels_files(library: Library) -> Iterator[OutputFile]:
    """Emit the module and the skeletons; nothing for a library without kernels in Python or Triton."""
    kernels = [(op, kernel) for op in library.ops for kernel in op.kernels if kernel.is_python]
    if not kernels:
        return
    functions = tuple(dict.fromkeys(_function(op, kernel) for op, kernel in kernels))
    code = "\n".join(functions)
    has_triton = any(kernel.kind == "triton" for _, kernel in kernels)
    view = KernelsView(
        imports=(*_imports(code), *(_triton_imports(code) if has_triton else ())),
        files=tuple(dict.fromkeys(f"{kernel.unit}.py" for op, kernel in kernels if _is_own(op, kernel))),
        functions=functions,
        registrations=tuple(
            RegistrationView(op.qualified_name, k.dispatch_key, _name(op, k), k.kind == "triton") for op, k in kernels
        ),
        has_overlap="_refuse_overlap(" in code,
        has_filled="_refuse_result(" in code,
        has_triton=has_triton,
        seen_through=tuple(
            dict.fromkeys((op.qualified_name, _name(op, k)) for op, k in kernels if _is_seen_through(op, k))
        ),
    )
    yield OutputFile(f"{folder(library)}/{PACKAGE}/__init__.py", render("python/kernels.py.j2", view))
    skeletons = {kernel.path: (op, kernel) for op, kernel in kernels if _is_own(op, kernel)}
    yield from (
        triton_skeleton(op, kernel, head_of(op, kernel)) if kernel.kind == "triton" else _skeleton(op, kernel)
        for op, kernel in skeletons.values()
    )


def _is_own(op: Op, kernel: Kernel) -> bool:
    """Whether the kernel is a file of the op's author, and not of the declared op or generated."""
    return not (kernel.names_symbol or op.is_derived)


def copied_folders(library: Library) -> dict[str, str]:
    """Return the folders of ``kernels/`` with Python kernels, each with the folder that a build copies its files to."""
    target = f"{folder(library)}/{PACKAGE}"
    return {
        posixpath.dirname(kernel.path): f"{target}/{posixpath.dirname(kernel.unit)}"
        for op in library.ops
        for kernel in op.kernels
        if kernel.is_python and not kernel.names_symbol
    }


def _name(op: Op, kernel: Kernel) -> str:
    return f"{kernel.unit.partition('/')[0]}_{op.identifier}"


def _filled(op: Op, kernel: Kernel) -> tuple[Output, ...]:
    return tuple(output for output in op.fresh_outputs if not kernel.allocates and is_allocated(op, output))


def _function(op: Op, kernel: Kernel) -> str:
    head, *names = fake_head(op, _name(op, kernel), result_type(op))
    lines = [*names, *(_derived_body(op, op.derivation, kernel) if op.derivation else _body(op, kernel))]
    return "\n".join([lay_out(head), *lay_out_body(lines)])


def _body(op: Op, kernel: Kernel) -> Iterator[str]:
    filled = _filled(op, kernel)
    returned = tuple(output for output in op.fresh_outputs if output not in filled)
    checks, results = [*map(requote, fake_checks(op))], [*map(requote, result_checks(op, returned))]
    made = checker_line(op)
    if results and made not in checks:
        yield made
    yield from checks
    if op.written and kernel.dispatch_key != "CompositeImplicitAutograd":
        yield from _overlap(op)
        yield write_call(op)
    yield from map(requote, kernel_allocations(op, filled))
    passed = [python_name(name) for name in (*op.argument, *(output.name for output in filled))]
    call = f"{_kernel(kernel)}({', '.join(passed)})"
    names = ", ".join(python_name(output.name) for output in returned)
    if filled and not returned:
        outputs = ", ".join(f"{python_name(output.name)}={python_name(output.name)}" for output in filled)
        call = f"_refuse_result({py_string(op.qualified_name)}, {call}, {outputs})"
    line = f"{names} = {call}" if names else call
    if kernel.dispatch_key == "CompositeImplicitAutograd":
        yield line
    else:
        context = "_below_autograd()"
        if kernel.kind == "triton":
            context += f", _launching({', '.join(_tensors(op))})"
        yield f"with {context}:"
        yield f"    {line}"
    yield from results
    yield from fake_return(op)


def _is_seen_through(op: Op, kernel: Kernel) -> bool:
    """Whether `torch.compile` may trace into a Triton kernel: only if it writes nothing but preallocated outputs.

    An op that writes arguments stays opaque, since overlapping memory can't be detected on fake tensors.
    """
    return (
        kernel.kind == "triton" and not op.is_derived and not op.written and len(_filled(op, kernel)) == len(op.outputs)
    )


def _tensors(op: Op) -> list[str]:
    return [python_name(argument.name) for argument in op.tensor_arguments if argument.is_tensor]


def _derived_body(op: Op, derivation: Derivation, kernel: Kernel) -> Iterator[str]:
    overlap = "".join(_overlap(op))
    call = _kernel(kernel)
    if kernel.kind == "triton":
        call = f"_launched({call}, {', '.join(_tensors(op))})"
    yield from MemberBody(Member(op, derivation), overlap, write_call(op), call).statements()


def _kernel(kernel: Kernel) -> str:
    """Return the expression for the author's function, which is imported at the first call."""
    module, _, function = kernel.symbol.partition(":")
    if not kernel.names_symbol:
        module, function = f".{kernel.unit.replace('/', '.')}", python_name(kernel.unit.rpartition("/")[2])
    return f"_find({py_string(module)}, {py_string(function)})"


def _overlap(op: Op) -> Iterator[str]:
    """Yield the call that refuses overlap with written arguments, as ``opgen.targets.cpp.writes`` does in C++."""
    if op.written:
        may_overlap = {name.value for name in op.spec.may_overlap}

        def operand(argument: Argument) -> str:
            flags = f"{argument.written}, {argument.name in may_overlap}"
            return f"({py_string(argument.name)}, {python_name(argument.name)}, {flags})"

        operands = ", ".join(map(operand, op.tensor_arguments))
        yield f"_refuse_overlap({py_string(op.qualified_name)}, {op.spec.alias_safe or op.is_derived}, [{operands}])"


def _imports(code: str) -> Iterator[str]:
    def uses(name: str) -> bool:
        return mentions(code, name)

    yield "import functools"
    if uses("math"):
        yield "import math"
    if uses("Sequence"):
        yield "from collections.abc import Sequence"
    yield "from importlib import import_module"
    yield "from pathlib import Path"
    yield f"from typing import {'Any, Literal' if uses('Literal') else 'Any'}"
    yield ""
    if uses("torch"):
        yield "import torch"
    if uses("Tensor") or uses("_refuse_overlap"):
        yield "from torch import Tensor"
    if any(map(uses, ("torch", "Tensor", "_refuse_overlap"))):
        yield ""
    if uses("Checker"):
        yield "from .._checks import Checker"
    if uses("_promote"):
        yield "from .._checks import promote as _promote"
    if uses("_below_autograd"):
        yield "from .._private import below_autograd as _below_autograd"
    yield "from .._schemas import DEFINED, LIBRARIES"
    yield from (f"from .._tracing import {name} as _{name}" for name in ("write", "write_out") if uses(f"_{name}"))


def _triton_imports(code: str) -> Iterator[str]:
    yield "from .._triton import IS_INSTALLED, make_unavailable, see_through"
    yield from (f"from .._triton import {name} as _{name}" for name in ("launched", "launching") if f"_{name}(" in code)


def head_of(op: Op, kernel: Kernel) -> str:
    """Return the head of the author's function, laid out."""
    filled = _filled(op, kernel)
    parameters = [
        *(f"{python_name(argument.name)}: {passed_type(argument, op)}" for argument in op.arguments),
        *(f"{python_name(output.name)}: {annotation(output.type)}" for output in filled),
    ]
    results = [annotation(output.type, is_result=True) for output in op.fresh_outputs if output not in filled]
    result = "None" if not results else results[0] if len(results) == 1 else f"tuple[{', '.join(results)}]"
    return lay_out(f"def {python_name(op.identifier)}({', '.join(parameters)}) -> {result}:")


def _skeleton(op: Op, kernel: Kernel) -> OutputFile:
    head, filled = head_of(op, kernel), _filled(op, kernel)
    writes = [python_name(argument.name) for argument in op.written] + [python_name(output.name) for output in filled]
    tasks = [f"fill {', '.join(writes)}"] if writes else []
    tasks += ["return the result"] if len(filled) < len(op.fresh_outputs) else []
    view = SkeletonView(
        op=op.qualified_name,
        key=kernel.dispatch_key,
        imports=tuple(stub_imports(head)),
        head=head,
        task=" and ".join(tasks) or "do the work",
        place=f"{op.qualified_name}: write the kernel in {kernel.path}",
    )
    return OutputFile(kernel.path, render("python/kernel.py.j2", view), once=True)
