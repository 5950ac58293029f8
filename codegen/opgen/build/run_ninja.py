"""Runs ninja and splits its output by the commands that it ran."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from opgen.build.ninja import NINJA_FILE
from opgen.build.orphans import after_orphans
from opgen.records import dataclass

_STATUS = "\x1e%f/%t\x1f"
_RECORD = re.compile(r"\x1e(\d+)/(\d+)\x1f(.*)")


@dataclass(frozen=True, slots=True)
class Step:
    """One command that has ended.

    Attributes:
        done: the number of commands that have ended, this one included.
        total: the number of all commands.
        what: the file that it was about: the compiled source or the linked binary.
    """

    done: int
    total: int
    what: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """A command that printed something; ``what`` as in ``Step``."""

    what: str
    failed: bool
    output: str


@dataclass(frozen=True, slots=True)
class NinjaRun:
    """A run of ninja.

    Attributes:
        outcomes: the commands that printed something.
        complaint: ninja's own error message if it failed and no command did, else empty.
    """

    outcomes: tuple[Outcome, ...]
    complaint: str


def is_up_to_date(ninja: str, root: Path) -> bool:
    """Whether ninja has nothing to do, by a dry run; False if ninja doesn't exist any more."""
    try:
        run = subprocess.run(  # noqa: S603 - the ninja that was found, with opgen's own paths
            [ninja, "-n", "-f", NINJA_FILE], cwd=root, env=_environment(), capture_output=True, check=False
        )
    except OSError:
        return False
    return run.returncode == 0 and b"ninja: no work to do." in run.stdout


def run_ninja(
    ninja: str, root: Path, jobs: int | None, on_step: Callable[[Step], None], file: str = NINJA_FILE
) -> NinjaRun:
    """Run ninja to the end even after failures, so that one broken kernel doesn't hide the errors of another one."""
    command = [ninja, "-k", "0", "-f", file, *(["-j", str(jobs)] if jobs else [])]
    records: list[tuple[str, list[str]]] = []
    trailer: list[str] = []
    with (
        after_orphans(root) as inherited,
        subprocess.Popen(  # noqa: S603 - as above
            command,
            cwd=root,
            env=_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            pass_fds=inherited,
        ) as process,
    ):
        for line in process.stdout or ():
            if match := _RECORD.match(line):
                records.append((match[3], []))
                on_step(Step(int(match[1]), int(match[2]), match[3]))
            elif line.startswith("ninja: ") or not records:
                trailer.append(line)
            else:
                records[-1][1].append(line)
    outcomes = tuple(_outcome(what, lines) for what, lines in records if lines)
    failed = process.returncode != 0 and not any(outcome.failed for outcome in outcomes)
    complaint = "".join(trailer).strip() or f"it ended with status {process.returncode}"
    return NinjaRun(outcomes, complaint if failed else "")


def remove_dead_outputs(ninja: str, root: Path, file: str = NINJA_FILE) -> None:
    """Remove outputs of an earlier ninja file that this one doesn't have, as objects of renamed ops."""
    subprocess.run(  # noqa: S603 - as above
        [ninja, "-f", file, "-t", "cleandead"], cwd=root, env=_environment(), capture_output=True, check=False
    )


def _outcome(what: str, lines: list[str]) -> Outcome:
    failed = lines[0].startswith("FAILED: ")
    return Outcome(what, failed, "".join(lines[2:] if failed else lines))  # without FAILED and the command line


def _environment() -> dict[str, str]:
    """Return this process's environment with messages in English, as `compiler_output` expects."""
    return {**os.environ, "LC_ALL": "C", "NINJA_STATUS": _STATUS}
