"""Source distributions that are installed without opgen: they hold what was generated, and a ``setup.py`` that compiles it."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from opgen.build.layout import Binary
from opgen.build.plan import COMPILER_FLAGS
from opgen.emit.paths import OUTPUT_FOLDER
from opgen.integrations.setuptools.project import Project
from opgen.records import dataclass
from opgen.targets.cpp.library import INCLUDE_FOLDER
from opgen.targets.templates import render

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_REQUIRES = re.compile(r"""^([ \t]*requires[ \t]*=[ \t]*)\[(?:"[^"\n]*"|'[^'\n]*'|\#.*\n|[^]"'\#])*\]""", re.MULTILINE)
"""An array of texts, between which comments may stand."""


@dataclass(frozen=True, slots=True)
class Extension:
    """One binary of the view: name as setuptools has it, its sources, and whether it is for the classic ABI."""

    name: str
    sources: tuple[str, ...]
    macros: tuple[tuple[str, str], ...]
    is_classic: bool


@dataclass(frozen=True, slots=True)
class SetupView:
    """What ``setup.py`` says.

    Attributes:
        package: its name.
        folder: of the package.
        root: of the library, where units find kernels.
        include: of the generated headers.
        flags: of the compiler.
        requirement: what metadata asks for; ``None`` where ``pyproject.toml`` says that.
        extensions: the binaries.
    """

    package: str
    folder: str
    root: str
    include: str
    flags: tuple[str, ...]
    requirement: str | None
    extensions: tuple[Extension, ...]


def sdist_of(base: Any, project: Project) -> Any:
    """Return an ``sdist`` that makes the distribution independent of opgen.

    A project with a ``setup.py`` of its own, or with CUDA kernels, keeps asking for opgen: what it does there can't be
    said in another ``setup.py``.
    """

    def make_release_tree(self: Any, base_dir: str, files: Any) -> None:
        base.make_release_tree(self, base_dir, files)
        if not Path("setup.py").exists() and not any(binary.is_cuda for binary in project.layout.binaries):
            _make_independent(Path(base_dir), project)

    return type("sdist", (base,), {"make_release_tree": make_release_tree})


def _make_independent(folder: Path, project: Project) -> None:
    (folder / "setup.py").write_text(render("setuptools/setup.py.j2", _view(project)), encoding="utf-8")
    for source, copy in project.layout.copies:
        target = folder / project.root / copy
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(project.root / source, target)
    pyproject = folder / "pyproject.toml"
    text = without_opgen(pyproject.read_text(encoding="utf-8"))
    pyproject.unlink()  # it may be a hard link to the project's own
    pyproject.write_text(text, encoding="utf-8")


def without_opgen(pyproject: str) -> str:
    """Return a ``pyproject.toml`` whose build does not ask for opgen; as it is, where that list can't be found in the text."""
    before = tomllib.loads(pyproject)
    kept = [text for text in before["build-system"]["requires"] if Requirement(text).name.lower() != "opgen"]
    quoted = ", ".join(f'"{text}"' if '"' not in text else f"'{text}'" for text in kept)
    after = _REQUIRES.sub(lambda match: f"{match[1]}[{quoted}]", pyproject, count=1)
    before["build-system"]["requires"] = kept
    return after if tomllib.loads(after) == before else pyproject


def _view(project: Project) -> SetupView:
    return SetupView(
        package=project.library.package,
        folder=project.package_folder,
        root=project.root.as_posix(),
        include=(project.root / INCLUDE_FOLDER).as_posix(),
        flags=COMPILER_FLAGS,
        requirement=project.requirement,
        extensions=tuple(_extension(project, binary) for binary in project.layout.binaries),
    )


def _extension(project: Project, binary: Binary) -> Extension:
    macros = {key: value for unit in binary.units for key, value in project.layout.macros(unit).items()}
    name = binary.path.removeprefix(f"{OUTPUT_FOLDER}/").rpartition(".")[0].replace("/", ".")
    return Extension(
        name=name,
        sources=tuple((project.root / unit.path).as_posix() for unit in binary.units),
        macros=tuple(sorted(macros.items())),
        is_classic=binary.is_classic,
    )
