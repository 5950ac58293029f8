"""Words that messages of every room are made of."""

from __future__ import annotations

from collections.abc import Iterable


def counted(count: int, noun: str) -> str:
    """Write a number with its noun: ``1 flag``, ``2 flags``."""
    return f"{count} {noun}" + ("" if count == 1 else "s")


def closest(word: str, choices: Iterable[str]) -> str | None:
    """Return the choice that was probably meant, if there is one."""
    from difflib import get_close_matches  # noqa: PLC0415 - only a mistake pays for it

    return next(iter(get_close_matches(word, list(choices), 1)), None)
