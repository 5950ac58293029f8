"""Emits ``ops.py`` and ``ops.pyi``: the operators as documented functions."""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Mapping

from opgen.model.op import Library, Op
from opgen.records import dataclass
from opgen.targets.names import parameter_name
from opgen.targets.output import OutputFile
from opgen.targets.python.docstring import docstring
from opgen.targets.python.functions import Function, functions_of
from opgen.targets.python.layout import lay_out, lay_out_assignment
from opgen.targets.python.mentions import mentions
from opgen.targets.python.place import folder
from opgen.targets.python.signature import forward_call, public_head
from opgen.targets.quoting import py_docstring
from opgen.targets.templates import render


@dataclass(frozen=True, slots=True)
class FunctionView:
    """One function.

    Attributes:
        bindings: ``_add_out = torch.ops.mylib.add.out``, laid out, one for each operator that it calls.
        head: ``def`` and parameters, laid out.
        docstring: the docstring, quoted and indented.
        body: its statements, laid out.
    """

    bindings: tuple[str, ...]
    head: str
    docstring: str
    body: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpsView:
    """The module and its stub.

    Attributes:
        namespaces: the namespaces of ``torch.ops`` in which the library has operators.
        imports: the import lines that annotations need, in the stub only.
        functions: the functions.
    """

    namespaces: tuple[str, ...]
    imports: tuple[str, ...]
    functions: tuple[FunctionView, ...]


def ops_files(library: Library) -> Iterator[OutputFile]:
    """Emit the module and its stub."""
    for suffix in ("py", "pyi"):
        functions = tuple(_view(library, function, typed=suffix == "pyi") for function in functions_of(library))
        heads = "\n".join(function.head for function in functions)
        namespaces = tuple(sorted({op.namespace for op in library.ops}))
        view = OpsView(namespaces, tuple(stub_imports(heads)), functions)
        yield OutputFile(f"{folder(library)}/ops.{suffix}", render(f"python/ops.{suffix}.j2", view))


def _view(library: Library, function: Function, *, typed: bool) -> FunctionView:
    names = {op.qualified_name: binding(library, op) for op in function.ops}
    return FunctionView(
        bindings=tuple(lay_out_assignment(names[op.qualified_name], operator_text(op)) for op in function.ops),
        head=lay_out(public_head(function, typed=typed)),
        docstring=py_docstring(docstring(function)),
        body=tuple(lay_out(line.lstrip(), 2 if line.startswith(" ") else 1) for line in _body(function, names)),
    )


def binding(library: Library, op: Op) -> str:
    """Return the module variable that holds an operator: ``_add_out``."""
    name = f"_{op.identifier}"
    # An op called `_add` has a function of that name.
    return f"_{name}_op" if name.lower() in library.by_identifier else name


def _body(function: Function, names: Mapping[str, str]) -> Iterator[str]:
    """Yield the statements; those inside of an ``if`` are indented."""
    call = f"return {forward_call(function.op, names[function.op.qualified_name])}"
    if function.out is None:
        yield call
        return
    given, outs = function.out_name, [parameter_name(output.name) for output in function.out.outputs]
    yield f"if {given} is None:"
    yield f"    {call}"
    if len(outs) > 1:
        yield f"{', '.join(outs)} = {given}"
    renamed = {function.out.outputs[0].name: given} if len(outs) == 1 else {}
    operator = names[function.out.qualified_name]
    yield f"return {forward_call(function.out, operator, lambda name: renamed.get(name) or parameter_name(name))}"


def operator_text(op: Op) -> str:
    """Return the expression ``torch.ops.mylib.add.out``; with ``getattr`` for a name that is a Python keyword."""
    text = "torch.ops"
    for name in (op.namespace, op.name, op.overload or "default"):
        text = f'getattr({text}, "{name}")' if keyword.iskeyword(name) else f"{text}.{name}"
    return text


def stub_imports(heads: str) -> Iterator[str]:
    """Yield the imports that annotations need, as the import sorter orders them."""
    if "Sequence[" in heads:
        yield "from collections.abc import Sequence"
    typing = [name for name in ("Any", "Literal") if mentions(heads, name)]
    if typing:
        yield f"from typing import {', '.join(typing)}"
    if "Sequence[" in heads or typing:
        yield ""
    if "torch." in heads:
        yield "import torch"
    if mentions(heads, "Tensor"):
        yield "from torch import Tensor"
