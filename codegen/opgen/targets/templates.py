"""The Jinja2 environment that every target renders with."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import jinja2

from opgen.targets import quoting


def templates_folder() -> Path:
    """Find the templates: inside of the installed package, or beside ``codegen/`` in a source tree.

    A wheel carries them as ``opgen/templates``; an editable install leaves them in the top-level folder.

    Raises:
        FileNotFoundError: neither place has them, so the installation is damaged.
    """
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "templates", package.parents[1] / "templates"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the templates of opgen are missing; looked in {package} and beside its source folder")


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_folder()),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701 - the output is C++, Python and Markdown, quoted by the filters below
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(
        py_string=quoting.py_string,
        py_docstring=quoting.py_docstring,
        c_string=quoting.c_string,
        comment=quoting.comment,
        cell=quoting.cell,
    )
    return environment


def render(template: str, view: object) -> str:
    """Render ``templates/<template>`` with one typed view object, named ``view`` there."""
    return _environment().get_template(template).render(view=view)
