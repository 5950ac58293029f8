"""The files of a new library: ops of each contract with kernels and references, and the files of a Python project."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from opgen.records import dataclass
from opgen.spec.json_schema import json_schema
from opgen.spec.reserved import why_no_namespace, why_no_package
from opgen.targets.output import OutputFile
from opgen.targets.templates import render

_FILES = {
    "ops.yaml": "ops.yaml",
    "kernels/cpu/unit_rows.cpp": "unit_rows.cpp",
    "kernels/cpu/store_rows.cpp": "store_rows.cpp",
    "references.py": "references.py",
    "pyproject.toml": "pyproject.toml",
    "README.md": "README.md",
    ".gitignore": "gitignore",
    ".github/workflows/ci.yml": "ci.yml",
    ".pre-commit-config.yaml": "pre-commit-config.yaml",
}
"""Template in ``templates/init/`` -> the path that it is written to."""
_JSON_SCHEMA = "ops.schema.json"
"""The JSON Schema that the first line of ``ops.yaml`` names: a file beside it, so that editors need no network."""


@dataclass(frozen=True, slots=True)
class NewLibrary:
    """A library that does not exist yet; ``namespace`` is an identifier."""

    namespace: str

    @property
    def package(self) -> str:
        """The Python package, as ``ops.yaml`` would name it by default."""
        return f"{self.namespace}_ops"

    @property
    def folder(self) -> str:
        """The folder of the headers, as in an ``#include``."""
        return self.package

    @property
    def distribution(self) -> str:
        """The name on a package index, where hyphens are usual."""
        return self.namespace.replace("_", "-")


def namespace_for(name: str) -> str:
    """Return an identifier made from a folder's name: ``My kernels`` -> ``my_kernels``."""
    return re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_").lower()


def why_no_name(namespace: str) -> str:
    """Return the reason why a library can't have this namespace; empty if it can."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", namespace):
        return "is not a letter followed by letters, digits and underscores"
    return why_no_namespace(namespace) or why_no_package(namespace)


def library_files(library: NewLibrary) -> Iterator[OutputFile]:
    """Yield all files. They are the author's from the start, so they have no ``@generated`` line."""
    for path, template in _FILES.items():
        yield OutputFile(path, render(f"init/{template}.j2", library), once=True)
    yield OutputFile(_JSON_SCHEMA, json.dumps(json_schema(), indent=2) + "\n", once=True)
