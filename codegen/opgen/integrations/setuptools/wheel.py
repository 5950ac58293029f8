"""Wheels for every Python, and a look at whether they keep what their metadata claims."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from setuptools.errors import ExecError

from opgen.audit.artifact import Artifact, read_artifact
from opgen.audit.judge import judge
from opgen.diagnostics import Severity, has_errors
from opgen.diagnostics.formats.text import text


def wheel_of(base: Any) -> Any:
    """Return a ``bdist_wheel`` that tags for what the binaries need: without Python's symbols every Python will do.

    Extension modules of the project's own are tagged as setuptools does.
    """

    def get_tag(self: Any) -> tuple[str, str, str]:
        python, abi, platform = base.get_tag(self)
        return (python, abi, platform) if self.distribution.ext_modules else ("py3", "none", platform)

    def run(self: Any) -> None:
        base.run(self)
        for command, _, path in self.distribution.dist_files:
            if command == "bdist_wheel" and sys.platform == "linux":
                _audit(Path(path))

    return type("bdist_wheel", (base,), {"get_tag": get_tag, "run": run})


def _audit(path: Path) -> None:
    """Stop where a claim is false.

    Raises:
        ExecError: with all that are.
    """
    artifact = read_artifact(path)
    found = list(judge(artifact)) if isinstance(artifact, Artifact) else [artifact]
    found = [finding for finding in found if finding.severity is not Severity.INFO]
    if found:
        sys.stderr.write(text(found))
    if has_errors(found):
        raise ExecError(f"'{path.name}' claims what its binaries don't keep: see above")
