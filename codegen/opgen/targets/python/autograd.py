"""Emits ``_autograd.py``: the gradients of each op that has formulas, and what refuses where there are none on purpose.

Each is a kernel for the key ``Autograd``. Where no argument requires grad it calls what stands below; else the call is
recorded, with a function whose ``backward`` evaluates the formulas. An in-place op that is derived becomes its functional
form and a copy, which keeps track of views and versions as ATen's own ops do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from opgen.model.contract import Contract
from opgen.model.gradients import ArgumentValue, Fact, Gradients, Result, SizeValue
from opgen.model.gradients.nodes import Saved
from opgen.model.op import Argument, Library, Op
from opgen.schema.types import is_tensor
from opgen.source import Text
from opgen.targets.names import python_name
from opgen.targets.output import OutputFile
from opgen.targets.python.formulas import Recording
from opgen.targets.python.layout import WIDTH, lay_out, lay_out_assignment, py_string
from opgen.targets.python.ops import binding, operator_text
from opgen.targets.python.place import folder
from opgen.targets.python.signature import fake_head, forward_call
from opgen.targets.python.sizes import size_text, sizes_read
from opgen.targets.python.types import passed_type, result_type
from opgen.targets.quoting import py_docstring
from opgen.targets.templates import render

_HELPERS = ("below", "lengths", "not_implemented", "record", "records", "refuse", "regroup", "save", "saved")


@dataclass(frozen=True, slots=True)
class AutogradView:
    """The module.

    Attributes:
        imports: lines.
        bindings: an operator each, laid out.
        definitions: functions of autograd and kernels.
        table: qualified name and kernel of each op.
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
    """Emit both modules; nothing for a library without an op that has such a kernel."""
    ops = [op for op in library.ops if has_autograd(op)]
    if not ops:
        return
    bindings = {op.qualified_name: binding(library, op) for op in library.ops}
    classes = _class_names(ops)
    definitions = tuple(text for op in ops for text in _definitions(library, op, bindings, classes))
    code = "\n".join(definitions)
    used = [op for op in library.ops if re.search(rf"\b{bindings[op.qualified_name]}\b", code)]
    view = AutogradView(
        imports=tuple(_imports(code)),
        bindings=tuple(lay_out_assignment(bindings[op.qualified_name], operator_text(op)) for op in used),
        definitions=definitions,
        table=tuple((op.qualified_name, _kernel_name(op)) for op in ops),
    )
    yield OutputFile(f"{folder(library)}/_recording.py", render("python/recording.py.j2", view))
    yield OutputFile(f"{folder(library)}/_autograd.py", render("python/autograd.py.j2", view))


def _class_names(ops: Iterable[Op]) -> dict[str, str]:
    """Name the function of each op: ``RmsNorm``, in graphs ``RmsNormBackward``."""
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
        yield _class(recording, classes[op.qualified_name])
        yield _function(op, bindings, _record(recording, classes[op.qualified_name]), op.gradients)
    elif (functional := library.functional_form(op)) is not None:
        yield _function(op, bindings, _functional_then_copy(op, functional, op.gradients, bindings), op.gradients)


# --- kernels ----------------------------------------------------------------------------------------------------------
def _function(op: Op, bindings: Mapping[str, str], recorded: str, gradients: Gradients | None = None) -> str:
    keyset = _keyset(op)
    head, *names = fake_head(op, _kernel_name(op), result_type(op), f"{keyset}: Any")
    asked = (*gradients.arguments, *gradients.not_implemented) if gradients else tuple(op.argument)
    tensors = ", ".join(_spread(argument) for argument in op.tensor_arguments if argument.name in asked)
    return "\n".join(
        [
            lay_out(head),
            *(lay_out(line, 1) for line in names),
            lay_out(f"if _records({py_string(op.qualified_name)}, {tensors}):", 1),
            lay_out(recorded, 2),
            lay_out(f"return {_below(op, bindings, keyset, python_name)}", 1),
        ]
    )


def _keyset(op: Op) -> str:
    """Name the parameter for the dispatch keys, otherwise than every argument."""
    name = "keyset"
    while name in {python_name(argument) for argument in op.argument}:
        name += "_"
    return name


def _spread(argument: Argument) -> str:
    name = python_name(argument.name)
    if not argument.is_tensor_list:
        return name
    return f"*({name} or ())" if argument.is_optional else f"*{name}"


def _below(op: Op, bindings: Mapping[str, str], keyset: str, rename: Callable[[str], str]) -> str:
    return forward_call(op, "_below", rename, bindings[op.qualified_name], keyset)


