"""Emits ``layers.py``: functions on further dispatch keys (``layers``), rules for ``__torch_dispatch__`` subclasses.

The author's are registered at import; a user's program can add its own for the time of a ``with`` block.
"""

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
        layers: entries, laid out: qualified name, dispatch key, and ``module:function`` or ``None``.
        rules: entries for ``__torch_dispatch__``, laid out: qualified name, ``module:class``, ``module:function``.
    """

    layers: tuple[str, ...]
    rules: tuple[str, ...]


def layers_file(library: Library) -> OutputFile:
    """Emit the module, with entries for declared ops only: derived ops have other arguments."""
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
