"""Statements for arguments that a generated kernel does not mention: strict flags warn about their names otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable

from opgen.model.op import Op
from opgen.targets.names import cpp_name


def mentions(text: str, name: str) -> bool:
    """Whether an identifier that nothing qualifies stands in a piece of C++."""
    return re.search(rf"(?<![\w:.]){re.escape(name)}\b", text) is not None


def unused_arguments(op: Op, lines: Iterable[str]) -> tuple[str, ...]:
    """Return a statement for each argument of the op that no line mentions."""
    text = "\n".join(lines)
    names = (cpp_name(argument.name) for argument in op.arguments)
    return tuple(f"static_cast<void>({name});" for name in names if not mentions(text, name))
