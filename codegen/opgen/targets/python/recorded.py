"""Writes the autograd function of an op: what ``forward`` saves, and the formulas in ``backward``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opgen.model.gradients import ArgumentValue, Fact, Result, SizeValue
from opgen.model.gradients.nodes import Saved
from opgen.model.tensors import BindPack, BindSize, SolveSize
from opgen.schema.types import is_tensor, is_tensor_list
from opgen.targets.python.docstring import gradient_lines
from opgen.targets.python.formulas import Recording, tuple_text
from opgen.targets.python.layout import lay_out, py_string
from opgen.targets.python.signature import forward_call
from opgen.targets.python.sizes import size_text, sizes_read
from opgen.targets.python.types import passed_type, result_type
from opgen.targets.quoting import py_docstring


def function_class(recording: Recording, name: str) -> str:
    """Return the definition of the autograd function, a class called ``name``."""
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
    head = f"The gradients of `{recording.op.qualified_name}`."
    return "\n".join([head, "", *gradient_lines(recording.gradients)])


def _forward_head(recording: Recording) -> str:
    names = recording.variables
    parameters = [f"{names['ctx']}: Any", f"{names['keyset']}: Any"]
    parameters += (f"{recording.variable(a.name)}: {passed_type(a, recording.op)}" for a in recording.singles)
    if recording.lists:
        parameters += [f"{names['counts']}: Any", f"*{names['tensors']}: Tensor | None"]
    result = "Any" if recording.returns_lists else result_type(recording.op)
    return f"def forward({', '.join(parameters)}) -> {result}:"


def _forward(recording: Recording) -> Iterator[str]:
    op, names = recording.op, recording.variables
    if recording.lists:
        grouped = _targets(recording.variable(argument.name) for argument in recording.lists)
        yield f"{grouped} = _regroup({names['tensors']}, {names['counts']})"
        yield f"{names['ctx']}.counts = {names['counts']}"
    below = (recording.bindings[op.qualified_name], names["keyset"])
    call = forward_call(op, "_below_recorded", recording.variable, *below)
    results = [names[f"result {place}"] for place in range(len(op.outputs))]
    yield f"{', '.join(results)} = {call}"
    constants = [
        f"*{result}" if is_tensor_list(output.type) else result
        for result, output, flag in zip(results, op.outputs, recording.gradients.differentiable, strict=True)
        if not flag and (is_tensor(output.type) or is_tensor_list(output.type))
    ]
    if constants:
        yield f"{names['ctx']}.mark_non_differentiable({', '.join(constants)})"
    yield from _sizes(recording)
    for saved in recording.gradients.saved:
        if isinstance(saved, Fact):
            yield f"{recording.kept(saved)} = {_fact(recording, saved)}"
    yield from _save(recording)
    returned = ", ".join(results)
    yield f"return _flat({names['ctx']}, {returned})" if recording.returns_lists else f"return {returned}"


def _save(recording: Recording) -> Iterator[str]:
    """Yield the statements that save values; tensors by ``save_for_backward``, which notices if one is overwritten."""
    conditions = {saved: _condition(recording, saved) for saved in recording.gradients.saved}
    if any(conditions.values()):
        yield f"{recording.variables['needs']} = {recording.variables['ctx']}.needs_input_grad"
    parts = {
        saved: f"{recording.kept(saved)} if {condition} else None" if condition else recording.kept(saved)
        for saved, condition in conditions.items()
    }
    ctx, (tensors, others) = recording.variables["ctx"], _by_kind(recording)
    if recording.keeps_lists:
        yield f"_save({', '.join([ctx, *parts.values()])})"
        return
    if tensors:
        yield f"{ctx}.save_for_backward({', '.join(parts[saved] for saved in tensors)})"
    if others:
        yield f"{ctx}.kept = {tuple_text(parts[saved] for saved in others)}"


def _restore(recording: Recording) -> Iterator[str]:
    """Yield the statements that restore the saved variables of ``forward`` in ``backward``."""
    ctx, (tensors, others) = recording.variables["ctx"], _by_kind(recording)
    if recording.keeps_lists:
        yield f"{_targets(map(recording.kept, recording.gradients.saved))} = _saved({ctx})"
        return
    if tensors:
        yield f"{_targets(map(recording.kept, tensors))} = {ctx}.saved_tensors"
    if others:
        yield f"{_targets(map(recording.kept, others))} = {ctx}.kept"


def _by_kind(recording: Recording) -> tuple[list[Saved], list[Saved]]:
    """Return the saved values in two lists: single tensors, and all others."""
    tensors = [saved for saved in recording.gradients.saved if _is_tensor(recording, saved)]
    return tensors, [saved for saved in recording.gradients.saved if saved not in tensors]


def _is_tensor(recording: Recording, saved: Saved) -> bool:
    match saved:
        case ArgumentValue(name):
            return recording.op.argument[name].is_tensor
        case Result(place):
            return is_tensor(recording.op.outputs[place].type)
    return False


def _sizes(recording: Recording) -> Iterator[str]:
    """Yield the statements that compute the sizes which formulas use, with the sizes those depend on."""
    wanted = {saved.name for saved in recording.gradients.saved if isinstance(saved, SizeValue)}
    lines = []
    for step in reversed(recording.op.tensors.steps):
        check = step.check
        if isinstance(check, BindSize | BindPack | SolveSize) and check.name in wanted:
            wanted |= sizes_read(step)
            lines.append(f"{recording.kept(SizeValue(check.name))} = {size_text(step, recording.names)}")
    yield from reversed(lines)


def _fact(recording: Recording, fact: Fact) -> str:
    argument = recording.op.argument[fact.argument]
    variable = recording.variable(fact.argument)
    text = fact.template.format(variable)
    is_asked_always = fact.template.startswith("{} is ") or not argument.is_optional
    return text if is_asked_always else f"None if {variable} is None else {text}"


def _condition(recording: Recording, saved: Saved) -> str:
    """Return the condition for saving a tensor: that a gradient which uses it is needed. Empty means always."""
    readers = recording.gradients.readers(saved)
    if not _is_tensor(recording, saved) or len(readers) == len(recording.gradients.formulas):
        return ""
    names = [name for formula in readers for name in formula.arguments]
    if any(recording.op.argument[name] in recording.lists for name in names):
        return ""  # `forward` does not look which tensors of a list need a gradient, only `backward` does
    return recording.needs_any(names)


def _backward_head(recording: Recording) -> str:
    names = recording.variables
    parameters = [f"*{names['flat']}"] if recording.returns_lists else _gradients(recording)
    return f"def backward({', '.join(f'{name}: Any' for name in (names['ctx'], *parameters))}) -> Any:"


def _gradients(recording: Recording) -> list[str]:
    """Return the variables that hold the gradients of the results."""
    return [recording.variables[f"grad {place}"] for place in range(len(recording.op.outputs))]


def _backward(recording: Recording) -> Iterator[str]:
    gradients, names = recording.gradients, recording.variables
    if recording.returns_lists:
        yield lay_out(f"{_targets(_gradients(recording))} = _grouped({names['ctx']}, {names['flat']})", 2)
    yield from (lay_out(line, 2) for line in _restore(recording))
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
        yield lay_out(f"{targets} = {recording.text(formula)}", 3)
    for name in gradients.not_implemented:
        yield lay_out(f"if {recording.needs(name)}:", 2)
        yield lay_out(f"_not_implemented({py_string(recording.op.qualified_name)}, {py_string(name)})", 3)
    returned = ["None", *(_returned(recording, argument.name) for argument in recording.singles)]
    if recording.lists:
        returned += ["None", *(f"*{names[f'gradient of {argument.name}']}" for argument in recording.lists)]
    yield lay_out(f"return {', '.join(returned)}", 2)


def _returned(recording: Recording, argument: str) -> str:
    """Return the gradient of an argument that is no list; it must be ``None`` for an argument that is ``None``."""
    if argument not in recording.asked:
        return "None"
    gradient = recording.variables[f"gradient of {argument}"]
    is_shared = any(argument in each.arguments and len(each.arguments) > 1 for each in recording.gradients.formulas)
    is_optional = recording.op.argument[argument].is_optional
    return f"{gradient} if {recording.needs(argument)} else None" if is_shared and is_optional else gradient


def _targets(names: Iterable[str]) -> str:
    texts = [*names]
    return f"({texts[0]},)" if len(texts) == 1 else ", ".join(texts)
