"""The step of ``build``: generate, compile with ninja in place, copy to where the wheel is made."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import ClassVar

from setuptools import Command
from setuptools.errors import CompileError

from opgen.build.driver import build
from opgen.build.generate import generate
from opgen.build.progress import Progress
from opgen.build.request import Request
from opgen.diagnostics import has_errors
from opgen.diagnostics.formats.text import text
from opgen.emit.update import update
from opgen.integrations.setuptools.project import Project, refuse


class BuildOpgen(Command):
    """Compiles what is newer than its binary, as ``opgen build`` does; binaries stand in the generated package.

    Attributes:
        project: set by the subclass that a distribution gets.
        editable_mode: set by setuptools for an editable install, which needs no copies.
    """

    description = "generate and compile the library of ops.yaml"
    user_options: ClassVar = [
        ("build-lib=", "d", "where the package is copied to"),
        ("inplace", "i", "leave it at its place in the project"),
        ("jobs=", "j", "compilers at a time; else by processors and memory"),
    ]
    boolean_options: ClassVar = ["inplace"]

    project: Project
    build_lib: str
    inplace: bool
    jobs: int | str | None
    editable_mode: bool = False

    def initialize_options(self) -> None:
        """Set no option yet."""
        self.build_lib = None  # type: ignore[assignment]  # setuptools' word for "not said"
        self.inplace = False
        self.jobs = None

    def finalize_options(self) -> None:
        """Take what was not said from ``build_ext`` and ``build``."""
        self.set_undefined_options("build_ext", ("build_lib", "build_lib"), ("parallel", "jobs"))

    def run(self) -> None:
        """Build, and copy unless the package is used where it stands.

        Raises:
            CompileError: something is wrong with the library, or this machine lacks something.
        """
        jobs = int(self.jobs) if self.jobs else None
        made = build(Request(self.project.file, jobs=jobs, calls=False), Progress(quiet=False, terminal=False))
        if made.diagnostics:
            sys.stderr.write(text(made.diagnostics))
        if made.unable or has_errors(made.diagnostics):
            raise CompileError(f"opgen could not build '{self.project.file.as_posix()}': see above")
        if not (self.inplace or self.editable_mode):
            for target, source in self.get_output_mapping().items():
                self.mkpath(str(Path(target).parent))
                self.copy_file(source, target)

    def generate(self) -> None:
        """Write the generated files, and compile nothing.

        Raises:
            SetupError: they can't be written.
        """
        generated = generate(self.project.file)
        refuse(generated.diagnostics)
        if generated.files is not None:
            refuse(update(generated.files, self.project.root)[1])

    def get_source_files(self) -> list[str]:
        """Return what an sdist has to hold."""
        return list(self.project.sources)

    def get_outputs(self) -> list[str]:
        """Return what is installed."""
        return list(self.get_output_mapping())

    def get_output_mapping(self) -> dict[str, str]:
        """Return what is installed and what it is a copy of; kernels that this machine can't compile have no binary."""
        contents = self.project.contents
        return {f"{self.build_lib}/{place}": path for path, place in contents.items() if Path(path).is_file()}
