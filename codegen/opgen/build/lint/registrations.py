"""Read the registrations of C++ and Python sources: those of one run together, so that rules can join them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from opgen.build.collect import Sources
from opgen.diagnostics import Diagnostic, Severity
from opgen.readers.registrations import Registrations
from opgen.source import Source
from opgen.spec.yaml import Read


def read_registrations(
    sources: Sources, define: Mapping[str, str], read: Read
) -> tuple[Registrations, list[Diagnostic]]:
    """Return what the sources register, and which files could not be read: an info, since many hold no registration.

    Args:
        sources: files of a run.
        define: macros of the build.
        read: how a file is read.
    """
    found: list[Diagnostic] = []
    registrations = Registrations()
    if sources.cpp:
        from opgen.readers.cpp import read_cpp  # noqa: PLC0415 - tree-sitter, for those who have C++

        registrations += read_cpp(_texts(sources.cpp, read, found), define)
    if sources.python:
        from opgen.readers.python import read_python  # noqa: PLC0415 - likewise

        registrations += read_python(_texts(sources.python, read, found))
    return registrations, found


def _texts(paths: Iterable[Path], read: Read, found: list[Diagnostic]) -> list[Source]:
    texts = []
    for path in paths:
        source, problems = read(path)
        found += [replace(problem, severity_override=Severity.INFO) for problem in problems]
        if source is not None:
            texts.append(source)
    return texts
