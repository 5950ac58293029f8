"""What a live process says of ops whose sources were read as well: nothing twice, and what only the process knows."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from opgen.readers.registrations import Implementation, Registrations


def is_live(path: str) -> bool:
    """Whether a source is no file but a text of the reader of live processes."""
    return path.startswith("<")


def completed(registrations: Registrations, known: Collection[str]) -> tuple[Implementation, ...]:
    """Return all implementations but those of the process that say again what sources say.

    Of an op whose source was read only a fake kernel counts, where no source that was read has it: which kernel is whose can't
    be seen in a process, and the rules look at functions.

    Args:
        registrations: all statements.
        known: the qualified names of ops that sources define.
    """
    sources = [one for one in registrations.implementations if one.language != "live"]
    traced = set(map(_op, filter(_is_fake, sources)))
    return (*sources, *(one for one in _of_process(registrations.implementations) if _counts(one, known, traced)))


def _of_process(implementations: Iterable[Implementation]) -> Iterable[Implementation]:
    return (one for one in implementations if one.language == "live")


def _counts(made: Implementation, known: Collection[str], traced: Collection[str]) -> bool:
    return _op(made) not in known or (_is_fake(made) and _op(made) not in traced)


def _is_fake(made: Implementation) -> bool:
    return made.role == "fake" or (made.role == "kernel" and "Meta" in made.keys)


def _op(made: Implementation) -> str:
    return made.op.value.strip()
