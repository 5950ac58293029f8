"""Writes ninja files. Source of the escaping: https://ninja-build.org/manual.html, "Lexical syntax"."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable

from opgen.emit.paths import WORK_FOLDER

NAME = "build.ninja"
NINJA_FILE = f"{WORK_FOLDER}/{NAME}"
"""The path of a library's ninja file, relative to the project."""

_SPECIAL = re.compile(r"[$ :\n]")


def path(name: str) -> str:
    """Escape a path of a ``build`` line.

    Raises:
        ValueError: it contains a line break, for which ninja has no escape.
    """
    if "\n" in name:
        raise ValueError(f"ninja can't name a file with a line break: {name!r}")
    return _SPECIAL.sub(lambda match: "$" + match[0], name)


def text(value: str) -> str:
    """Escape the value of a variable that no shell reads, such as a description."""
    return value.replace("$", "$$")


def command(*words: str) -> str:
    """Quote words for the shell that runs a command, and escape them for ninja."""
    return text(shlex.join(words))


def rule(name: str, command_line: str, **bindings: str) -> str:
    """Return a rule; the command line may mention ``$in`` and ``$out``."""
    lines = [f"rule {name}", f"  command = {command_line}"]
    lines += [f"  {key} = {value}" for key, value in bindings.items()]
    return "\n".join(lines) + "\n"


def build(output: str, rule_name: str, inputs: Iterable[str], implicit: Iterable[str] = (), **bindings: str) -> str:
    """Return a ``build`` statement; paths are escaped here, values of bindings must be escaped already."""
    needs = "".join(f" {path(item)}" for item in inputs)
    also = "".join(f" {path(item)}" for item in implicit)
    lines = [f"build {path(output)}: {rule_name}{needs}" + (f" |{also}" if also else "")]
    lines += [f"  {key} = {value}" for key, value in bindings.items()]
    return "\n".join(lines) + "\n"
