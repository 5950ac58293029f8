"""Decides whether a build has anything to do, without reading YAML, rendering templates or importing torch.

After a build without findings, a digest of everything that it depended on is stored: of the content of ``ops.yaml`` and
its includes, and of size and time stamp of every generated file, template and module of opgen. Kernels and headers are
not part of it, since ninja tracks those.
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
    """The inputs of a build; paths are absolute and sorted.

    Attributes:
        options: the options of the build and the environment variables that matter.
        sources: the files that are compared by content.
        watched: the files that are compared by size and time stamp.
        expected: the files that only have to exist.
        ninja: the path of ninja, which tracks all other files.
    """

    options: Mapping[str, str]
    sources: tuple[str, ...]
    watched: tuple[str, ...]
    expected: tuple[str, ...]
    ninja: str


def options_of(file: Path, python: str, mode: Mode, required: Sequence[str]) -> dict[str, str]:
    """Return the options and environment variables that change a build."""
    flags = {name: os.environ.get(name, "") for name in ("CXX", "CXXFLAGS", "LDFLAGS", *cuda.VARIABLES)}
    asked = {"required": " ".join(sorted(required)), "templates": str((file.parent / CUSTOM_FOLDER).is_dir())}
    return {"file": str(file), "python": python, **asked, **mode.as_options(), **flags}


def save(folder: Path, inputs: Inputs, started: int) -> None:
    """Store the inputs of a complete build.

    Nothing is stored if a source was saved after ``started`` (nanoseconds since the epoch), as its content may not be
    what was built.
    """
    if any(os.stat(path).st_mtime_ns >= started for path in inputs.sources):  # noqa: PTH116 - as below
        return
    record = {"digest": _digest(inputs), **asdict(inputs)}
    (folder / STATE_FILE).write_text(json.dumps(record), encoding="utf-8")


def unchanged(folder: Path, options: Mapping[str, str]) -> Inputs | None:
    """Return the stored inputs if nothing has changed, else ``None``."""
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
    """Remove the stored inputs, before any of them is changed."""
    (folder / STATE_FILE).unlink(missing_ok=True)


def _digest(inputs: Inputs) -> str:
    """Return the digest of inputs.

    Raises:
        OSError: one of the files doesn't exist any more.
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
