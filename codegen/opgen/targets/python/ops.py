"""Emits ``ops.py`` and ``ops.pyi``: the operators as documented functions."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass

from opgen.model.op import Library, Op
from opgen.targets.output import OutputFile
from opgen.targets.python.docstring import docstring
from opgen.targets.python.layout import lay_out, lay_out_assignment
from opgen.targets.python.place import folder
from opgen.targets.python.signature import forward_call, public_head
from opgen.targets.quoting import py_docstring
from opgen.targets.templates import render

# What the stub and the defaults in the module mean by these names must not be a function.
_TAKEN = frozenset(keyword.kwlist) | {
    *("Any", "Literal", "Sequence", "Tensor", "torch"),
    *("bool", "complex", "dict", "float", "int", "list", "str", "tuple"),
}


@dataclass(frozen=True, slots=True)
class FunctionView:
    """One operator.

    Attributes:
        name: of the function.
        binding: ``_add_out = torch.ops.mylib.add.out``, laid out.
        head: ``def`` and parameters, laid out.
        docstring: quoted and indented.
        call: what it returns.
    """

    name: str
    binding: str
    head: str
    docstring: str
    call: str


@dataclass(frozen=True, slots=True)
class OpsView:
    """The module; ``imports`` are needed by the stub only."""

    namespaces: tuple[str, ...]
    imports: tuple[str, ...]
    functions: tuple[FunctionView, ...]


def ops_files(library: Library) -> Iterator[OutputFile]:
    """Emit the functions and their types."""
    for suffix in ("py", "pyi"):
        functions = tuple(_function(library, op, typed=suffix == "pyi") for op in library.ops)
        heads = "\n".join(function.head for function in functions)
        namespaces = tuple(sorted({op.namespace for op in library.ops}))
        view = OpsView(namespaces, tuple(_stub_imports(heads)), functions)
        yield OutputFile(f"{folder(library)}/ops.{suffix}", render(f"python/ops.{suffix}.j2", view))


def function_name(op: Op) -> str:
    """Return the name of the function that calls an op: ``add_out`` for ``add.out``, ``float_`` for ``float``."""
    name = op.identifier
    return f"{name}_" if name.rstrip("_") in _TAKEN else name


def _function(library: Library, op: Op, *, typed: bool) -> FunctionView:
    name, operator = function_name(op), f"_{op.identifier}"
    if operator.lower() in library.by_identifier:  # `_add` would be the function of an op of this name
        operator = f"_{operator}_op"
    return FunctionView(
        name=name,
        binding=lay_out_assignment(operator, _operator(op)),
        head=lay_out(public_head(op, name, typed=typed)),
        docstring=py_docstring(docstring(op)),
        call=lay_out(f"return {forward_call(op, operator)}", indent=1),
    )


def _operator(op: Op) -> str:
    """Return the expression ``torch.ops.mylib.add.out``; a keyword can't be an attribute there."""
    text = "torch.ops"
    for name in (op.namespace, op.name, op.overload or "default"):
        text = f'getattr({text}, "{name}")' if keyword.iskeyword(name) else f"{text}.{name}"
    return text


def _stub_imports(heads: str) -> Iterator[str]:
    if "Sequence[" in heads:
        yield "from collections.abc import Sequence"
    typing = [name for name in ("Any", "Literal") if re.search(rf"\b{name}\b", heads)]
    if typing:
        yield f"from typing import {', '.join(typing)}"
    if "Sequence[" in heads or typing:
        yield ""
    if "torch." in heads:
        yield "import torch"
    if re.search(r"\bTensor\b", heads):
        yield "from torch import Tensor"
