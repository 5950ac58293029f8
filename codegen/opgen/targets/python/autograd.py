"""Emits ``_autograd.py``: the Autograd kernels of ops with formulas, and of ops with ``autograd: error``.

If no argument requires grad, such a kernel redispatches below ``Autograd``; else it records the call as an autograd
function whose ``backward`` evaluates the formulas, or raises for ``error``. A derived in-place op becomes a call of its
functional form and a ``copy_``, which keeps track of views and versions as ATen's own ops do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from opgen.model.contract import Contract
from opgen.model.gradients import ArgumentValue, Gradients
from opgen.model.op import Argument, Library, Op
from opgen.records import dataclass
from opgen.source import Text
from opgen.targets.names import python_name
from opgen.targets.output import OutputFile
from opgen.targets.python.autocast import policy
from opgen.targets.python.formulas import Recording
from opgen.targets.python.layout import lay_out, lay_out_assignment, py_string
from opgen.targets.python.mentions import mentions
from opgen.targets.python.ops import binding, operator_text
from opgen.targets.python.place import folder
from opgen.targets.python.recorded import function_class
from opgen.targets.python.signature import fake_head, forward_call
from opgen.targets.python.types import result_type
from opgen.targets.templates import render

_HELPERS = (
    "below",
    "below_recorded",
    "flat",
    "grouped",
    "lengths",
    "not_implemented",
    "record",
    "record_lists",
    "records",
    "refuse",
    "regroup",
    "save",
    "saved",
)


@dataclass(frozen=True, slots=True)
class AutogradView:
    """The module.

    Attributes:
        imports: import lines.
        bindings: assignments of operators to variables, laid out.
        definitions: the autograd functions and the kernels.
        table: the qualified name of each op and the name of its kernel.
    """

    imports: tuple[str, ...]
    bindings: tuple[str, ...]
    definitions: tuple[str, ...]
    table: tuple[tuple[str, str], ...]


def has_autograd(op: Op) -> bool:
    """Whether an op has a kernel for the key ``Autograd``."""
    return op.gradients is not None or refuses_gradients(op)


def is_composite(op: Op) -> bool:
    """Whether an op says that PyTorch differentiates through the ops that its kernel calls."""
    return _says(op, "composite")


def refuses_gradients(op: Op) -> bool:
    """Whether a call of a functional op refuses arguments that require grad; ops that write do it in their kernels."""
    return _says(op, "error") and op.contract is Contract.FUNCTIONAL and bool(op.tensor_arguments)


def _says(op: Op, word: str) -> bool:
    return isinstance(op.spec.autograd, Text) and op.spec.autograd.value == word


def autograd_files(library: Library) -> Iterator[OutputFile]:
    """Emit ``_recording.py`` and ``_autograd.py``; nothing for a library in which no op has an Autograd kernel."""
    ops = [op for op in library.ops if has_autograd(op)]
    if not ops:
        return
    bindings = {op.qualified_name: binding(library, op) for op in library.ops}
    classes = _class_names(ops)
    definitions = tuple(text for op in ops for text in _definitions(library, op, bindings, classes))
    code = "\n".join(definitions)
    used = [op for op in library.ops if mentions(code, bindings[op.qualified_name])]
    view = AutogradView(
        imports=tuple(_imports(code)),
        bindings=tuple(lay_out_assignment(bindings[op.qualified_name], operator_text(op)) for op in used),
        definitions=definitions,
        table=tuple((op.qualified_name, _kernel_name(op)) for op in ops),
    )
    yield OutputFile(f"{folder(library)}/_recording.py", render("python/recording.py.j2", view))
    yield OutputFile(f"{folder(library)}/_autograd.py", render("python/autograd.py.j2", view))


def _class_names(ops: Iterable[Op]) -> dict[str, str]:
    """Name the autograd function of each op: ``RmsNorm``, whose ``grad_fn`` PyTorch calls ``RmsNormBackward``."""
    taken = {"Any", "DEFINED", "KERNELS", "LIBRARIES", "Recorded", "Sequence", "Tensor", "Literal"}
    names = {}
    for op in ops:
        name = "".join(word[:1].upper() + word[1:] for word in op.identifier.split("_")) or "Op"
        while name in taken or not name.isidentifier():
            name = f"{name}_" if name in taken else f"Op{name}"
        taken.add(name)
        names[op.qualified_name] = name
    return names


def _kernel_name(op: Op) -> str:
    return f"autograd_{op.identifier}"


def _definitions(library: Library, op: Op, bindings: Mapping[str, str], classes: Mapping[str, str]) -> Iterator[str]:
    if op.gradients is None:
        yield _function(op, bindings, _refuse(op))
    elif op.gradients.op == op.qualified_name:
        recording = Recording(op, op.gradients, bindings)
        yield function_class(recording, classes[op.qualified_name])
        yield _function(op, bindings, _record(recording, classes[op.qualified_name]), op.gradients)
    elif (functional := library.functional_form(op)) is not None:
        yield _function(op, bindings, _functional_then_copy(op, functional, op.gradients, bindings), op.gradients)


# --- kernels ----------------------------------------------------------------------------------------------------------
def _function(op: Op, bindings: Mapping[str, str], recorded: str, gradients: Gradients | None = None) -> str:
    keyset = _keyset(op)
    below = forward_call(op, "_below", python_name, bindings[op.qualified_name], keyset)
    head, *names = fake_head(op, _kernel_name(op), result_type(op), f"{keyset}: Any")
    asked = _asked(op, gradients) if gradients else op.argument
    tensors = ", ".join(_spread(argument) for argument in op.tensor_arguments if argument.name in asked)
    return "\n".join(
        [
            lay_out(head),
            *(lay_out(line, 1) for line in names),
            lay_out(f"if _records({py_string(op.qualified_name)}, {tensors}):", 1),
            lay_out(recorded, 2),
            lay_out(f"return {below}", 1),
        ]
    )


def _asked(op: Op, gradients: Gradients) -> tuple[str, ...]:
    """Return the arguments whose ``requires_grad`` makes a call be recorded.

    For an in-place op those without gradient belong to them, since its kernel refuses every argument that requires
    grad.
    """
    asked = (*gradients.arguments, *gradients.not_implemented)
    return (*asked, *gradients.constants) if op.contract is Contract.INPLACE else asked


def _keyset(op: Op) -> str:
    """Name the parameter for the dispatch keys: ``keyset``, or another name if an argument has this one."""
    name = "keyset"
    while name in {python_name(argument) for argument in op.argument}:
        name += "_"
    return name


def _spread(argument: Argument) -> str:
    name = python_name(argument.name)
    if not argument.is_tensor_list:
        return name
    return f"*({name} or ())" if argument.is_optional else f"*{name}"


def _refuse(op: Op) -> str:
    return f"_refuse({py_string(op.qualified_name)})"


def _record(recording: Recording, class_name: str) -> str:
    parts = [class_name, _keyset(recording.op), *(python_name(argument.name) for argument in recording.singles)]
    if recording.lists:
        parts.append(f"_lengths({', '.join(python_name(argument.name) for argument in recording.lists)})")
        parts += map(_spread, recording.lists)
    return f"return _record{'_lists' if recording.returns_lists else ''}({', '.join(parts)})"


def _functional_then_copy(op: Op, functional: Op, gradients: Gradients, bindings: Mapping[str, str]) -> str:
    """Return the call; formulas that read the first argument get a clone, since the copy overwrites the argument."""
    first = op.arguments[0].name
    is_read = ArgumentValue(first) in gradients.saved

    def rename(name: str) -> str:
        return f"{python_name(name)}.clone()" if name == first and is_read else python_name(name)

    first_of_call = [bindings[functional.qualified_name]]
    if policy(functional) is not None:  # an in-place op computes in the dtype that it writes
        first_of_call.insert(0, "_below_autocast")
    call = forward_call(functional, first_of_call[0], rename, *first_of_call[1:])
    return f"return {python_name(first)}.copy_({call})"


def _imports(code: str) -> Iterator[str]:
    def uses(name: str) -> bool:
        return mentions(code, name)

    if uses("Sequence"):
        yield "from collections.abc import Sequence"
    if uses("import_module"):
        yield "from importlib import import_module"
    yield f"from typing import {'Any, Literal' if uses('Literal') else 'Any'}"
    yield ""
    yield "import torch"
    if uses("Tensor"):
        yield "from torch import Tensor"
    yield ""
    if uses("_below_autocast"):
        yield "from ._autocast import below as _below_autocast"
    if uses("Recorded"):
        yield "from ._recording import Recorded"
    yield from (f"from ._recording import {name} as _{name}" for name in _HELPERS if uses(f"_{name}"))
    yield "from ._schemas import DEFINED, LIBRARIES"
