"""What a finding says, together with the op that it is about."""

from __future__ import annotations

import re

from opgen.diagnostics.diagnostic import Diagnostic


def sentence(diagnostic: Diagnostic) -> str:
    """Return the message behind the name of its op, ``lib::f: argument 'x' …``, unless it says that name itself."""
    op = diagnostic.op
    if op is None or _is_named(op, diagnostic.message):
        return diagnostic.message
    return f"{op}: {diagnostic.message}"


def _is_named(op: str, message: str) -> bool:
    """Whether a message has the qualified name of an op, or quotes the one that its schema begins with."""
    name = re.escape(op.rpartition("::")[2])
    return re.search(rf"(?<![\w:]){re.escape(op)}(?![\w.]|::)|(['`]){name}\1", message) is not None
