"""Prints the schema of a dumped operator from its schema object, as ``str()`` loses digits and names of alias sets."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from opgen.schema.constants import DTYPE_CONSTANTS

_QUOTED = frozenset({"str", "Device"})
_BARE_WRITE = re.compile(r"\(\$\d+!(?: -> )?\)")
"""Matches PyTorch's form of ``Tensor!``: an alias set with a name that its own parser does not accept."""
_NAMES: Mapping[str, Mapping[int, str]] = {
    "ScalarType": {number: name for name, number in reversed(DTYPE_CONSTANTS.items())},
    "Layout": {0: "strided"},
    "MemoryFormat": {0: "contiguous_format"},
}
"""Type -> number -> name, for constants of which a schema object only has the number."""


def schema_text(name: str, dumped: Mapping[str, Any]) -> str:
    """Return the schema with ``name`` in front, the real types, alias sets and exact defaults.

    PyTorch's objects lack the alias sets of list elements. For a type with one PyTorch's own text is used, with the set
    of an optional element moved to where the parser accepts it.
    """
    has_elements = any(part["alias"] and "[" in part["type"] for part in (*dumped["arguments"], *dumped["returns"]))
    if has_elements or "..." in dumped["text"]:
        return _BARE_WRITE.sub("!", re.sub(r"(\w)\?(\([^()]*\))\[", r"\1\2?[", str(dumped["text"]).partition("::")[2]))
    parts: list[str] = []
    for argument in dumped["arguments"]:
        if argument["keyword_only"] and "*" not in parts:
            parts.append("*")
        parts.append(_argument(argument))
    returns = [_argument(result) for result in dumped["returns"]]
    results = returns[0] if len(returns) == 1 and not dumped["returns"][0]["name"] else f"({', '.join(returns)})"
    return _BARE_WRITE.sub("!", f"{name}({', '.join(parts)}) -> {results}")


def _argument(argument: Mapping[str, Any]) -> str:
    written = argument["type"]
    if argument["size"]:
        written = re.sub(r"\[\]", f"[{argument['size']}]", written, count=1)
    if alias := argument["alias"]:
        # The parser only accepts the wildcard as the last set, though PyTorch prints it first.
        before, after = ("|".join(sorted(alias[part], key="*".__eq__)) for part in ("before", "after"))
        change = f" -> {after}" if alias["after"] != alias["before"] else ""
        written = re.sub(r"^\w+", lambda found: f"{found[0]}({before}{'!' * alias['write']}{change})", written, count=1)
    default = argument["default"]
    value = f"={_value(default['value'], argument['type'])}" if default else ""
    return f"{written} {argument['name']}{value}".rstrip()


def _value(value: Any, kind: str) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_value(item, kind.removesuffix("[]")) for item in value) + "]"
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, int):
        return _NAMES.get(kind.rstrip("?"), {}).get(value, str(value))
    return json.dumps(value, ensure_ascii=False) if kind.rstrip("?") in _QUOTED else str(value)
