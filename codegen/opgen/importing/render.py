"""Renders an imported ``ops.yaml``: the entries, and comments on everything that couldn't be declared or read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from opgen.diagnostics.formats.terminal import printable
from opgen.importing.entry import Entry, Imported
from opgen.importing.yaml_text import flow_list, flow_mapping, scalar

_SHARED = ("registered", "autograd")


def render(imported: Imported, command: str) -> str:
    """Return the text of the file.

    Args:
        imported: the entries.
        command: the command that was run, for the first line.
    """
    shared = {**_shared(imported), **imported.same_for_all}
    lines = [*_head(imported, command), "opgen: 1", f"namespace: {scalar(imported.namespace)}"]
    if shared:
        lines.append(f"defaults: {flow_mapping(shared)}")
    if imported.imports:
        lines.append(f"imports: {flow_list(imported.imports)}")
    lines.append("ops:" if imported.declared else "ops: []")
    for entry in imported.entries:
        lines += _entry(entry, shared)
    return "\n".join([*lines, ""])


def _shared(imported: Imported) -> dict[str, str]:
    """Return the keys that have the same value in every entry."""
    values = {key: {entry.keys.get(key) for entry in imported.declared} for key in _SHARED}
    return {key: value for key, (value, *others) in values.items() if value and not others} if imported.declared else {}


def _head(imported: Imported, command: str) -> Iterator[str]:
    yield f"# Imported by `{printable(command)}`."
    yield "#"
    yield "# Registrations say nothing about shapes, dtypes and layouts. Describe them under `tensors`: fake kernels, checks of the"
    yield "# arguments, tests and documentation come from there."
    if imported.unread:
        yield "#"
        yield "# Not read, and so not declared here:"
        yield from (f"# - {printable(one)}" for one in imported.unread)


def _entry(entry: Entry, shared: Mapping[str, str]) -> Iterator[str]:
    yield f"  # {printable('; '.join(entry.notes))}"
    lines = [f"- func: {scalar(entry.func)}"]
    lines += [f"  {key}: {value}" for key, value in entry.keys.items() if shared.get(key) != value]
    if entry.refused:
        yield f"  # Not declared: {printable(entry.refused)}"
    yield from (f"  {'# ' if entry.refused else ''}{line}" for line in lines)
