"""Libraries of expressions, built."""

import os
import re
import subprocess
import sys

import pytest

from opgen.build.toolchain import Toolchain, find_toolchain


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Build a library whose declarations are given, and make its package importable.

    Loops are compiled once, for this CPU: else in a version for each instruction set, which takes longer. Without ``called``
    the calls that end a build may find differences from the reference.
    """
    if not isinstance(find_toolchain(None, (2, 10)), Toolchain):
        pytest.skip("no C++ compiler, ninja or torch to build with")

    def build(package, declarations, *, called=True):
        folder = tmp_path_factory.mktemp(package)
        (folder / "ops.yaml").write_text(declarations, encoding="utf-8")
        flags = os.environ.get("CXXFLAGS", f"-march=native -D{package.upper()}_ONE_VERSION")
        result = subprocess.run(
            [sys.executable, "-m", "opgen", "build"],
            cwd=folder,
            env={**os.environ, "CXXFLAGS": f"{flags} -Werror"},
            capture_output=True,
            text=True,
            check=False,
        )
        found = set(re.findall(r"OPG\d+", result.stdout))
        assert result.returncode == 0 or (not called and found == {"OPG840"}), result.stdout + result.stderr
        sys.path.insert(0, str(folder / "generated"))

    return build
