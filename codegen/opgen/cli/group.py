"""The command group ``opgen``."""

from __future__ import annotations

from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from typing import Any

import click

from opgen import __version__
from opgen.cli.examples import epilog
from opgen.cli.options import directory_option
from opgen.words import closest

VERBS = {
    "init": "Create a library that builds and passes its tests.",
    "fmt": "Format ops.yaml canonically, keeping comments. Needs no PyTorch.",
    "lint": "Check ops.yaml and registrations in C++ and Python. Needs no PyTorch.",
    "generate": "Write the generated files. Needs no PyTorch.",
    "emit": "Write the sources for another build system. Needs no PyTorch.",
    "build": "Generate, compile, load and smoke-test the library.",
    "test": "Build, then run the generated tests with pytest.",
    "bench": "Compare the cost of calling each op with hand-written code.",
    "import": "Write an ops.yaml from C++ and Python sources. Needs no PyTorch.",
    "breaking": "Report what a change does to callers. Needs no PyTorch.",
    "status": "Show what each op has and lacks. Needs no PyTorch.",
    "parse": "Parse operator schemas, one per line, to JSON.",
    "docs": "Write a documentation page per op, for your site. Needs no PyTorch.",
    "export": "Write a library's ops in another project's format. Needs no PyTorch.",
    "audit": "Show what a binary or a wheel needs. Needs no PyTorch.",
    "doctor": "Show what this machine has and lacks for a build.",
    "explain": "Explain a code.",
    "rules": "List all codes.",
    "server": "Run a language server: findings, fixes, contracts. Needs no PyTorch.",
    "json-schema": "Print the JSON Schema of ops.yaml, for editors.",
}


class LazyGroup(click.Group):
    """Imports a command's module when that command runs, so that the other commands stay fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the commands in the order of ``--help``."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Return the ``command`` of the module ``opgen.cli.<name>``."""
        if cmd_name not in VERBS:
            return None
        module = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name.replace("-", "_")
        command = import_module(f"opgen.cli.{module}").command
        assert isinstance(command, click.Command)  # noqa: S101 - for mypy
        command.epilog = epilog(cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command, with "did you mean" for an unknown one."""
        close = closest(args[0], VERBS) if args and args[0] not in VERBS else None
        if close:
            ctx.fail(f"no such command '{args[0]}'; did you mean '{close}'?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """List the commands without importing their modules."""
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


def _show_cmake_folder(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click's signature
    if wanted:
        click.echo(str(Path(__file__).parents[1] / "integrations" / "cmake"))
        ctx.exit()


_SETTINGS: dict[str, Any] = {
    "help_option_names": ["-h", "--help"],
    "auto_envvar_prefix": "OPGEN",
    "show_default": True,
    "max_content_width": 120,
}


@click.group(cls=LazyGroup, context_settings=_SETTINGS)
@click.version_option(__version__, message="%(prog)s %(version)s", prog_name="opgen")
@click.option(
    "--cmake-dir",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_cmake_folder,
    help="Show the folder of the CMake package `opgen`, for `-Dopgen_DIR`, and exit.",
)
@directory_option
@click.pass_context
def opgen(ctx: click.Context, directory: Path | None) -> None:
    """Schema-first code generator for PyTorch custom operators.

    Exit status: 0 clean, 1 findings, 2 wrong usage or a machine that lacks something. Findings go to stdout, progress
    to stderr. Each option can be set by the environment variable named beside it. NO_COLOR and FORCE_COLOR are heeded.

    Completion: eval "$(_OPGEN_COMPLETE=bash_source opgen)", likewise zsh_source and fish_source.
    """
    ctx.obj = directory