def _refuse(op: Op) -> str:
    return f"_refuse({py_string(op.qualified_name)})"


def _record(recording: Recording, class_name: str) -> str:
    parts = [class_name, _keyset(recording.op), *(python_name(argument.name) for argument in recording.singles)]
    if recording.lists:
        parts.append(f"_lengths({', '.join(python_name(argument.name) for argument in recording.lists)})")
        parts += map(_spread, recording.lists)
    return f"return _record({', '.join(parts)})"


def _functional_then_copy(op: Op, functional: Op, gradients: Gradients, bindings: Mapping[str, str]) -> str:
    """Return the call; what the formulas read of the first argument must not be what the copy overwrites."""
    first = op.arguments[0].name
    is_read = ArgumentValue(first) in gradients.saved

    def rename(name: str) -> str:
        return f"{python_name(name)}.clone()" if name == first and is_read else python_name(name)

    call = forward_call(functional, bindings[functional.qualified_name], rename)
    return f"return {python_name(first)}.copy_({call})"


# --- functions of autograd --------------------------------------------------------------------------------------------
def _class(recording: Recording, name: str) -> str:
    lines = [
        f"class {name}(Recorded):",
        f"    {py_docstring(_docstring(recording))}",
        "",
        "    @staticmethod",
        lay_out(_forward_head(recording), 1),
        *(lay_out(line, 2) for line in _forward(recording)),
        "",
        "    @staticmethod",
        lay_out(_backward_head(recording), 1),
        *_backward(recording),
    ]
    return "\n".join(lines)


def _docstring(recording: Recording) -> str:
    gradients = recording.gradients
    parts = [f"{', '.join(formula.arguments)}: {formula.text}" for formula in gradients.formulas]
    parts += (f"{name}: not implemented" for name in gradients.not_implemented)
    parts += (f"{name}: none, a constant" for name in gradients.constants)
    return "\n".join([f"The gradients of `{recording.op.qualified_name}`.", "", *parts])


def _forward_head(recording: Recording) -> str:
    names = recording.variables
    parameters = [f"{names['ctx']}: Any", f"{names['keyset']}: Any"]
    parameters += (f"{recording.variable(a.name)}: {passed_type(a, recording.op)}" for a in recording.singles)
    if recording.lists:
        parameters += [f"{names['counts']}: Any", f"*{names['tensors']}: Tensor | None"]
    return f"def forward({', '.join(parameters)}) -> {result_type(recording.op)}:"


def _forward(recording: Recording) -> Iterator[str]:
    op, names = recording.op, recording.variables
    if recording.lists:
        grouped = _targets(recording.variable(argument.name) for argument in recording.lists)
        yield f"{grouped} = _regroup({names['tensors']}, {names['counts']})"
        yield f"{names['ctx']}.counts = {names['counts']}"
    results = [names[f"result {place}"] for place in range(len(op.outputs))]
    yield f"{', '.join(results)} = {_below(op, recording.bindings, names['keyset'], recording.variable)}"
    constants = [
        result
        for result, output, flag in zip(results, op.outputs, recording.gradients.differentiable, strict=True)
        if not flag and is_tensor(output.type)
    ]
    if constants:
        yield f"{names['ctx']}.mark_non_differentiable({', '.join(constants)})"
    yield from _sizes(recording)
    kept = [*map(recording.kept, recording.gradients.saved)]
    for saved in recording.gradients.saved:
        if isinstance(saved, Fact):
            yield f"{recording.kept(saved)} = {_fact(recording, saved)}"
    conditions = {recording.kept(saved): _condition(recording, saved) for saved in recording.gradients.saved}
    if any(conditions.values()):
        yield f"{names['needs']} = {names['ctx']}.needs_input_grad"
    if kept:
        parts = [f"{name} if {conditions[name]} else None" if conditions[name] else name for name in kept]
        yield f"_save({', '.join([names['ctx'], *parts])})"
    yield f"return {', '.join(results)}"


def _sizes(recording: Recording) -> Iterator[str]:
    """Yield the statements that compute the sizes which formulas use, and those that these are computed from."""
    wanted = {saved.name for saved in recording.gradients.saved if isinstance(saved, SizeValue)}
    lines = []
    for step in reversed(recording.op.tensors.steps):
        name = getattr(step.check, "name", None)
        if name in wanted and recording.names.is_size(name) and type(step.check).__name__.startswith(("Bind", "Solve")):
            wanted |= sizes_read(step)
            lines.append(f"{recording.kept(SizeValue(name))} = {size_text(step, recording.names)}")
    yield from reversed(lines)


