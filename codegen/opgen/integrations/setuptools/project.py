"""What setuptools has to know of a library before it is generated."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from setuptools.errors import SetupError

from opgen.build.config.read import read_settings
from opgen.build.custom_templates import watched_templates
from opgen.build.generate import generate
from opgen.build.layout import Layout, lay_out_build
from opgen.build.toolchain import Torch, find_torch
from opgen.diagnostics import Diagnostic, has_errors
from opgen.diagnostics.formats.text import text
from opgen.emit.file_set import FileSet
from opgen.emit.paths import OUTPUT_FOLDER
from opgen.model.op import Library
from opgen.records import dataclass
from opgen.targets.python.place import folder
from opgen.targets.registry import BUILT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_PYTHON = (".py", ".pyi", "py.typed")


@dataclass(frozen=True, slots=True)
class Project:
    """A library in the folder of a ``pyproject.toml``, which is the working folder; all paths are relative to that.

    Attributes:
        file: the declaration.
        library: what it means.
        files: what is compiled and installed of what is generated.
        layout: how that is compiled.
        requirement: what metadata asks for, ``torch>=2.10``; ``None`` where the project says that itself.
    """

    file: Path
    library: Library
    files: FileSet
    layout: Layout
    requirement: str | None

    @property
    def root(self) -> Path:
        """The library's folder."""
        return self.file.parent

    @property
    def package_folder(self) -> str:
        """Where the package stands."""
        return (self.root / folder(self.library)).as_posix()

    @property
    def contents(self) -> dict[str, str]:
        """What is installed, as it stands in the project -> below where packages are installed; binaries may be missing."""
        package = f"{folder(self.library)}/"
        paths = [f.path for f in self.files.files if f.path.startswith(package) and f.path.endswith(_PYTHON)]
        paths += [copy for _, copy in self.layout.copies]
        paths += [binary.path for binary in self.layout.binaries]
        return {(self.root / path).as_posix(): path.removeprefix(f"{OUTPUT_FOLDER}/") for path in paths}

    @property
    def sources(self) -> Iterator[str]:
        """What an sdist has to hold: the declaration, all that lies beside kernels, templates, and what is generated for a build."""
        kernels = {kernel.path for op in self.library.ops for kernel in op.kernels if not kernel.names_symbol}
        folders = sorted({self.root / Path(path).parts[0] for path in kernels if "/" in path})
        beside = (path for each in folders for path in each.rglob("*") if path.is_file() and _is_source(path))
        paths = [
            *(Path(os.path.relpath(path)) for path in self.library.spec.files),  # a link stays one
            *beside,
            *(Path(path) for path in watched_templates(self.root) if Path(path).is_file()),
            *(self.root / file.path for file in self.files.files if not file.once),
        ]
        yield from sorted({path.as_posix() for path in paths})


def read_project(pyproject: Path) -> Project | None:
    """Read the declaration that a ``pyproject.toml`` names; ``None`` where it has no table ``[tool.opgen.setuptools]``.

    Raises:
        SetupError: either has mistakes.
    """
    settings, _, found = read_settings(pyproject)
    if settings.setuptools is None and not found:
        return None
    refuse(found)
    file = Path(settings.setuptools.file if settings.setuptools else "")
    if not file.is_file():
        raise SetupError(f"[tool.opgen.setuptools] names '{file.as_posix()}', which is no file")
    made = generate(file, BUILT)
    if made.library is None or made.files is None:
        refuse(made.diagnostics)
        raise SetupError(f"'{file.as_posix()}' has mistakes")
    layout = lay_out_build(made.library, made.files, file.parent)
    requirement = _requirement(made.library, layout) if _torch_is_dynamic(pyproject) else None
    return Project(file, made.library, made.files, layout, requirement)


def refuse(diagnostics: Iterable[Diagnostic]) -> None:
    """Stop where anything is an error.

    Raises:
        SetupError: with all of them.
    """
    found = list(diagnostics)
    if has_errors(found):
        raise SetupError(f"\n{text(found)}")


def _torch_is_dynamic(pyproject: Path) -> bool:
    """Whether metadata leaves dependencies to the build, and no other setting makes them."""
    document = tomllib.loads(pyproject.read_text(encoding="utf-8"))
    dynamic = document.get("project", {}).get("dynamic", ())
    elsewhere = document.get("tool", {}).get("setuptools", {}).get("dynamic", {})
    return "dependencies" in dynamic and "dependencies" not in elsewhere


def _requirement(library: Library, layout: Layout) -> str:
    """Ask for the oldest torch or any later one; for the classic ABI, for that release which it is compiled with.

    Raises:
        SetupError: torch is needed to say that, and isn't there.
    """
    if not any(binary.is_classic for binary in layout.binaries):
        return f"torch>={_text(library.spec.torch)}"
    torch = find_torch(sys.executable)
    if not isinstance(torch, Torch):
        raise SetupError(text([torch]))
    return f"torch=={_text(torch.release)}.*"


def _is_source(path: Path) -> bool:
    return "__pycache__" not in path.parts and path.suffix not in {".pyc", ".so", ".o"}


def _text(release: tuple[int, int]) -> str:
    return ".".join(map(str, release))
