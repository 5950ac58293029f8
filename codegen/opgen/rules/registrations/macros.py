"""Namespaces that only the build knows, `TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, m)`: none that a reader could look for.

Rules join by the text that stands there. Readers are shown the op as its schema begins, ``scale``, not a namespace that nobody has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from opgen.diagnostics import Diagnostic

_MACRO = "TORCH_EXTENSION_NAME"
"""What PyTorch's own builds call the namespace of an extension; projects paste a suffix to it."""


def macro_of(namespace: str) -> str:
    """Return the macro that makes a namespace, as far as its spelling tells; empty where it is a name of its own."""
    is_spelt_as_macro = namespace.isupper() and "_" in namespace.strip("_")
    return _MACRO if _MACRO in namespace else namespace if is_spelt_as_macro else ""


def shown_op(name: str) -> str:
    """Return the qualified name of an op as readers see it, without a namespace that only the build knows."""
    namespace, _, op = name.partition("::")
    return op if op and macro_of(namespace) else name


def as_shown(found: Iterable[Diagnostic], namespaces: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield findings without such namespaces; what a help tells to write begins with ``ns::``.

    Args:
        found: of rules over registrations.
        namespaces: all that are defined in.
    """
    made = sorted({f"{one}::" for one in namespaces if macro_of(one)}, key=len, reverse=True)
    for one in found:
        if made and one.op is not None:
            message, help_ = one.message, one.help
            for prefix in made:
                message, help_ = message.replace(prefix, ""), help_.replace(prefix, "ns::")
            yield replace(one, op=shown_op(one.op), message=message, help=help_)
        else:
            yield one
