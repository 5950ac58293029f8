"""One step of another build system: write what is to be compiled and installed into a folder of its build tree."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import field
from pathlib import Path

from opgen.build.custom_templates import watched_templates
from opgen.build.generate import generate
from opgen.build.layout import lay_out_build
from opgen.build.own_files import own_files
from opgen.diagnostics import Diagnostic
from opgen.emit.codes import LOCKED
from opgen.emit.file_set import Comparison, FileSet
from opgen.emit.problems import refused
from opgen.emit.stray_kernels import stray_kernels
from opgen.emit.update import update
from opgen.integrations.cmake_project import CMAKE_FILE, as_cmake_project
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
from opgen.records import dataclass
from opgen.targets.registry import BUILT


@dataclass(frozen=True, slots=True)
class SourcesRequest:
    """What is asked for.

    Attributes:
        file: the declaration; its folder holds the kernels.
        output: the folder to write into.
        manifest: where to describe what was made: as CMake's statements if it is named ``*.cmake``, as a project of CMake or
            Meson if it is named ``CMakeLists.txt`` or ``meson.build``, else as JSON.
        stamp: touched at the end; ``STAMP.d`` beside it names all that was read.
        started: when it was asked, in nanoseconds since the epoch.
    """

    file: Path
    output: Path
    manifest: Path | None = None
    stamp: Path | None = None
    started: int = field(default_factory=time.time_ns)


@dataclass(frozen=True, slots=True)
class Sources:
    """What came of it.

    Attributes:
        new_kernels: skeletons that were written beside the declaration, for their author to fill in.
        diagnostics: nothing is complete where one is an error.
        unable: another opgen is at work there.
    """

    new_kernels: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    unable: bool = False


def write_sources(request: SourcesRequest, on_wait: Callable[[str], None]) -> Sources:
    """Generate. Files whose content stays keep their time stamps, so that nothing is compiled for their sake."""
    generated = generate(request.file, BUILT)
    if generated.library is None or generated.files is None:
        return Sources((), generated.diagnostics)
    root, output = request.file.parent.resolve(), request.output.resolve()
    skeletons, problems = update(_part(generated.files, once=True), root, on_wait, orphans=False)
    strays: tuple[Diagnostic, ...] = ()
    if not problems:
        made, problems = update(_part(generated.files, once=False), output, on_wait)
        strays = tuple(stray_kernels(root, Comparison((*skeletons.changes, *made.changes), ())))
    if not problems:
        layout = lay_out_build(generated.library, generated.files, root)
        manifest = manifest_of(generated.library, generated.files, layout, root, output)
        try:
            _write_records(request, manifest, schema_hash_header(layout))
        except OSError as error:
            problems = (refused(output, error, "write"),)
    is_locked = any(problem.code is LOCKED for problem in problems)
    return Sources(skeletons.new_kernels, (*generated.diagnostics, *strays, *problems), unable=is_locked)


def _part(files: FileSet, *, once: bool) -> FileSet:
    """Return the skeletons, which are the author's, or all others."""
    return FileSet(tuple(file for file in files.files if file.once == once), files.source, command="opgen emit")


def _write_records(request: SourcesRequest, manifest: Manifest, hash_header: str) -> None:
    request.output.mkdir(parents=True, exist_ok=True)
    _write_if_changed(request.output / SCHEMA_HASH_HEADER, hash_header)
    if request.manifest is not None:
        _write_if_changed(request.manifest, _described(manifest, request.manifest))
    if request.stamp is not None:
        # What another version of opgen has made, or other templates, is not its own.
        inputs = (*manifest.inputs, *watched_templates(request.file.parent), *own_files())
        Path(f"{request.stamp}.d").write_bytes(os.fsencode(depfile(str(request.stamp.absolute()), inputs)))
        request.stamp.write_bytes(b"")
        if any(Path(path).stat().st_mtime_ns >= request.started for path in manifest.inputs):
            # Saved in an editor meanwhile: what was read is older, so the next build has to look again.
            os.utime(request.stamp, ns=(request.started, request.started))


def _described(manifest: Manifest, path: Path) -> str:
    """Describe it in the language that the name of the file tells."""
    if path.name == MESON_FILE:
        return as_meson(manifest, path.parent.resolve())
    if path.name == CMAKE_FILE:
        return as_cmake_project(manifest, path.parent.resolve())
    return as_cmake(manifest) if path.suffix == ".cmake" else as_json(manifest)


def _write_if_changed(path: Path, text: str) -> None:
    data = os.fsencode(text)
    if not path.is_file() or path.read_bytes() != data:
        temporary = path.with_name(f".{path.name}.new")
        temporary.write_bytes(data)
        temporary.replace(path)
