"""Emits ``_fakes.py``: a fake kernel for each operator, from its contract or the author's own."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.contract import Contract
from opgen.model.op import Argument, Library, Op
from opgen.records import dataclass
from opgen.targets.checks.python import fake_checks, fake_results, fake_return
from opgen.targets.names import python_name
from opgen.targets.output import OutputFile
from opgen.targets.python.layout import lay_out, lay_out_body, py_string, requote
from opgen.targets.python.mentions import mentions
from opgen.targets.python.place import folder
from opgen.targets.python.signature import fake_head, forward_call
from opgen.targets.python.types import result_type
from opgen.targets.templates import render


@dataclass(frozen=True, slots=True)
class FakesView:
    """The module.

    Attributes:
        imports: import lines.
        fakes: for each operator a function definition, or a comment that says why it has no fake kernel.
        table: the qualified name and the function of each definition.
    """

    imports: tuple[str, ...]
    fakes: tuple[str, ...]
    table: tuple[tuple[str, str], ...]


def fakes_file(library: Library) -> OutputFile:
    """Emit the module that registers the fake kernels."""
    fakes = tuple(map(_fake, library.ops))
    table = tuple((op.qualified_name, _function(op)) for op in library.ops if why_no_fake(op) is None)
    view = FakesView(tuple(_imports("\n".join(fakes))), fakes, table)
    return OutputFile(f"{folder(library)}/_fakes.py", render("python/fakes.py.j2", view))


def why_no_fake(op: Op) -> str | None:
    """Say why an op has no fake kernel, or return ``None`` where it has one."""
    if op.fake == "none":
        return "not compilable, on purpose (`fake: none`)"
    if any(kernel.dispatch_key == "CompositeImplicitAutograd" for kernel in op.kernels):
        return "its composite kernel serves fake tensors too"
    bare = [output.name for output in op.fresh_outputs if output.name not in op.tensors.outputs]
    if bare and op.fake is None:
        return f"not compilable: output '{bare[0]}' has no contract, and `fake: module:function` is not given"
    return None


def _function(op: Op) -> str:
    return f"fake_{op.identifier}"


def _fake(op: Op) -> str:
    reason = why_no_fake(op)
    if reason is not None:
        return f"# {op.qualified_name}: {reason}."
    result = result_type(op) if op.fake is None or not op.fresh_outputs else "Any"
    head, *names = fake_head(op, _function(op), result)
    body = [*map(requote, fake_checks(op)), *([write_call(op)] if op.written else []), *_results(op)] or ["pass"]
    used = [line for line in names if any(mentions(statement, line.split()[0]) for statement in body)]
    return "\n".join([lay_out(head), *lay_out_body((*used, *body))])


def write_call(op: Op) -> str:
    """Return the call that does in Python what the C++ wrapper does before a write: versions, leaves, gradients."""
    read = [argument for argument in op.tensor_arguments if not argument.written]
    function, name = ("_write_out", op.name) if op.contract is Contract.OUT else ("_write", op.qualified_name)
    return f"{function}({py_string(name)}, {_listing(op.written)}, {_listing(read)})"


def _results(op: Op) -> Iterator[str]:
    if op.fake is None:
        yield from map(requote, fake_results(op))
        return
    module, _, function = op.fake.partition(":")
    own = forward_call(op, f"import_module({py_string(module)}).{function}", python_name)
    if op.fresh_outputs:
        yield f"return {own}"
    else:
        yield own
        yield from fake_return(op)


def _listing(arguments: Iterator[Argument] | tuple[Argument, ...] | list[Argument]) -> str:
    return f"[{', '.join(python_name(argument.name) for argument in arguments)}]"


def _imports(code: str) -> Iterator[str]:
    """Yield the imports that the definitions need, as the import sorter orders them."""

    def uses(name: str) -> bool:
        return mentions(code, name)

    if uses("math"):
        yield "import math"
    yield f"from collections.abc import {'Callable, Sequence' if uses('Sequence') else 'Callable'}"
    if uses("import_module"):
        yield "from importlib import import_module"
    yield f"from typing import {'Any, Literal' if uses('Literal') else 'Any'}"
    yield ""
    if uses("torch"):
        yield "import torch"
    if uses("Tensor"):
        yield "from torch import Tensor"
    if uses("torch") or uses("Tensor"):
        yield ""
    if uses("Checker"):
        yield "from ._checks import Checker"
    yield from (f"from ._checks import {name} as _{name}" for name in ("new_size", "promote") if uses(f"_{name}"))
    yield "from ._schemas import DEFINED"
    yield "from ._tracing import register"
    yield from (f"from ._tracing import {name} as _{name}" for name in ("write", "write_out") if uses(f"_{name}"))
