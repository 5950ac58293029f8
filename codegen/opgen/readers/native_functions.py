"""Read ``native_functions.yaml``: the list of entries from which PyTorch's own ops are generated.

What an entry's ``func`` and ``tags`` say is read, nothing else: the other keys are torchgen's. Source: "native_functions.yaml" in
``aten/src/ATen/native/README.md``; ``NativeFunction.from_yaml`` in ``torchgen/model.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opgen.diagnostics import Diagnostic
from opgen.readers.registrations import Definition, Registrations
from opgen.source import Source, Text
from opgen.spec.report import Report
from opgen.spec.yaml import Mapping, Node, Scalar, Sequence
from opgen.spec.yaml.composer import compose

_NAMESPACE = "aten"
"""Of a ``func`` without one."""


def read_native_functions(sources: Iterable[Source]) -> tuple[Registrations, list[Diagnostic]]:
    """Return what the entries define, and what is wrong with the files."""
    found: list[Diagnostic] = []
    definitions: list[Definition] = []
    read = {}
    for source in sources:
        root, problems = compose(source)
        found += problems
        read[source.path] = source
        if isinstance(root, Sequence):
            definitions += (made for entry in root.items if (made := _definition(entry)) is not None)
        elif root is not None:
            Report(found, "the file").wrong_type(root, "a list of entries", "write `- func: …` for each op")
    return Registrations(tuple(definitions), sources=read), found


def _definition(entry: Node) -> Definition | None:
    if not isinstance(entry, Mapping):
        return None
    keys = {pair.key.text.value: pair.value for pair in entry.pairs}
    func = keys.get("func")
    if not isinstance(func, Scalar):
        return None
    # What torchgen makes of it is registered in C++.
    return Definition(_NAMESPACE, func.text, "func", entry.location, "cpp", tags=tuple(_texts(keys.get("tags"))))


def _texts(node: Node | None) -> Iterator[Text]:
    for item in node.items if isinstance(node, Sequence) else (node,):
        if isinstance(item, Scalar):
            yield item.text
