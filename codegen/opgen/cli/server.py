"""``opgen server``."""

from __future__ import annotations

from importlib.util import find_spec

import click

from opgen.cli.options import Ui, ui_options


@click.command
@ui_options
def command(ui: Ui) -> None:  # noqa: ARG001 - every command takes these options
    """Serve an editor by the Language Server Protocol, on stdin and stdout.

    It reports findings while one writes and offers their fixes; hovering over an op shows its contract, and "go to
    definition" opens its kernels. It serves declarations, and C++ and Python sources as `opgen lint` reads them.
    """
    if find_spec("pygls") is None:
        raise click.UsageError('the language server needs pygls: pip install "opgen[server]"')
    from opgen.server.server import make_server  # pygls is optional

    make_server().start_io()
