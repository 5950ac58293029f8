"""The Jinja2 environment of all targets, with the project's own templates in front of opgen's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

import jinja2

from opgen.targets import quoting
from opgen.targets.custom import CUSTOM_FOLDER

VIEWS = 1
"""The version of the view classes, which ``docs/templates.md`` lists.

It is increased when a field of any view is removed or changes its meaning, so that a project's templates are not used
with views that they weren't written for.
"""

_STATED = re.compile(r"\{#-?\s*opgen views (\d+)\s*-?#\}")
_custom: ContextVar[Path | None] = ContextVar("custom templates", default=None)


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


@contextmanager
def custom_templates(root: Path) -> Iterator[Path | None]:
    """Use the templates of the project ``root`` in a ``with`` block; yields their folder, ``None`` without any."""
    folder = root.resolve() / CUSTOM_FOLDER
    found = folder if folder.is_dir() else None
    token = _custom.set(found)
    try:
        yield found
    finally:
        _custom.reset(token)
        if found:
            _environment.cache_clear()  # templates are edited between two runs of one process


class _CustomLoader(jinja2.FileSystemLoader):
    """Loads a project's templates, which must state the version of the views they were written for."""

    def get_source(self, environment: jinja2.Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """Return the text of a template.

        Raises:
            TemplateSyntaxError: it states another version of the views, or none, or is not valid UTF-8.
        """
        try:
            text, file, is_current = super().get_source(environment, template)
        except UnicodeDecodeError as error:
            place = str(Path(self.searchpath[0]) / template)
            raise jinja2.TemplateSyntaxError(f"it is no UTF-8: {error.reason}", 1, template, place) from error
        stated = _STATED.match(text)
        if stated is None or int(stated[1]) != VIEWS:
            found = (
                f"is for version {stated[1]} of the views" if stated else "does not begin with the version of the views"
            )
            raise jinja2.TemplateSyntaxError(f"it {found}, expected `{{# opgen views {VIEWS} #}}`", 1, template, file)
        return text, file, is_current


def _loader(custom: Path | None) -> jinja2.BaseLoader:
    own = jinja2.FileSystemLoader(templates_folder())
    if custom is None:
        return own
    # As `opgen/PATH` a project's template may include or extend the one that it replaces.
    return jinja2.ChoiceLoader([_CustomLoader(custom), own, jinja2.PrefixLoader({"opgen": own})])


@cache
def _environment(custom: Path | None) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=_loader(custom),
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
    return _environment(_custom.get()).get_template(template).render(view=view)
