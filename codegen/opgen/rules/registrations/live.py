"""Merges the registrations of a live process with those of sources, so that nothing is reported twice."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from opgen.readers.registrations import Implementation, Registrations


def is_live(path: str) -> bool:
    """Whether a source is the output of the reader of live processes, and no file."""
    return path.startswith("<")


def completed(registrations: Registrations, known: Collection[str]) -> tuple[Implementation, ...]:
    """Return all implementations but those of the process that repeat a source.

    For an op that a source defines, only a fake kernel counts that no source registers: a process does not show which
    function a kernel is, and rules check functions.

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
