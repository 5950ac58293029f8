"""Emits ``_expressions.py``: ops declared by ``pointwise`` or ``reduce``, computed with PyTorch functions.

They are the references of the generated tests, and the kernels where ``dispatch`` says ``python``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.model.compute.gradients import GradientPlan, gradient_plan
from opgen.model.compute.names import ExpressionContext
from opgen.model.compute.nodes import Store
from opgen.model.compute.steps import needed, steps_of
from opgen.model.compute.torch_names import MODULE, backward_name, fill_name, place, reference_name
from opgen.model.op import Library, Op
from opgen.records import dataclass
from opgen.targets.expressions.as_written import as_written
from opgen.targets.names import python_name
from opgen.targets.output import OutputFile
from opgen.targets.python.layout import lay_out, py_string
from opgen.targets.python.place import folder
from opgen.targets.python.torch_backward import backward_function
from opgen.targets.python.torch_functions import TorchFunction
from opgen.targets.python.types import passed_type
from opgen.targets.quoting import py_docstring
from opgen.targets.templates import render

_HELPERS = ("divided", "power", "wide", "floating", "padded", "along", "spread", "summed", "product")


@dataclass(frozen=True, slots=True)
class ExpressionsView:
    """The module.

    Attributes:
        imports: import lines.
        helpers: the helper functions of the template that are used.
        functions: function definitions, laid out.
    """

    imports: tuple[str, ...]
    helpers: frozenset[str]
    functions: tuple[str, ...]


def expressions_files(library: Library) -> Iterator[OutputFile]:
    """Emit the module; nothing for a library without expressions."""
    functions = tuple(text for op in library.ops if op.program is not None for text in _functions(op, library.package))
    if not functions:
        return
    code = "\n".join(functions)
    helpers = frozenset(name for name in _HELPERS if f"_{name}(" in code)
    view = ExpressionsView(tuple(_imports(code, helpers)), helpers, functions)
    yield OutputFile(f"{folder(library)}/{MODULE}.py", render("python/expressions.py.j2", view))


def _functions(op: Op, package: str) -> Iterator[str]:
    yield _reference(op)
    if any(kernel.kind == "python" for kernel in op.kernels):
        yield _kernel(op)

    plan = _gradients(op, package)
    if plan is not None:
        yield backward_function(op, plan)


def _gradients(op: Op, package: str) -> GradientPlan | None:
    """Return how to compute the gradients of an op with `autograd: derived`; ``None`` for other ops."""
    call = f"{place(package, backward_name(op.identifier))}("
    formulas = op.spec.autograd if isinstance(op.spec.autograd, tuple) else ()
    if op.program is None or not any(each.formula.value.startswith(call) for each in formulas):
        return None
    plan = gradient_plan(ExpressionContext(op.spec, op.argument, op.outputs, op.tensors), op.program)
    return plan if isinstance(plan, GradientPlan) else None


def _kernel(op: Op) -> str:
    """Return the kernel in Python, which fills the outputs that are passed to it."""
    program = op.program
    assert program is not None  # noqa: S101 - asked for ops with one alone
    targets = [python_name(store.target) for store in _ordered(op, program.stores)]
    parameters = [f"{python_name(argument.name)}: {passed_type(argument, op)}" for argument in op.arguments]
    parameters += (f"{python_name(output.name)}: Tensor" for output in op.fresh_outputs)
    renamed = any(python_name(argument.name) != argument.name for argument in op.arguments)
    passed = [
        f"**{{{py_string(each.name)}: {python_name(each.name)}}}" if python_name(each.name) != each.name else each.name
        for each in op.arguments
    ]
    call = f"{reference_name(op.identifier)}({', '.join(passed)})"
    if renamed:
        call = f"{reference_name(op.identifier)}({', '.join(sorted(passed, key=lambda text: text.startswith('**')))})"
    values = [f"{name}_value" for name in targets]
    return "\n".join(
        [
            lay_out(f"def {fill_name(op.identifier)}({', '.join(parameters)}) -> None:"),
            f"    {py_docstring(f'Fill what `{op.qualified_name}` writes.')}",
            lay_out(f"{', '.join(values)} = {call}", 1),
            *(f"    {name}.copy_({value})" for name, value in zip(targets, values, strict=True)),
        ]
    )


def _reference(op: Op) -> str:
    """Return the function that computes all written arguments and results, and returns them in this order."""
    program = op.program
    assert program is not None  # noqa: S101 - asked for ops with one alone
    stores = _ordered(op, program.stores)
    steps = needed(steps_of(program), (store.value for store in stores))
    function = TorchFunction(op, program.axes, steps, tuple(store.value for store in stores))
    dtypes = {store.target: function.dtype_of(store.target) for store in stores}
    kept = _kept_dtypes(function, dtypes)
    results = [function.stored(store, kept.get(dtypes[store.target], dtypes[store.target])) for store in stores]
    body = [
        *(f"{name} = {text}" for text, name in kept.items()),
        *function.widened(),
        *function.computed(),
        *_returned(function, [store.target for store in stores], results),
    ]
    lines = [*function.sizes(body), *body]
    result = "Tensor" if len(stores) == 1 else f"tuple[{', '.join(['Tensor'] * len(stores))}]"
    head, *renamed = _head(op, reference_name(op.identifier), result)
    return "\n".join(
        [
            lay_out(head),
            f"    {py_docstring(_docstring(op))}",
            *(lay_out(line.lstrip(), 2 if line.startswith(" ") else 1) for line in (*renamed, *lines)),
        ]
    )


def _returned(function: TorchFunction, targets: list[str], results: list[str]) -> Iterator[str]:
    """Yield the statements that return results; several are first assigned to variables, one on a line."""
    if len(results) == 1:
        yield f"return {results[0]}"
        return
    names = [function.variable(f"{target}_value") for target in targets]
    yield from (f"{name} = {result}" for name, result in zip(names, results, strict=True))
    yield f"return {', '.join(names)}"


def _ordered(op: Op, stores: tuple[Store, ...]) -> list[Store]:
    order = [*op.argument, *(output.name for output in op.fresh_outputs)]
    return sorted(stores, key=lambda store: order.index(store.target))


def _kept_dtypes(function: TorchFunction, dtypes: dict[str, str]) -> dict[str, str]:
    """Return the dtypes that have to be read before tensors are widened, and the variables that keep them."""
    kept: dict[str, str] = {}
    for text in dtypes.values():
        if any(function.is_rebound(name) for name in re.findall(r"\b\w+(?=\.dtype)|(?<=result_type\()\w+", text)):
            kept.setdefault(text, function.names.local("dtype" if not kept else f"dtype{len(kept) + 1}"))
    return kept


def _head(op: Op, name: str, result: str) -> list[str]:
    """Return a head with the schema's parameter names, and statements that rename those that collide in the body."""
    plain = [argument for argument in op.arguments if python_name(argument.name) == argument.name]
    others = [argument for argument in op.arguments if argument not in plain]
    parameters = [f"{argument.name}: {passed_type(argument, op)}" for argument in plain]
    if others:
        parameters.append("**others: Any")
    head = f"def {name}({', '.join(parameters)}) -> {result}:"
    return [head, *(f"{python_name(each.name)} = others[{py_string(each.name)}]" for each in others)]


def _docstring(op: Op) -> str:
    return "\n".join([f"What `{op.qualified_name}` computes.", "", *as_written(op)])


def _imports(code: str, helpers: frozenset[str]) -> Iterator[str]:
    is_counting = re.search(r"\bmath\.", code) is not None or not helpers.isdisjoint({"divided", "power"})
    if is_counting:
        yield "import math"
    is_calling = "along" in helpers
    is_listing = not helpers.isdisjoint({"along", "product", "spread", "summed"}) or re.search(r"\bSequence\b", code)
    abstract = [name for name, is_used in (("Callable", is_calling), ("Sequence", is_listing)) if is_used]
    if abstract:
        yield f"from collections.abc import {', '.join(abstract)}"
    names = [name for name in ("Any", "Literal") if re.search(rf"\b{name}\b", code)]
    if names:
        yield f"from typing import {', '.join(names)}"
    if names or abstract or is_counting:
        yield ""
    yield "import torch"
    yield "from torch import Tensor"
