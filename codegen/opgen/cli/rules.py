"""``opgen rules``."""

from __future__ import annotations

import json

import click

from opgen.cli.options import Ui, format_option, ui_options
from opgen.rules.registry import all_codes


@click.command
@format_option("text", "json")
@ui_options
def command(format_: str, ui: Ui) -> None:
    """List every code that opgen may report; `opgen explain CODE` shows its page."""
    codes = all_codes()
    if format_ == "json":
        fields = ("id", "name", "summary", "why", "remedy")
        records = [
            {"severity": code.severity.value, **{field: getattr(code, field) for field in fields}} for code in codes
        ]
        ui.print(json.dumps(records, indent=1) + "\n")
        return
    width = max(len(code.name) for code in codes)
    for code in codes:
        ui.print(f"{code.id}  {code.severity.value:7}  {code.name:{width}}  {code.summary}\n")
