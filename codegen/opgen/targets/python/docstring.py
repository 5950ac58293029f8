"""The docstring of an operator: what it does, what it takes, what it gives."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.contract import Contract
from opgen.model.gradients import Gradients
from opgen.model.op import Argument, Op, Output
from opgen.targets.names import parameter_name
from opgen.targets.python.functions import Function
from opgen.targets.python.types import annotation, described_type
from opgen.targets.schema_hash import definition


def docstring(function: Function) -> str:
    """Return the text of the docstring, neither quoted nor indented."""
    op = function.op
    parts = [op.doc.strip() or f"Call ``{op.qualified_name}``.", *_form(op)]
    if arguments := [*_arguments(op), *_out(function)]:
        parts.append("\n".join(["Args:", *(f"    {line}" for line in arguments)]))
    if op.spec.checks:
        parts.append("\n".join(["Requires:", *(f"    {check.text.value}" for check in op.spec.checks)]))
    if op.outputs:
        parts.append("\n".join(["Returns:", *(f"    {line}" for line in _outputs(op))]))
    if op.gradients is not None:
        parts.append("\n".join(["Gradients:", *(f"    {line}" for line in gradient_lines(op.gradients))]))
    schemas = (f"{each.namespace}::{definition(each)}" for each in function.ops)
    parts.append("\n".join(["Schema:", *(f"    {schema}" for schema in schemas)]))
    return "\n\n".join(parts)


def _form(op: Op) -> Iterator[str]:
    """Yield how a derived op differs from the declared op, whose ``doc`` it shares."""
    declared = op.declared.qualified_name
    match op.contract if op.is_derived else None:
        case Contract.INPLACE:
            yield f"The in-place form of `{declared}`: `{parameter_name(op.arguments[0].name)}` becomes the result."
        case Contract.OUT:
            yield f"The out= form of `{declared}`."
        case Contract.FUNCTIONAL:
            yield f"The functional form of `{declared}`: what that writes is returned."


def declared_tensors(op: Op) -> dict[str, str]:
    """Return the author's texts in ``tensors``, by argument or output."""
    texts = {entry.key.value: " ".join(entry.text.value.split()) for entry in op.spec.tensors}
    for place, output in enumerate(op.outputs):
        for key in (f"return.{place}", *(["return"] if len(op.outputs) == 1 else [])):
            if key in texts:
                texts.setdefault(output.name, texts[key])
    return texts


def _arguments(op: Op) -> Iterator[str]:
    texts = declared_tensors(op)
    for argument in op.arguments:
        said = ", ".join(roles(argument))
        name = f"{parameter_name(argument.name)} ({said})" if said else parameter_name(argument.name)
        yield f"{name}: {texts.get(argument.name) or described_type(argument)}"


def _out(function: Function) -> Iterator[str]:
    if function.out is not None:
        is_one = len(function.op.outputs) == 1
        what = (
            "filled and returned instead of a fresh tensor"
            if is_one
            else "a tuple to fill and return instead of fresh tensors"
        )
        yield f"{function.out_name} (optional): {what}"


def roles(argument: Argument) -> Iterator[str]:
    """Yield what a caller should know of an argument beside its type: optional, written, filled, scratch memory."""
    if argument.is_optional:
        yield "optional"
    if argument.scratch:
        yield "scratch memory"
    elif argument.overwrites:
        yield "filled"
    elif argument.written:
        yield "written"


def _outputs(op: Op) -> Iterator[str]:
    texts = declared_tensors(op)
    for output in op.outputs:
        text = f"the argument `{output.alias_of}`" if output.alias_of else _fresh(output, texts)
        yield text if len(op.outputs) == 1 else f"{output.name}: {text}"


def gradient_lines(gradients: Gradients) -> Iterator[str]:
    """Yield a line for each formula, and for the arguments without one."""
    yield from (f"{', '.join(formula.arguments)}: {formula.text}" for formula in gradients.formulas)
    yield from (f"{name}: not implemented" for name in gradients.not_implemented)
    yield from (f"{name}: none, it counts as numbers" for name in gradients.constants)


def _fresh(output: Output, texts: dict[str, str]) -> str:
    return texts.get(output.name) or annotation(output.type, is_result=True)
