"""``opgen json-schema``."""

from __future__ import annotations

import json

import click

from opgen.cli.options import Ui, ui_options


@click.command
@click.argument("which", type=click.Choice(["ops", "configuration"]), default="ops")
@ui_options
def command(*, which: str, ui: Ui) -> None:
    """Print a JSON Schema, for editors: of ops.yaml and what it includes, or of opgen.toml.

    `opgen init` writes the first one beside ops.yaml, whose first line names it; after an update of opgen,
    `opgen json-schema > ops.schema.json` does so again.
    """
    if which == "ops":
        from opgen.spec.json_schema import json_schema  # only the requested one is imported
    else:
        from opgen.build.config.reference import json_schema
    ui.print(json.dumps(json_schema(), indent=2) + "\n")
