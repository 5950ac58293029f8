"""What comes of the comparison."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Seen = Mapping[str, Mapping[str, Any]]
"""Situation -> form -> what was observed there."""

EQUAL = "equal"


def verdict(aten: Any, twins: Mapping[str, Any], allowed: str | None) -> str:
    """Say that the twins of both ABIs equal ATen, or differ on purpose, or what is wrong."""
    differ = {abi: list(leaves(aten, seen)) for abi, seen in twins.items()}
    if not any(differ.values()):
        return EQUAL if allowed is None else f"no longer differs ({allowed})"
    first, *others = differ.values()
    if allowed is not None and all(each == first for each in others):
        return allowed
    return "; ".join(f"{abi}: {text}" for abi, texts in differ.items() for text in texts)


def leaves(aten: Any, twin: Any, path: str = "") -> Iterator[str]:
    """Yield where two observations differ: ``w.version: 1, opgen: 0``."""
    if isinstance(aten, dict) and isinstance(twin, dict) and aten.keys() == twin.keys():
        for name, value in aten.items():
            yield from leaves(value, twin[name], f"{path}.{name}" if path else name)
    elif repr(aten) != repr(twin):  # NaN is NaN
        yield f"{path + ': ' if path else ''}{aten}, opgen: {twin}"
