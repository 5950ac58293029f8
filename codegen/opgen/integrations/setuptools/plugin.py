"""What setuptools calls for every project in an environment that has opgen; it has to be quick, and silent where it isn't meant."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from setuptools import Distribution

_TABLE = re.compile(
    r"^[ \t]*(?:(?:\[[ \t]*)?tool[ \t]*\.[ \t]*opgen[ \t]*\.[ \t]*setuptools\b|setuptools[ \t]*[.=])", re.MULTILINE
)

_INDEPENDENT = '"""Compiles the generated sources of this distribution. '
"""How the ``setup.py`` of a source distribution begins that needs no opgen: ``templates/setuptools/setup.py.j2``."""


def configure(distribution: Distribution) -> None:
    """Add the build of a library to a distribution whose ``pyproject.toml`` has a table ``[tool.opgen.setuptools]``.

    Entry point ``setuptools.finalize_distribution_options``. A source distribution may hold a ``setup.py`` that compiles what
    was generated; then there is nothing to add.

    Raises:
        SetupError: the configuration or the declaration has mistakes.
    """
    project = Path("pyproject.toml")
    if not project.is_file() or _is_independent(Path("setup.py")):
        return
    if _TABLE.search(project.read_text("utf-8", "replace")):
        from opgen.integrations.setuptools.project import read_project  # noqa: PLC0415 - other projects need none of it
        from opgen.integrations.setuptools.setup import add_build  # noqa: PLC0415 - as above

        library = read_project(project)
        if library is not None:
            add_build(distribution, library)


def _is_independent(setup: Path) -> bool:
    return setup.is_file() and setup.read_text("utf-8", "replace").startswith(_INDEPENDENT)
