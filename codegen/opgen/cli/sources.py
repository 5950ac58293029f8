"""Collects the sources of commands that take a declaration or C++ and Python sources."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from opgen.build.against import Files
from opgen.build.collect import Sources, kind_of
from opgen.build.config.settings import Settings
from opgen.build.globs import excluder
from opgen.spec.yaml import shown_path

_REMEDY = "name a declaration or sources"


def files_of(settings: Settings) -> Files:
    """Return the files on disk that the configuration does not exclude."""
    patterns = (*settings.exclude, *settings.extend_exclude)
    return Files(excluder(patterns, settings.root), settings.lint.define)


def one_declaration_or_sources(files: Files, named: Sequence[Path], where: str = "") -> Sources:
    """Return the sources to read.

    Args:
        files: the files on disk, or of a commit.
        named: the files and folders on the command line.
        where: the name of the commit, for messages; empty for the disk.

    Raises:
        click.UsageError: a path does not exist there, or contains nothing that can be read, or several declarations.
    """
    for path in named if files.commit is None else ():
        if not path.exists():
            raise click.UsageError(f"there is no '{path.as_posix()}'; {_REMEDY}")
        if not path.is_dir() and kind_of(path) is None:
            raise click.UsageError(f"'{path.as_posix()}' is neither YAML nor C++ nor Python; {_REMEDY}")
    sources = files.collect(named)
    if not (sources.declarations or sources.cpp or sources.python):
        shown = ", ".join(f"'{path.as_posix()}'" for path in named)
        raise click.UsageError(f"there is nothing to read in {shown}{where}; {_REMEDY}")
    if len(sources.declarations) > 1:
        names = ", ".join(f"'{shown_path(path)}'" for path in sources.declarations)
        raise click.UsageError(f"there are {len(sources.declarations)} declarations{where}: {names}; name one of them")
    return sources
