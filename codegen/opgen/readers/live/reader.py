"""Reads live registrations by a separate process, which imports the modules and dumps PyTorch's schema objects."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from opgen.readers.live.text import schema_text
from opgen.readers.registrations import (
    Definition,
    Function,
    Implementation,
    PythonModule,
    Registrations,
    Role,
    Unread,
)
from opgen.records import dataclass
from opgen.source import Location, Source, Span, Text

_ROLES: tuple[Role, ...] = ("fake", "autograd", "effect", "torch_dispatch")
_SCRIPT = Path(__file__).with_name("dump.py")


def read_live(
    modules: Sequence[str],
    *,
    namespaces: Iterable[str] = (),
    python: str = sys.executable,
    directory: Path | None = None,
) -> Registrations:
    """Read what importing some modules registers.

    Args:
        modules: dotted names, searched in ``directory`` first. ``torch`` stands for all that PyTorch itself registers.
        namespaces: the namespaces of which all operators are read; without any, those that the imports added.
        python: the interpreter that has torch and the modules.
        directory: the working directory of the process; by default that of this process.

    Returns:
        A definition for each operator, whose schema is a source of its own, ``<live ns::op>``, and an implementation
        for each kernel, fake kernel, gradient formula, effect and functionalisation rule that PyTorch knows of. Modules
        that can't be imported are in ``failures``, modules that register nothing in ``silent``.
    """
    with tempfile.TemporaryDirectory(prefix="opgen-live-") as folder:
        output = Path(folder, "registrations.json")
        wanted = [part for namespace in namespaces for part in ("--namespace", namespace)]
        try:
            run = subprocess.run(  # noqa: S603 - the user's interpreter runs a file of opgen
                [python, str(_SCRIPT), str(output), *modules, *wanted],
                cwd=directory,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="replace",
                check=False,
            )
        except OSError as error:
            return _failed(dict.fromkeys(modules, f"'{python}' can't be run: {error.strerror}"))
        if not output.exists():
            return _failed(dict.fromkeys(modules, _death(run.returncode, run.stderr)))
        dumped = json.loads(output.read_text(encoding="utf-8"))
    read = [_operator(operator) for operator in dumped["operators"]]
    silent = [_named(module) for module in dumped["silent"]]
    return Registrations(
        definitions=tuple(one.definition for one in read),
        implementations=tuple(made for one in read for made in one.implementations),
        python_modules=tuple(module for one in read for module in one.python_modules),
        silent=tuple(silent),
        sources={place.source.path: place.source for place in (*silent, *(one.definition.location for one in read))},
    ) + _failed({failure["module"]: failure["reason"] for failure in dumped["failures"]})


@dataclass(frozen=True)
class _Operator:
    definition: Definition
    implementations: tuple[Implementation, ...]
    python_modules: tuple[PythonModule, ...]


def _operator(dumped: Mapping[str, Any]) -> _Operator:
    qualified: str = dumped["name"]
    namespace, _, name = qualified.partition("::")
    source = Source(f"<live {qualified}>", schema_text(name, dumped))
    schema = Text(source.text, source)
    location = schema.locate()
    definition = Definition(
        namespace=namespace,
        schema=schema,
        form="live",
        location=location,
        language="live",
        tags=tuple(Text.of(tag, source.path) for tag in dumped["tags"]),
    )

    def implementation(role: Role, *keys: str) -> Implementation:
        return Implementation(
            Text.of(qualified, source.path), role, location, "live", Function("", location), keys, "live"
        )

    roles: list[tuple[Role, bool]] = [(role, dumped[role]) for role in _ROLES]
    # PyTorch registers a fake kernel as the Meta kernel as well.
    implementations = [
        implementation("kernel", key) for key in dumped["kernels"] if not (key == "Meta" and dumped["fake"])
    ]
    implementations += [implementation(role) for role, is_there in roles if is_there]
    module = dumped["python_module"]
    named = () if module is None else (PythonModule(namespace, Text.of(module, source.path), location, "live"),)
    return _Operator(definition, tuple(implementations), named)


def _failed(reasons: Mapping[str, str]) -> Registrations:
    failures: list[Unread] = []
    sources: dict[str, Source] = {}
    for module, reason in reasons.items():
        place = _named(module)
        sources[place.source.path] = place.source
        failures.append(Unread(place, f"'{module}' can't be imported: {reason}"))
    return Registrations(failures=tuple(failures), sources=sources)


def _named(module: str) -> Location:
    """Return the place for findings about a whole module: its name."""
    return Location(Source(f"<module {module}>", module), Span(0, len(module)))


def _death(code: int, complaint: str) -> str:
    if code < 0:
        return f"the process was ended by {signal.Signals(-code).name}"
    return (complaint.strip().splitlines() or [f"the process ended with {code}"])[-1]
