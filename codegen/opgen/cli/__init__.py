"""The command line: one module for each command, imported when the command runs."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Sequence

import click

from opgen.cli.group import opgen

_INTERRUPTED = 130  # what a shell reports after Ctrl-C


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 clean, 1 findings, 2 usage, configuration or a bug of opgen.

    Args:
        arguments: the arguments; by default those of the process.
    """
    if hasattr(signal, "SIGPIPE"):
        # If the reader of a pipe exits (``opgen rules | head``), end silently as other programs do.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    # Nearly all objects live until the end of a run, and repeated garbage collection takes a fifth of its time.
    gc.set_threshold(1_000_000)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # both are text files in a process
    try:
        status = opgen.main(arguments, prog_name="opgen", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        print("interrupted", file=sys.stderr)  # noqa: T201 - progress goes to stderr
        status = _INTERRUPTED
    except Exception as error:  # noqa: BLE001 - users see a traceback only on request
        status = _report_bug(error)
    gc.freeze()  # avoids a last collection at exit
    sys.exit(status)


def _report_bug(error: Exception) -> int:
    asked = os.environ.get("OPGEN_DEBUG") or {"-v", "-vv", "--verbose"} & set(sys.argv)
    if asked:
        import traceback  # slow to import, and only needed for bugs

        traceback.print_exc()
    more = "" if asked else " (OPGEN_DEBUG=1 shows the traceback)"
    text = f"opgen: this is a bug: {type(error).__name__}: {error}; please report it with what you ran{more}"
    print(text, file=sys.stderr)  # noqa: T201 - progress goes to stderr
    return 2
