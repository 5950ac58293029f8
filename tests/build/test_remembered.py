"""A run is remembered as long as all that it hung on is the same."""

from pathlib import Path

import pytest

from opgen.build.cache import Cache
from opgen.build.collect import collect
from opgen.build.lint import remembered
from opgen.build.lint.remembered import lint_or_remember
from opgen.build.lint.run import lint
from opgen.build.lint.selection import Selection
from opgen.rules.registry import all_codes

OPS = """\
opgen: 1
namespace: mylib
include: [more.yaml]
ops:
  - func: rotate_(Tensor(a!) first, Tensor(b!) second) -> Tensor(a!)  # opgen: ignore[OPG201]
  - func: norm(Tensor x, double eps) -> Tensor
  - func: scale(Tensor x) -> Tensor
    registered: csrc/bindings.cpp
    tags: [pointwice]
"""
MORE = "ops:\n  - func: twice(Tensor x) -> Tensor\n  - func: twice(Tensor y) -> Tensor\n"
EVERYTHING = Selection()
CPP = 'TORCH_LIBRARY(mylib, m) { m.def("f(Tensor x, int n) -> ()"); m.def(name); }\n'


@pytest.fixture
def project(tmp_path, monkeypatch):
    folder = tmp_path / "project"
    (folder / "csrc").mkdir(parents=True)
    for name, text in {"ops.yaml": OPS, "more.yaml": MORE, "csrc/bindings.cpp": CPP}.items():
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Lint the working directory, and say whether that was done or remembered."""
    runs = []
    monkeypatch.setattr(remembered, "versions", lambda: "this")
    monkeypatch.setattr("opgen.build.lint.run.lint", lambda *args, **named: runs.append(args) or lint(*args, **named))

    def call(selection=EVERYTHING, define=()):
        runs.clear()
        sources = collect([Path()])
        linted = lint_or_remember(Cache(tmp_path / "cache"), sources, selection, dict(define))
        again = lint(sources, selection, define=dict(define))
        assert list(map(described, linted.reported)) == list(map(described, again.reported))
        assert linted.tally == again.tally
        return "done" if runs else "remembered"

    return call


def described(value):
    """Turn a finding into values that compare: sources are equal only to themselves."""
    if hasattr(value, "text") and hasattr(value, "path"):
        return (value.path, value.text)
    if hasattr(value, "__dataclass_fields__"):
        return [type(value).__name__, *(described(getattr(value, name)) for name in value.__dataclass_fields__)]
    return list(map(described, value)) if isinstance(value, tuple) else value


@pytest.mark.usefixtures("project")
def test_the_second_run_is_remembered(run):
    assert run() == "done"
    assert run() == "remembered"
    assert run() == "remembered"


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "ops.yaml").write_text(OPS.replace("double", "float")),
        lambda folder: (folder / "more.yaml").write_text(MORE.replace("Tensor y", "Tensor z")),
        lambda folder: (folder / "csrc/bindings.cpp").write_text(CPP.replace("int n", "float n")),
        lambda folder: (folder / "csrc/bindings.cpp").unlink(),
        lambda folder: (folder / "more.yaml").unlink(),
        lambda folder: (folder / "new.py").write_text(""),
    ],
    ids=["declaration", "included file", "C++", "file that is named", "included file is gone", "new file"],
)
def test_each_change_of_a_file_is_seen(project, run, change):
    run()
    change(project)
    assert run() == "done"


def test_each_option_has_results_of_its_own(project, run):
    others = [
        {"selection": Selection(ignore=("OPG1",))},
        {"selection": Selection(root=project)},
        {"define": {"X": "1"}},
    ]
    for other in ({}, *others):
        assert run(**other) == "done"
    for other in ({}, *others):
        assert run(**other) == "remembered"


def test_another_folder_or_version_has_results_of_its_own(project, run, monkeypatch, tmp_path):
    run()
    other = project.rename(tmp_path / "moved")
    monkeypatch.chdir(other)
    assert run() == "done"
    monkeypatch.setattr(remembered, "versions", lambda: "another")
    assert run() == "done"
    assert run() == "remembered"


@pytest.mark.parametrize("selection", [Selection(), Selection(ignore=("OPG1",))], ids=["reported", "ignored"])
@pytest.mark.parametrize(
    "break_it",
    [
        lambda folder: (folder / "more.yaml").unlink(),
        lambda folder: (folder / "csrc/bindings.cpp").write_bytes(b"\xff"),
        lambda folder: (folder / "ops.yaml").write_bytes(b"\xff"),
    ],
    ids=["missing", "no UTF-8", "no UTF-8 at all"],
)
def test_a_file_that_cannot_be_read_is_tried_again(project, run, break_it, selection):
    break_it(project)
    assert run(selection) == "done"
    assert run(selection) == "done"


def test_findings_of_every_example_come_back_as_they_were(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    for number, code in enumerate(code for code in all_codes() if code.bad and code.name != "bad-include"):
        name = Path(code.bad.path)
        file = tmp_path / f"case{number}" / name
        file.parent.mkdir(parents=True)
        file.write_text(code.bad.text, encoding="utf-8")
    assert run() == "done"
    assert run() == "remembered"
