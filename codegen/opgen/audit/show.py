"""An audit as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from opgen.audit.artifact import Artifact
from opgen.audit.binary import Binary
from opgen.audit.judge import requirement
from opgen.audit.surface import surface
from opgen.diagnostics import Diagnostic
from opgen.words import counted


def text(artifact: Artifact) -> str:
    """Describe claims, each binary, and the operators; findings are printed apart."""
    blocks = []
    if artifact.claims is not None:
        torch = artifact.claims.torch
        asked = "no torch" if torch is None else f"torch{torch}"
        blocks.append([artifact.path, _line("claims", f"{artifact.claims.shown_tags}; {asked}")])
    blocks += [[binary.path, *_facts(binary)] for binary in artifact.binaries]
    if artifact.kernels or artifact.declared:
        blocks.append(_ops(artifact))
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks)


def json_object(artifact: Artifact, findings: Sequence[Diagnostic]) -> str:
    """Print an object; its keys are listed in ``docs/audit.md``."""
    claims = artifact.claims
    record = {
        "path": artifact.path,
        "claims": claims and {"tags": [str(tag) for tag in claims.tags], "torch": claims.torch and str(claims.torch)},
        "requirement": requirement(artifact),
        "binaries": [_object(binary) for binary in artifact.binaries],
        "defined": sorted({op for declared in artifact.declared for op in declared.ops}),
        "kernels": [{"op": kernel.op, "key": kernel.key, "schema": kernel.schema} for kernel in artifact.kernels],
        "findings": [
            {"code": each.code.id, "severity": each.severity.value, "message": each.message, "help": each.help}
            for each in findings
        ],
    }
    return json.dumps(record, indent=1) + "\n"


def _facts(binary: Binary) -> Iterator[str]:
    yield _line("torch", _torch(binary))
    python = binary.python_symbols
    yield _line("python", f"needs {counted(len(python), 'symbol')}, such as {python[0]}" if python else "any")
    versions = [f"{name} {_number(version)}" for name, version in sorted(binary.versions.items())]
    yield _line("system", ", ".join([f"linux_{binary.machine}", *versions]))
    yield _line("rpath", ", ".join(binary.rpath) or "none")
    yield _line("needs", ", ".join(binary.needed) or "nothing")
    if binary.kernels or binary.schema_hash:
        yield _line("kernels", f"{len(binary.kernels)}, of schemas {binary.schema_hash[:8]}")
    if binary.definitions_hash:
        yield _line("defines", f"schemas {binary.definitions_hash[:8]}")


def _torch(binary: Binary) -> str:
    if binary.is_classic:
        found = counted(len(binary.torch_symbols), "C++ symbol")
        built_with = f"{_number(binary.built_with)} only" if binary.built_with else "one release only"
        return f"{built_with}: {found}"
    if binary.oldest_torch is None:
        return "not needed"
    newest = sorted(name for name, first in binary.torch_functions.items() if first == binary.oldest_torch)
    oldest_known = binary.oldest_torch == surface().releases[0]
    since = f"{_number(binary.oldest_torch)} or older" if oldest_known else f">={_number(binary.oldest_torch)}"
    return f"{since}: {counted(len(binary.torch_functions), 'function')} of the stable ABI, the newest {newest[0]}"


def _ops(artifact: Artifact) -> list[str]:
    """Say what each operator is implemented for."""
    keys: dict[str, list[str]] = {}
    for declared in artifact.declared:
        for op in declared.ops:
            keys.setdefault(op.partition("(")[0], [])
    for kernel in artifact.kernels:
        keys.setdefault(kernel.op, []).append(kernel.key)
    width = max(map(len, keys))
    return ["ops", *(f"  {op:{width}}  {', '.join(found) or 'no kernel'}" for op, found in sorted(keys.items()))]


def _object(binary: Binary) -> dict[str, object]:
    return {
        "path": binary.path,
        "machine": binary.machine,
        "abi": "classic" if binary.is_classic else "stable" if binary.torch_functions else None,
        "oldest_torch": binary.oldest_torch and _number(binary.oldest_torch),
        "built_with": binary.built_with and _number(binary.built_with),
        "torch_functions": {name: _number(first) for name, first in sorted(binary.torch_functions.items())},
        "unknown_functions": list(binary.unknown_functions),
        "torch_symbols": list(binary.torch_symbols),
        "python_symbols": list(binary.python_symbols),
        "versions": {name: _number(version) for name, version in sorted(binary.versions.items())},
        "rpath": list(binary.rpath),
        "needed": list(binary.needed),
        "schema_hash": binary.schema_hash or None,
        "definitions_hash": binary.definitions_hash or None,
    }


def _line(name: str, value: str) -> str:
    return f"  {name:8}{value}"


def _number(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
