"""``opgen bench``."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from opgen.build.mode import Mode
from opgen.build.request import Request
from opgen.cli.build import run_build
from opgen.cli.findings import report_problems
from opgen.cli.options import Option, Ui, build_options, project_options, python_option, ui_options
from opgen.model.op import Library, Op
from opgen.words import closest


@click.command
@click.argument("ops", nargs=-1, metavar="[OP]...")
@click.option("--turns", cls=Option, type=click.IntRange(min=2), default=60, help="How often each side is timed.")
@click.option(
    "--json",
    "json_file",
    cls=Option,
    envvar="OPGEN_BENCH_JSON",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write the figures to this file.",
)
@build_options
@python_option
@project_options
@ui_options
@click.pass_context
def command(
    ctx: click.Context,
    *,
    ops: tuple[str, ...],
    turns: int,
    json_file: Path | None,
    file: Path,
    jobs: int | None,
    mode: Mode,
    python: str | None,
    ui: Ui,
) -> None:
    """Build, then show what a call of each op costs beside the same kernel registered by hand.

    The peer has the same schema, ABI and kernel file, compiled alike, but no checks, no version counters, no refusals:
    so a ratio is the price of the contract. Both are called in one process, on the smallest sample, in short turns on
    one core; the ratio is the median of the turns. No figure changes the exit status: 1 is an op that could not be
    called.
    """
    from opgen.build.bench.result import as_json, render  # not needed for `--help`
    from opgen.build.bench.run import bench
    from opgen.build.check import check
    from opgen.build.progress import Progress

    request = Request(file, python, jobs, mode)
    library = check(file).library
    chosen = _chosen(library, ops) if library else ()
    report, status = run_build(request, ui, table=False)
    if library is None or report is None or not report.linked:
        ctx.exit(status)
    progress = Progress(quiet=ui.quiet, terminal=sys.stderr.isatty() and ui.colors(sys.stderr))
    made = bench(library, chosen, request, turns, progress)
    report_problems(made.diagnostics, ui)
    if made.diagnostics and not made.results:
        ctx.exit(2 if made.unable else 1)
    ui.print(render(made.results, color=ui.colors(sys.stdout)))
    if json_file is not None:
        json_file.write_text(json.dumps(as_json(made.results), indent=2) + "\n", encoding="utf-8")
    ctx.exit(int(any(result.is_broken for result in made.results)))


def _chosen(library: Library, words: Sequence[str]) -> tuple[Op, ...]:
    """Return the ops that are named, with or without their namespace; without names all ops.

    Raises:
        click.UsageError: there is no op with a name.
    """
    names = {word: op for op in library.ops for word in (op.qualified_name, op.qualified_name.partition("::")[2])}
    for word in words:
        if word not in names:
            close = closest(word, names)
            raise click.UsageError(f"there is no op '{word}'" + (f"; did you mean '{close}'?" if close else ""))
    return tuple(names[word] for word in dict.fromkeys(words)) or library.ops
