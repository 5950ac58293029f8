"""``opgen parse``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import click

from opgen.cli.options import Ui, ui_options
from opgen.model.contract import derive_contract
from opgen.schema.parser import parse_schema
from opgen.schema.printer import print_schema


@click.command
@click.argument("schemas", metavar="[SCHEMA|-]...", nargs=-1)
@ui_options
@click.pass_context
def command(ctx: click.Context, *, schemas: tuple[str, ...], ui: Ui) -> None:
    """Parse operator schemas as PyTorch's own parser does, without PyTorch.

    Reads one schema a line from stdin where none is given, and prints one JSON object a line, each at once: input, ok,
    canonical, contract, and errors with code, message, start and end (offsets in the input, in characters from 0).
    Exits with 1 if one was refused.
    """
    lines: Iterable[str] = _stdin() if schemas in {(), ("-",)} else schemas
    clean = True
    for line in lines:
        record = _record(line)
        clean = clean and record["ok"]
        ui.print(json.dumps(record) + "\n")
        sys.stdout.flush()  # the process at the other end of the pipe may wait for each answer
    ctx.exit(0 if clean else 1)


def _stdin() -> Iterator[str]:
    """Yield the lines of stdin as UTF-8, whatever the locale is; invalid bytes are kept, for error messages."""
    for line in sys.stdin.buffer:
        yield line.decode("utf-8", "surrogateescape").rstrip("\r\n")


def _record(text: str) -> dict[str, Any]:
    result = parse_schema(text)
    schema = result.schema
    return {
        "input": text,
        "ok": schema is not None,
        "canonical": print_schema(schema) if schema else None,
        "contract": derive_contract(schema).value if schema else None,
        "errors": [
            {"code": error.code.id, "message": error.message, "start": error.span.start, "end": error.span.end}
            for error in result.errors
        ],
    }
