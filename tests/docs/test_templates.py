"""docs/templates.md lists the views, and its example is used; what is wrong in a template is a finding.

`OPGEN_UPDATE_GOLDEN=1 pytest tests/docs/test_templates.py` writes the list anew.
"""

import dataclasses
import inspect
import os
import re
from functools import cached_property
from pathlib import Path

import jinja2
import pytest

from opgen.build.custom_templates import watched_templates
from opgen.build.generate import generate
from opgen.targets.templates import VIEWS, templates_folder

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docs" / "templates.md"
LIBRARY = """\
opgen: 1
namespace: tiny
ops: [{func: twice(Tensor x) -> Tensor, tensors: {x: "float [n]", return: "x.dtype [n]"}, autograd: none}]
"""
ELSEWHERE = ("bench/", "emit/", "init/", "kernel_builder/", "setuptools/")
WITHOUT_VIEW = {f"triton/{name}.py.j2" for name in ("init", "maths", "space")}
"""Templates of what is the author's, or written by another verb."""


def meanings(view):
    """Return what the docstring of a view says of its fields."""
    doc = inspect.getdoc(view) or ""
    found = re.findall(r"^    (\w+): (.*(?:\n {8}.*)*)", doc.partition("Attributes:")[2], re.MULTILINE)
    return {name: re.sub(r"\s+", " ", text).strip() for name, text in found}


def described(views):
    """Write a section for each view, with the templates that see it."""
    for view in sorted(set(views.values()), key=lambda view: (view.__qualname__, view.__module__)):
        templates = ", ".join(f"`{template}`" for template in sorted(views) if views[template] is view)
        yield f"\n### {view.__qualname__}\n\nIn `{view.__module__}`, for {templates}.\n\n| name | type | |\n|---|---|---|\n"
        known = meanings(view)
        rows = [(field.name, field.type, known.get(field.name, "")) for field in dataclasses.fields(view)]
        for name, value in inspect.getmembers(view, lambda value: isinstance(value, (property, cached_property))):
            function = value.fget if isinstance(value, property) else value.func
            rows.append((name, function.__annotations__["return"], inspect.getdoc(function).partition("\n")[0]))
        for row in rows:
            name, kind, meaning = (text.replace("|", r"\|") for text in row)
            yield f"| `{name}` | `{kind}` | {meaning} |\n"


RARE = """\
opgen: 1
namespace: rare
define_in: both
ops: [{func: twice(Tensor x) -> Tensor, dispatch: {CUDA: cuda}, autograd: none}]
"""


@pytest.fixture(scope="module")
def views(tmp_path_factory):
    """The class of the view of each template that the cases and this project's own library need."""
    rare = tmp_path_factory.mktemp("rare") / "ops.yaml"
    rare.write_text(RARE, encoding="utf-8")
    seen = {}
    real = jinja2.Template.render

    def render(self, *args, **kwargs):
        seen[self.name] = type(kwargs["view"])
        return real(self, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jinja2.Template, "render", render)
        for declaration in (rare, ROOT / "ops.yaml", *sorted((ROOT / "tests/cases").rglob("ops.yaml"))):
            generate(declaration)
    return {template: view for template, view in seen.items() if dataclasses.is_dataclass(view)}


def test_the_page_lists_every_view(views):
    text = FILE.read_text(encoding="utf-8")
    head = text.partition("## Views\n")[0] + "## Views\n"
    page = head + "".join(described(views))
    if os.environ.get("OPGEN_UPDATE_GOLDEN") == "1":
        FILE.write_text(page, encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == page
    assert f"This is version {VIEWS}." in page


def test_every_template_is_among_them(views):
    folder = templates_folder()
    all_templates = {path.relative_to(folder).as_posix() for path in folder.rglob("*.j2")}
    rendered = {template for template in all_templates if not template.startswith(ELSEWHERE)}
    included = set(
        re.findall(r'(?:include|import|from|extends) "([\w/.]+)"', "".join(p.read_text() for p in folder.rglob("*.j2")))
    )
    assert rendered - included - set(views) == WITHOUT_VIEW


@pytest.fixture
def project(tmp_path):
    (tmp_path / "ops.yaml").write_text(LIBRARY, encoding="utf-8")
    return tmp_path


def custom(project, text, name="python/init.py.j2"):
    file = project / "opgen-templates" / name
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8", errors="surrogateescape")
    return file


def content(project, path):
    made = generate(project / "ops.yaml")
    return next(file.content for file in made.files.files if file.path == path)


def test_the_example_is_used_and_no_longer_when_it_has_gone(project):
    before = content(project, "generated/tiny_ops/__init__.py")
    (example,) = re.findall(
        r"^```jinja file=\S+\n(.*?)^```$", FILE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    file = custom(project, example)

    assert content(project, "generated/tiny_ops/__init__.py") == f'{before}\nVENDOR = "acme"  # of tiny_ops\n'
    assert str(file) in watched_templates(project)
    file.unlink()
    assert content(project, "generated/tiny_ops/__init__.py") == before


MISTAKES = [
    ("{# opgen views 1 #}\nx\n{{ view.nothing }}\n", 3, "has no attribute 'nothing'"),
    ("{# opgen views 1 #}\n{% if %}\n", 2, "Expected an expression"),
    ("{{ view.identifier }}\n", 1, "does not begin with the version of the views"),
    ("{# opgen views 99 #}\n", 1, "is for version 99 of the views, expected `{# opgen views 1 #}`"),
    ('{# opgen views 1 #}\n{% include "absent.j2" %}\n', 2, "absent.j2"),
    ("{# opgen views 1 #}\n{{ view.identifier + 1 }}\n", 2, "TypeError: can only concatenate str"),
    ('{# opgen views 1 #}\n{% include "python/init.py.j2" %}\n', 2, "RecursionError"),
    ("{# opgen views 1 #}\n\udcff\n", 1, "it is no UTF-8"),
]


@pytest.mark.parametrize(("text", "line", "said"), MISTAKES)
def test_a_mistake_in_a_template_is_a_finding_with_its_place(project, text, line, said):
    custom(project, text)

    made = generate(project / "ops.yaml")

    (finding,) = made.diagnostics
    assert made.files is None
    assert finding.code.name == "custom-template-fails"
    assert said in finding.message
    assert finding.location.start.line == line
    assert finding.location.source.path.endswith("opgen-templates/python/init.py.j2")


def test_a_template_that_stands_for_none_is_a_warning_unless_another_includes_it(project):
    custom(project, '{# opgen views 1 #}\n{% include "licence.j2" %}\n', "python/inti.py.j2")
    (project / "opgen-templates" / "licence.j2").write_text("{# opgen views 1 #}\n", encoding="utf-8")

    made = generate(project / "ops.yaml")

    (finding,) = [one for one in made.diagnostics if one.code.name == "unused-custom-template"]
    assert made.files is not None
    assert (finding.message, finding.help) == (
        "opgen has no template 'python/inti.py.j2'",
        "did you mean 'python/init.py.j2'?",
    )


def test_a_template_of_something_else_than_a_library_is_never_replaced(project):
    custom(project, "{# opgen views 1 #}\n", "setuptools/setup.py.j2")

    (finding,) = [one for one in generate(project / "ops.yaml").diagnostics if one.code.id == "OPG882"]
    assert finding.message == "opgen's 'setuptools/setup.py.j2' can't be replaced"
