"""Names of operators in Python, where each build has a namespace of its own.

kernel-builder writes a module ``_ops`` with the namespace, ``ops``, and ``add_op_namespace_prefix``, and asks that names are made
by these where they are used (https://huggingface.co/docs/kernels/builder/writing-kernels, "Registering Torch operators").
The tokens of a module tell its names from what is only said, in an author's kernel as in what is generated.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from tokenize import TokenInfo

from opgen.records import dataclass
from opgen.targets.quoting import py_string

_PREFIX, _OPS = "add_op_namespace_prefix", "ops"


@dataclass(frozen=True, slots=True)
class _Edit:
    """What stands between two characters of a text gives way to something else."""

    start: int
    end: int
    text: str


def with_own_namespace(text: str, namespace: str, depth: int) -> str:
    """Return a module that names no operator of ``namespace`` itself; as it is where that is no Python, which its import will say.

    Args:
        text: the module.
        namespace: that of the library.
        depth: how many packages it is below the one with ``_ops``.
    """
    try:
        tokens = [token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.string.strip()]
    except (tokenize.TokenError, SyntaxError):
        return text
    edits = list(_edits(tokens, text, namespace))
    if not edits:
        return text
    used = [name for name in (_PREFIX, _OPS) if any(edit.text.startswith(name) for edit in edits)]
    place = _place_of_import(text)
    edits.append(_Edit(place, place, f"from .{'.' * depth}_ops import {', '.join(used)}\n"))
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _edits(tokens: list[TokenInfo], text: str, namespace: str) -> Iterator[_Edit]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def edit(first: TokenInfo, last: TokenInfo, new: str) -> _Edit:
        return _Edit(starts[first.start[0] - 1] + first.start[1], starts[last.end[0] - 1] + last.end[1], new)

    for index, token in enumerate(tokens):
        words = [each.string for each in tokens[index : index + 5]]
        if words == ["torch", ".", "ops", ".", namespace]:
            yield edit(token, tokens[index + 4], _OPS)
        elif token.type == tokenize.STRING and (value := _value(token)) is not None:
            if name := re.fullmatch(rf"{re.escape(namespace)}::([\w.]+)", value):
                yield edit(token, token, f"{_PREFIX}({py_string(name[1])})")
            elif value == namespace and [each.string for each in tokens[max(0, index - 2) : index]] == [
                "Operator",
                "(",
            ]:
                yield edit(token, token, f"{_OPS}.name")


def _value(token: TokenInfo) -> str | None:
    """Return a text; ``None`` for what is none, or is put together of others."""
    try:
        value = ast.literal_eval(token.string)
    except ValueError:
        return None
    return value if isinstance(value, str) else None


def _place_of_import(text: str) -> int:
    """Return where the first import of the package stands, else the first one that is not of ``__future__``."""
    for pattern in (r"^from \.", r"^(?:import|from)\b(?! __future__)"):
        if found := re.search(pattern, text, re.MULTILINE):
            return found.start()
    return 0
