"""Reads the registrations in the C++ and Python sources of a run, together, so that rules can join them."""

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
    """Return the registrations, and an info for each file that could not be read, since many have no registration.

    Args:
        sources: the files of a run.
        define: macros of the build.
        read: reads a file.
    """
    found: list[Diagnostic] = []
    registrations = Registrations()
    if sources.cpp:
        from opgen.readers.cpp import read_cpp  # noqa: PLC0415 - imports tree-sitter, only for C++ sources

        registrations += read_cpp(_texts(sources.cpp, read, found), define)
    if sources.python:
        from opgen.readers.python import read_python  # noqa: PLC0415 - only for Python sources

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
