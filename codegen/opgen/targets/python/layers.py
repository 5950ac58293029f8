"""Emits ``layers.py``: what the author puts in front of kernels, and what a user's program may put there for a while."""

from __future__ import annotations

from opgen.model.op import Library
from opgen.records import dataclass
from opgen.source import Text
from opgen.targets.output import OutputFile
from opgen.targets.python.layout import lay_out, py_string
from opgen.targets.python.place import folder
from opgen.targets.templates import render


@dataclass(frozen=True, slots=True)
class LayersView:
    """The module.

    Attributes:
        layers: an entry each, laid out: qualified name, dispatch key, place of a function or ``None``.
        rules: the same for ``__torch_dispatch__``: qualified name, place of a class, place of a function.
    """

    layers: tuple[str, ...]
    rules: tuple[str, ...]


def layers_file(library: Library) -> OutputFile:
    """Emit the module; those that ``autogen`` derives have other arguments, and no layers."""
    declared = [op for op in library.ops if not op.is_derived]
    view = LayersView(
        layers=tuple(_entry(op.qualified_name, key, place) for op in declared for key, place in op.spec.layers.items()),
        rules=tuple(
            _entry(op.qualified_name, key, place) for op in declared for key, place in op.spec.torch_dispatch.items()
        ),
    )
    return OutputFile(f"{folder(library)}/layers.py", render("python/layers.py.j2", view))


def _entry(name: str, key: str, place: Text) -> str:
    what = "None" if place.value == "fallthrough" else py_string(place.value)
    return lay_out(f"({py_string(name)}, {py_string(key)}, {what}),", 1)
