"""Statements that mention the unused arguments of a generated kernel, against ``-Wunused-parameter``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from opgen.model.op import Op
from opgen.targets.names import cpp_name


def mentions(text: str, name: str) -> bool:
    """Whether a piece of C++ mentions an identifier with neither ``.`` nor ``::`` in front."""
    return re.search(rf"(?<![\w:.]){re.escape(name)}\b", text) is not None


def unused_arguments(op: Op, lines: Iterable[str]) -> tuple[str, ...]:
    """Return a statement for each argument of the op that no line mentions."""
    text = "\n".join(lines)
    names = (cpp_name(argument.name) for argument in op.arguments)
    return tuple(f"static_cast<void>({name});" for name in names if not mentions(text, name))
