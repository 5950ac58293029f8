"""Words that messages of every room are made of."""


def counted(count: int, noun: str) -> str:
    """Write a number with its noun: ``1 flag``, ``2 flags``."""
    return f"{count} {noun}" + ("" if count == 1 else "s")
