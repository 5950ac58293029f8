"""``opgen explain``."""

from __future__ import annotations

from difflib import get_close_matches

import click

from opgen.cli.options import Ui, ui_options
from opgen.rules.page import render_page
from opgen.rules.registry import all_codes


@click.command
@click.argument("code")
@ui_options
def command(code: str, ui: Ui) -> None:
    """Show the page of CODE: what it means, why it matters, a bad and a good example. Its name will do, too."""
    codes = {key: entry for entry in all_codes() for key in (entry.id, entry.name)}
    found = codes.get(code.upper()) or codes.get(code.lower())
    if found is None:
        close = get_close_matches(code.upper(), codes, 1) or get_close_matches(code.lower(), codes, 1)
        hint = f"; did you mean '{close[0]}'?" if close else "; `opgen rules` lists all"
        raise click.UsageError(f"there is no code '{code}'{hint}")
    ui.print(render_page(found))
