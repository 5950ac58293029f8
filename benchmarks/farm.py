"""A build farm on this machine: ccache, and behind it distcc with two daemons."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = ("ccache", "distcc", "distccd")
_PORTS = (13632, 13633)


@dataclass(frozen=True, slots=True)
class Farm:
    """The farm, while it works.

    Attributes:
        environment: what ccache and distcc have to find there.
        logs: of the daemons.
    """

    environment: Mapping[str, str]
    logs: tuple[Path, ...]

    def served(self) -> tuple[int, ...]:
        """Count the files that each daemon has compiled."""
        return tuple(log.read_text(encoding="utf-8").count("COMPILE_OK") for log in self.logs)

    def cached(self) -> tuple[int, int]:
        """Count, since the last time, what ccache found and what it was asked for."""
        stats = self._ccache("--show-stats")
        self._ccache("--zero-stats")
        found = re.search(r"Hits: +(\d+) / +(\d+)", stats)
        return (int(found[1]), int(found[2])) if found else (0, 0)

    def _ccache(self, option: str) -> str:
        done = subprocess.run(  # noqa: S603 - the user's own ccache
            ["ccache", option],  # noqa: S607 - likewise
            env={**os.environ, **self.environment},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout


@contextmanager
def farm(folder: Path) -> Iterator[Farm]:
    """Start the daemons; cache and logs stand in a folder, which the daemons' user has to enter."""
    folder.chmod(0o755)
    (folder / "distcc").mkdir()
    (folder / "daemons").mkdir()
    (folder / "daemons").chmod(0o777)  # the daemon is another user
    logs = tuple(folder / f"distccd-{port}.log" for port in _PORTS)
    for log in logs:
        log.touch()
        log.chmod(0o666)
    scratch = {**os.environ, "TMPDIR": str(folder / "daemons")}
    commands = [_daemon(port, log) for port, log in zip(_PORTS, logs, strict=True)]
    daemons = [subprocess.Popen(command, env=scratch) for command in commands]  # noqa: S603 - the user's own
    time.sleep(1)
    environment = {
        "CCACHE_DIR": str(folder / "ccache"),
        "CCACHE_PREFIX": "distcc",
        "DISTCC_DIR": str(folder / "distcc"),
        "DISTCC_FALLBACK": "0",
        "DISTCC_HOSTS": " ".join(f"127.0.0.1:{port}/1" for port in _PORTS),
    }
    try:
        yield Farm(environment, logs)
    finally:
        for daemon in daemons:
            daemon.terminate()
            daemon.wait()


def _daemon(port: int, log: Path) -> list[str]:
    address, allowed = ["--listen", "127.0.0.1", "--port", str(port)], ["--allow", "127.0.0.1"]
    user = ["--user", "nobody"] if os.getuid() == 0 else []
    logged = ["--log-file", str(log), "--log-level", "info"]
    return ["distccd", "--no-detach", "--daemon", *address, *allowed, "--jobs", "1", *user, *logged]
