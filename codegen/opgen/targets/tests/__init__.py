"""The tests of the generated library: a module of data for each op, and the machinery that runs it."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.op import Library
from opgen.targets.output import OutputFile
from opgen.targets.templates import render
from opgen.targets.tests.op_tests import test_file

_FOLDER = "generated/tests"
_MODULES = (
    *("values", "compare", "facts", "operator", "case"),
    *("refusals", "results", "memory", "layouts", "family", "compiling", "exporting", "gradients"),  # promises
    *("drawing", "contexts", "registration", "report", "tests"),
)
_MACHINERY = {
    "conftest.py": "conftest.py",
    "smoke.py": "smoke.py",
    "_support/__init__.py": "support/init.py",
    **{f"_support/{name}.py": f"support/{name}.py" for name in _MODULES},
}

__all__ = ["test_files"]


def test_files(library: Library) -> Iterator[OutputFile]:
    """Emit the package ``_support``, which is the same for every library, and a test module for each op."""
    for path, template in _MACHINERY.items():
        yield OutputFile(f"{_FOLDER}/{path}", render(f"tests/{template}.j2", library))
    for op in library.ops:
        yield test_file(library, op)