def _fact(recording: Recording, fact: Fact) -> str:
    argument = recording.op.argument[fact.argument]
    variable = recording.variable(fact.argument)
    text = fact.template.format(variable)
    is_asked_always = fact.template.startswith("{} is ") or not argument.is_optional
    return text if is_asked_always else f"None if {variable} is None else {text}"


def _condition(recording: Recording, saved: Saved) -> str:
    """Return when a tensor has to be kept: where one of the formulas that use it is needed; nothing for always."""
    is_kept_whole = isinstance(saved, ArgumentValue) and recording.op.argument[saved.name].is_tensor
    readers = recording.gradients.readers(saved)
    if not (is_kept_whole or isinstance(saved, Result)) or len(readers) == len(recording.gradients.formulas):
        return ""
    names = [name for formula in readers for name in formula.arguments]
    if any(recording.op.argument[name] in recording.lists for name in names):
        return ""  # which elements of a list need a gradient is looked at in `backward` only
    return recording.needs_any(names)


def _backward_head(recording: Recording) -> str:
    names = recording.variables
    parameters = [names["ctx"], *(names[f"grad {place}"] for place in range(len(recording.op.outputs)))]
    return f"def backward({', '.join(f'{name}: Any' for name in parameters)}) -> Any:"


def _backward(recording: Recording) -> Iterator[str]:
    gradients, names = recording.gradients, recording.variables
    kept = [*map(recording.kept, gradients.saved)]
    if kept:
        yield lay_out(f"{_targets(kept)} = _saved({names['ctx']})", 2)
    yield lay_out(f"{names['needs']} = {names['ctx']}.needs_input_grad", 2)
    if recording.lists:
        needed = _targets(names[f"needs of {argument.name}"] for argument in recording.lists)
        flat = f"{names['needs']}[{recording.first_of_lists} :]".replace(" :", ":")
        yield lay_out(f"{needed} = _regroup({flat}, {names['ctx']}.counts)", 2)
    singles = [name for name in recording.asked if not recording.op.argument[name].is_tensor_list]
    if singles:
        yield lay_out(f"{' = '.join(names[f'gradient of {name}'] for name in singles)} = None", 2)
    for argument in recording.lists:
        needed = names[f"needs of {argument.name}"]
        source = f"{needed} or ()" if argument.is_optional else needed
        yield lay_out(f"{names[f'gradient of {argument.name}']} = [None for _ in {source}]", 2)
    for formula in gradients.formulas:
        yield lay_out(f"if {recording.needs_any(formula.arguments)}:", 2)
        targets = ", ".join(names[f"gradient of {name}"] for name in formula.arguments)
        yield _assignment(targets, recording.text(formula))
    for name in gradients.not_implemented:
        yield lay_out(f"if {recording.needs(name)}:", 2)
        yield lay_out(f"_not_implemented({py_string(recording.op.qualified_name)}, {py_string(name)})", 3)
    returned = ["None", *(_returned(recording, argument.name) for argument in recording.singles)]
    if recording.lists:
        returned += ["None", *(f"*{names[f'gradient of {argument.name}']}" for argument in recording.lists)]
    yield lay_out(f"return {', '.join(returned)}", 2)


def _returned(recording: Recording, argument: str) -> str:
    return recording.variables[f"gradient of {argument}"] if argument in recording.asked else "None"


def _assignment(targets: str, text: str, indent: str = " " * 12) -> str:
    """Lay out the line of a formula: in parentheses where it only fits so."""
    line = f"{indent}{targets} = {text}"
    if len(line) <= WIDTH:
        return line
    if len(f"{indent}    {text}") <= WIDTH and not text.endswith(")"):
        return f"{indent}{targets} = (\n{indent}    {text}\n{indent})"
    return f"{line}  # fmt: skip"


def _targets(names: Iterable[str]) -> str:
    texts = [*names]
    return f"({texts[0]},)" if len(texts) == 1 else ", ".join(texts)


def _imports(code: str) -> Iterator[str]:
    def uses(name: str) -> bool:
        return re.search(rf"\b{name}\b", code) is not None

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
    if uses("Recorded"):
        yield "from ._recording import Recorded"
    yield from (f"from ._recording import {name} as _{name}" for name in _HELPERS if uses(f"_{name}"))
    yield "from ._schemas import DEFINED, LIBRARIES"
