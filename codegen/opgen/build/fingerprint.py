"""Is there anything to do? Answered without reading YAML, rendering templates or importing torch.

After a build without findings everything that it depended on is condensed into one digest: the content of ``ops.yaml``
and its includes, and size and time stamp of every generated file, template and module of opgen. Kernels and headers
are not among them: ninja knows those.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from opgen.build import cuda
from opgen.build.mode import Mode
from opgen.build.own_files import own_files
from opgen.records import dataclass
from opgen.targets.custom import CUSTOM_FOLDER

STATE_FILE = "state.json"


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a build depended on; paths are absolute and sorted.

    Attributes:
        options: what was asked for, the environment included.
        sources: read by content.
        watched: read by size and time stamp.
        expected: files that only have to be there.
        ninja: the program that looks after the rest.
    """

    options: Mapping[str, str]
    sources: tuple[str, ...]
    watched: tuple[str, ...]
    expected: tuple[str, ...]
    ninja: str


def options_of(file: Path, python: str, mode: Mode, required: Sequence[str]) -> dict[str, str]:
    """Return what changes a build beside files."""
    flags = {name: os.environ.get(name, "") for name in ("CXX", "CXXFLAGS", "LDFLAGS", *cuda.VARIABLES)}
    asked = {"required": " ".join(sorted(required)), "templates": str((file.parent / CUSTOM_FOLDER).is_dir())}
    return {"file": str(file), "python": python, **asked, **mode.as_options(), **flags}


def save(folder: Path, inputs: Inputs, started: int) -> None:
    """Store the inputs of a build that left nothing to do.

    Not where a source was saved in an editor after ``started`` (nanoseconds since the epoch): what stands there now is
    not what was built.
    """
    if any(os.stat(path).st_mtime_ns >= started for path in inputs.sources):  # noqa: PTH116 - as below
        return
    record = {"digest": _digest(inputs), **asdict(inputs)}
    (folder / STATE_FILE).write_text(json.dumps(record), encoding="utf-8")


def unchanged(folder: Path, options: Mapping[str, str]) -> Inputs | None:
    """Return the stored inputs if they are still the same, else ``None``."""
    try:
        record = json.loads((folder / STATE_FILE).read_text(encoding="utf-8"))
        inputs = Inputs(
            options=record["options"],
            sources=tuple(record["sources"]),
            watched=tuple(record["watched"]),
            expected=tuple(record["expected"]),
            ninja=record["ninja"],
        )
        return inputs if inputs.options == options and record["digest"] == _digest(inputs) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def forget(folder: Path) -> None:
    """Remove what was stored, before anything is changed that it speaks of."""
    (folder / STATE_FILE).unlink(missing_ok=True)


def _digest(inputs: Inputs) -> str:
    """Condense them.

    Raises:
        OSError: a file that they name is gone.
    """
    digest = hashlib.sha256()
    for path in inputs.sources:
        digest.update(f"\n{path}\0".encode(errors="surrogateescape") + Path(path).read_bytes())
    for path in (*inputs.watched, *own_files()):
        facts = os.stat(path)  # noqa: PTH116 - thousands of files: Path objects would double the time
        digest.update(f"\n{path}\0{facts.st_size}\0{facts.st_mtime_ns}".encode(errors="surrogateescape"))
    for path in inputs.expected:
        os.stat(path)  # noqa: PTH116 - as above
    return digest.hexdigest()
