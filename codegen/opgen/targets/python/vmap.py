"""Emits ``_vmap.py``: the batching rules of functional ops. Ops that write have theirs in ``_transforms.py``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from opgen.model.batching import Batching, derive_batching
from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.records import dataclass
from opgen.targets.output import OutputFile
from opgen.targets.python.layout import lay_out, py_string
from opgen.targets.python.place import folder
from opgen.targets.templates import render

Rule: TypeAlias = Batching | str


@dataclass(frozen=True, slots=True)
class VmapView:
    """The module.

    Attributes:
        rules: an entry for each op, laid out: qualified name and rule.
        names: the functions of the template that the entries use.
    """

    rules: tuple[str, ...]
    names: frozenset[str]


def batching_rule(op: Op) -> Rule | None:
    """Return an op's batching rule: derived, ``loop``, or the author's ``module:function``.

    ``None`` leaves the op to PyTorch, which decomposes composite ops and knows the randomness modes of ``torch.vmap``;
    it is also returned where PyTorch accepts no rule, as for keyword-only tensors.
    """
    is_composite = any(kernel.dispatch_key == "CompositeImplicitAutograd" for kernel in op.kernels)
    takes_one = op.tensor_arguments and not any(argument.kwarg_only for argument in op.tensor_arguments)
    if op.contract is not Contract.FUNCTIONAL or is_composite or not takes_one or op.registered:
        return None
    if op.spec.vmap is not None:
        return op.spec.vmap.value
    if "nondeterministic_seeded" in op.tags:
        return None
    return derive_batching(op) or "loop"


def vmap_files(library: Library) -> Iterator[OutputFile]:
    """Emit the module; nothing for a library without a rule."""
    texts = {op.qualified_name: _text(op, rule) for op in library.ops if (rule := batching_rule(op)) is not None}
    if texts:
        view = VmapView(
            rules=tuple(lay_out(f"{py_string(name)}: {text},", 1) for name, text in texts.items()),
            names=frozenset(text.partition("(")[0] for text in texts.values()),
        )
        yield OutputFile(f"{folder(library)}/_vmap.py", render("python/vmap.py.j2", view))


def _text(op: Op, rule: Rule) -> str:
    if rule == "loop":
        return "Sliced()"
    if isinstance(rule, str):
        module, _, function = rule.partition(":")
        return f"Own({py_string(module)}, {py_string(function)})"
    places = {argument.name: str(place) for place, argument in enumerate(op.arguments)}
    leading = ", ".join(places[name] for name in rule.leading)
    contiguous = ", ".join(places[name] for name in rule.contiguous)
    return f"Leading({{{leading}}}{f', contiguous={{{contiguous}}}' if contiguous else ''})"
