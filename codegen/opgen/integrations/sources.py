"""One step of another build system: write what is to be compiled and installed into a folder of its build tree."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from opgen.build.generate import generate
from opgen.build.layout import lay_out_build
from opgen.build.own_files import own_files
from opgen.diagnostics import Diagnostic
from opgen.emit.codes import LOCKED
from opgen.emit.file_set import Change, FileSet
from opgen.emit.problems import refused
from opgen.emit.update import update
from opgen.integrations.depfile import depfile
from opgen.integrations.manifest import (
    SCHEMA_HASH_HEADER,
    Manifest,
    as_cmake,
    as_json,
    manifest_of,
    schema_hash_header,
)
from opgen.integrations.meson import MESON_FILE, as_meson
from opgen.model.op import Library
from opgen.records import dataclass
from opgen.targets.registry import BUILT


@dataclass(frozen=True, slots=True)
class SourcesRequest:
    """What is asked for.

    Attributes:
        file: the declaration; its folder holds the kernels.
        output: the folder to write into.
        manifest: where to describe what was made: as CMake's statements if it is named ``*.cmake``, as Meson's if it is
            named ``meson.build``, else as JSON.
        stamp: touched at the end; ``STAMP.d`` beside it names all that was read.
    """

    file: Path
    output: Path
    manifest: Path | None = None
    stamp: Path | None = None


@dataclass(frozen=True, slots=True)
class Sources:
    """What came of it.

    Attributes:
        changed: how many files were written or removed.
        new_kernels: skeletons that were written beside the declaration, for their author to fill in.
        diagnostics: nothing was written where one is an error.
        unable: another opgen is at work there.
    """

    changed: int
    new_kernels: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    unable: bool = False


def write_sources(request: SourcesRequest, on_wait: Callable[[str], None]) -> Sources:
    """Generate. Files whose content stays keep their time stamps, so that nothing is compiled for their sake."""
    generated = generate(request.file, BUILT)
    if generated.library is None or generated.files is None:
        return Sources(0, (), generated.diagnostics)
    root, output = request.file.parent.resolve(), request.output.resolve()
    parts = [
        FileSet(tuple(file for file in generated.files.files if file.once == once), generated.files.source)
        for once in (True, False)
    ]
    changed: list[Change] = []
    for files, folder in zip(parts, (root, output), strict=True):
        comparison, problems = update(files, folder, on_wait, orphans=files is parts[1])
        if problems:
            unable = any(problem.code is LOCKED for problem in problems)
            return Sources(len(changed), (), (*generated.diagnostics, *problems), unable)
        changed += comparison.pending
    try:
        _write_records(request, generated.library, generated.files)
    except OSError as error:
        return Sources(len(changed), (), (*generated.diagnostics, refused(output, error, "write")))
    new_kernels = tuple(change.path for change in changed if change.is_kernel)
    return Sources(len(changed), new_kernels, generated.diagnostics)


def _write_records(request: SourcesRequest, library: Library, files: FileSet) -> None:
    root, output = request.file.parent.resolve(), request.output.resolve()
    layout = lay_out_build(library, files, root)
    manifest = manifest_of(library, files, layout, root, output)
    output.mkdir(parents=True, exist_ok=True)
    _write_if_changed(output / SCHEMA_HASH_HEADER, schema_hash_header(layout))
    if request.manifest is not None:
        _write_if_changed(request.manifest, _described(manifest, request.manifest))
    if request.stamp is not None:
        # What another version of opgen has made, or other templates, is not its own.
        inputs = (*manifest.inputs, *own_files())
        Path(f"{request.stamp}.d").write_bytes(os.fsencode(depfile(str(request.stamp.absolute()), inputs)))
        request.stamp.write_bytes(b"")


def _described(manifest: Manifest, path: Path) -> str:
    """Describe it in the language that the name of the file tells."""
    if path.name == MESON_FILE:
        return as_meson(manifest, path.parent.resolve())
    return as_cmake(manifest) if path.suffix == ".cmake" else as_json(manifest)


def _write_if_changed(path: Path, text: str) -> None:
    data = os.fsencode(text)
    if not path.is_file() or path.read_bytes() != data:
        temporary = path.with_name(f".{path.name}.new")
        temporary.write_bytes(data)
        temporary.replace(path)
