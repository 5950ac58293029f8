"""Any build backend will do that can run a command and be told the tag of a wheel."""

import subprocess
import sys
import sysconfig
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuildLibrary(BuildHookInterface[Any]):
    """Runs `opgen build`, which compiles what has changed and calls every operator once."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Build, then say what the wheel is for."""
        subprocess.run([sys.executable, "-m", "opgen", "build"], cwd=self.root, check=True)
        # The library is for one platform, and for every Python: `opgen audit` proves that.
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"
