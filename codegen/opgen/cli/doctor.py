"""``opgen doctor``."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import asdict
from typing import TypeVar

import click

from opgen import __version__
from opgen.build.tag_out import probe_tag_out
from opgen.build.toolchain import find_compiler, find_ninja, find_python, find_torch
from opgen.cli.options import Ui, format_option, python_option, ui_options
from opgen.diagnostics import Diagnostic
from opgen.records import dataclass

T = TypeVar("T")
_TIMEOUT = 10.0  # seconds that a program may take to print its version


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that opgen may need.

    Attributes:
        name: its name.
        found: its version and path; ``None`` if it is missing.
        needed_for: the commands that need it.
        remedy: how to install it, if it is missing.
    """

    name: str
    found: str | None
    needed_for: str
    remedy: str = ""


@click.command
@format_option("text", "json")
@python_option
@click.option(
    "--tag-out",
    is_flag=True,
    help="Also test whether torch compiles ops with `tag_out`. Takes a minute or two.",
)
@ui_options
@click.pass_context
def command(ctx: click.Context, *, format_: str, python: str | None, tag_out: bool, ui: Ui) -> None:
    """Show what this machine has, and what it lacks for `opgen build`. Exits with 1 if it lacks anything for that."""
    parts = _parts(python)
    missing = [part for part in parts if part.found is None and part.needed_for == "build"]
    interpreter = find_python(python)
    tried = probe_tag_out(interpreter) if tag_out and isinstance(interpreter, str) else {}
    if format_ == "json":
        record: dict[str, object] = {"opgen": __version__, "parts": [asdict(part) for part in parts]}
        record |= {"can_build": not missing} | ({"tag_out": tried} if tag_out else {})
        ui.print(json.dumps(record, indent=1) + "\n")
    else:
        for part in parts:
            ui.print(f"{part.name:9}{part.found or f'not found; needed for {part.needed_for}'}\n")
        ui.print("\n" + ("ready to build\n" if not missing else "not ready to build:\n"))
        for part in missing:
            ui.print(f"  {part.name}: {part.remedy}\n")
        if tried:
            ui.print("\na functional op and its out= form, paired by Tag.out:\n")
        for what, result in tried.items():
            ui.print(f"  {what}: {result}\n")
    ctx.exit(int(bool(missing)))


def _parts(stated: str | None) -> list[Part]:
    python, compiler, ninja = find_python(stated), find_compiler(), find_ninja()
    torch = find_torch(python) if isinstance(python, str) else python
    versions = _packages(python) if isinstance(python, str) else [None for _ in _PACKAGES]
    return [
        _part("python", python, "build", lambda path: f"{_version(path)} ({path})"),
        _part("torch", torch, "build", lambda found: f"{found.version} ({found.folder})"),
        _part("compiler", compiler, "build", lambda words: f"{_version(*words)} ({' '.join(words)})"),
        _part("ninja", ninja, "build", lambda path: f"{_version(path)} ({path})"),
        Part("nvcc", _nvcc(), "CUDA kernels"),
        *(Part(name, found, use) for (name, use), found in zip(_PACKAGES, versions, strict=True)),
    ]


_PACKAGES = (("triton", "Triton kernels"), ("pytest", "test"))


def _part(name: str, found: T | Diagnostic, needed_for: str, describe: Callable[[T], str]) -> Part:
    if isinstance(found, Diagnostic):
        return Part(name, None, needed_for, found.help)
    return Part(name, describe(found), needed_for)


def _output(*command_line: str) -> str:
    """Return the output of a program; empty if it can't be run."""
    try:
        run = subprocess.run(  # noqa: S603 - programs from PATH, or named by the user
            command_line, capture_output=True, text=True, check=False, timeout=_TIMEOUT
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return run.stdout.strip()


def _version(*command_line: str) -> str:
    """Return the first line of a program's output, as for ``--version``."""
    return (_output(*command_line, "--version").splitlines() or ["version unknown"])[0]


def _nvcc() -> str | None:
    found = shutil.which("nvcc")
    if found is None:
        return None
    release = re.search(r"release ([\d.]+)", _output(found, "--version"))
    return f"{release[1] if release else 'version unknown'} ({found})"


def _packages(python: str) -> list[str | None]:
    """Return the versions of the packages that the interpreter has, without importing them."""
    script = """
import importlib.metadata as m, json, sys
def version(name):
    try:
        return m.version(name)
    except m.PackageNotFoundError:
        return None
print(json.dumps([version(name) for name in sys.argv[1:]]))
"""
    names = [name for name, _ in _PACKAGES]
    try:
        versions: list[str | None] = json.loads(_output(python, "-c", script, *names))
    except ValueError:  # the program is no Python
        return [None for _ in names]
    return versions
