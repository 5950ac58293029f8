"""Shows the progress of a build on stderr: a bar on a terminal, plain lines elsewhere, nothing with ``--quiet``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from opgen.build.run_ninja import Step

if TYPE_CHECKING:
    from rich.progress import Progress as Bar


class Progress:
    """Shows steps as they end. rich is only imported if a bar is drawn."""

    def __init__(self, *, quiet: bool, terminal: bool) -> None:
        """Prepare; ``terminal`` follows from ``sys.stderr.isatty()`` and the colour options."""
        self._quiet = quiet
        self._terminal = terminal
        self._bar: Bar | None = None

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """Draw the bar, and remove it at the end, also after an exception."""
        if self._quiet or not self._terminal:
            yield
            return
        self._bar = _new_bar()
        self._bar.add_task("compiling", total=None)
        with self._bar:
            yield
        self._bar = None

    def note(self, text: str) -> None:
        """Print one sentence, unless quiet."""
        if not self._quiet:
            print(text, file=sys.stderr, flush=True)  # noqa: T201 - progress goes to stderr

    def step(self, step: Step) -> None:
        """Show that a command has ended."""
        if self._bar is None:
            self.note(f"[{step.done}/{step.total}] {step.what}")
        else:
            self._bar.update(self._bar.task_ids[0], completed=step.done, total=step.total, description=step.what)


def _new_bar() -> Bar:
    from rich.console import Console  # noqa: PLC0415 - 70 ms that most runs don't need
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415 - as above

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}", markup=False))
    return Progress(*columns, console=Console(stderr=True), transient=True)
