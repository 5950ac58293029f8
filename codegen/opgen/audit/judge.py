"""Compare what is claimed with what the binaries need: one function a claim."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from packaging.specifiers import SpecifierSet

from opgen.audit import codes
from opgen.audit.artifact import Artifact
from opgen.audit.binary import Binary
from opgen.audit.declared import Declared, hash_of
from opgen.audit.surface import Release
from opgen.audit.wheel import Claims, glibc_of
from opgen.diagnostics import Diagnostic
from opgen.words import counted

_MINORS = {1: 14, 2: 41}
"""Which releases of PyTorch a requirement is tried on: all that there are, and more than will come before these are read again."""
_PATCHES = 10
_SHOWN = 3


def judge(artifact: Artifact) -> Iterator[Diagnostic]:
    """Yield each claim that is false, then what is no claim but will hurt."""
    if artifact.claims is not None:
        yield from _torch(artifact, artifact.claims)
        yield from _python(artifact, artifact.claims)
        for binary in artifact.binaries:
            yield from _platform(binary, artifact.claims)
    yield from _schemas(artifact)
    for binary in artifact.binaries:
        if names := binary.unknown_functions:
            message = f"'{binary.path}' needs {_some(names)}, which no known release of torch has"
            yield Diagnostic(codes.UNKNOWN_FUNCTION, message, None, codes.UNKNOWN_FUNCTION.remedy)
        for folder in binary.rpath:
            if PurePosixPath(folder).is_absolute():
                message = f"'{binary.path}' looks for libraries in '{folder}', a folder of the machine that built it"
                yield Diagnostic(codes.ABSOLUTE_RPATH, message, None, codes.ABSOLUTE_RPATH.remedy)


def requirement(artifact: Artifact) -> str | None:
    """Return what the metadata should ask for, ``torch>=2.10``; ``None`` where no binary needs torch, or its release is unknown."""
    built_with = {binary.built_with for binary in artifact.binaries if binary.built_with}
    if built_with:
        return f"torch=={_text(max(built_with))}.*"
    if any(binary.is_classic for binary in artifact.binaries) or artifact.oldest_torch is None:
        return None
    return f"torch>={_text(artifact.oldest_torch)}"


def _torch(artifact: Artifact, claims: Claims) -> Iterator[Diagnostic]:
    classic = [binary for binary in artifact.binaries if binary.is_classic]
    floor, wanted = artifact.oldest_torch, requirement(artifact)
    if claims.torch is None:
        if classic or floor:
            what = f"expected '{wanted}'" if wanted else "expected one release of torch"
            message = f"the metadata asks for no torch, {what}"
            yield Diagnostic(codes.TORCH_NOT_ASKED, message, None, codes.TORCH_NOT_ASKED.remedy)
        return
    shown = f"torch{claims.torch}" if str(claims.torch) else "torch, of any release"
    admitted = [minor for minor in _minors() if _admits(claims.torch, minor)]
    if classic:
        fitting = {binary.built_with for binary in classic} if all(binary.built_with for binary in classic) else None
        if len(admitted) > 1 or (fitting and set(admitted) - fitting):
            message = f"the metadata asks for {shown}, but '{classic[0].path}' holds C++ symbols of torch"
            message += f", expected '{wanted}'" if wanted else ", expected one release"
            yield Diagnostic(codes.CLASSIC_RANGE, message, None, codes.CLASSIC_RANGE.remedy)
    elif floor and admitted and admitted[0] < floor:
        for binary in artifact.binaries:
            names = tuple(name for name, first in binary.torch_functions.items() if first > admitted[0])
            if names:
                message = (
                    f"the metadata asks for {shown}, but '{binary.path}' needs {_some(names)}, expected '{wanted}'"
                )
                yield Diagnostic(codes.TORCH_TOO_OLD, message, None, codes.TORCH_TOO_OLD.remedy)


def _python(artifact: Artifact, claims: Claims) -> Iterator[Diagnostic]:
    needing = [binary for binary in artifact.binaries if binary.python_symbols]
    any_python = [tag for tag in claims.tags if tag.abi == "none"]
    if needing and any_python:
        for binary in needing:
            message = (
                f"the tag {any_python[0]} promises any Python, but '{binary.path}' needs {_some(binary.python_symbols)}"
            )
            yield Diagnostic(codes.PYTHON_TAG, message, None, codes.PYTHON_TAG.remedy)
    elif not needing and artifact.binaries and not any_python:
        message = f"the tag {claims.tags[0]} is for some Pythons, but no binary needs any of them"
        yield Diagnostic(codes.PYTHON_TAG_NARROW, message, None, codes.PYTHON_TAG_NARROW.remedy)


def _platform(binary: Binary, claims: Claims) -> Iterator[Diagnostic]:
    needs = binary.versions.get("GLIBC", ())
    for platform in dict.fromkeys(tag.platform for tag in claims.tags):
        promised = glibc_of(platform)
        if platform == "any" or not platform.endswith(binary.machine):
            message = f"the tag {platform} does not fit '{binary.path}', which is for linux_{binary.machine}"
        elif promised and needs > promised:
            message = f"the tag {platform} promises glibc {_text(promised)}, but '{binary.path}' needs {_text(needs)}"
        elif needs and platform.startswith("musllinux_"):
            message = f"the tag {platform} promises musl, but '{binary.path}' needs glibc {_text(needs)}"
        else:
            continue
        yield Diagnostic(codes.PLATFORM_TAG, message, None, codes.PLATFORM_TAG.remedy)


def _schemas(artifact: Artifact) -> Iterator[Diagnostic]:
    for binary in artifact.binaries:
        beside = _package_of(artifact, binary)
        expected = beside.schema_hash if beside else _own_hash(artifact, binary)
        for digest in filter(None, (binary.schema_hash, binary.definitions_hash)):
            if expected and digest != expected:
                other = f"those of '{beside.path}'" if beside else "those of its own kernels"
                message = f"'{binary.path}' was made for other schemas ({digest[:8]}) than {other} ({expected[:8]})"
                yield Diagnostic(codes.SCHEMA_MISMATCH, message, None, codes.SCHEMA_MISMATCH.remedy)
    present = set(artifact.kernels)
    for declared in artifact.declared if artifact.is_whole else ():
        for kernel in declared.kernels:
            if kernel not in present:
                message = f"{kernel.op} has no {kernel.key} kernel in any binary"
                yield Diagnostic(codes.MISSING_KERNEL, message, None, codes.MISSING_KERNEL.remedy, kernel.op)


def _package_of(artifact: Artifact, binary: Binary) -> Declared | None:
    folder = PurePosixPath(binary.path).parent
    return next((each for each in artifact.declared if PurePosixPath(each.path).parent == folder), None)


def _own_hash(artifact: Artifact, binary: Binary) -> str:
    """Return the hash of the kernels' schemas where they are all there; a lone file may have others beside it."""
    if not artifact.is_whole or not binary.kernels:
        return ""
    return hash_of(tuple(dict.fromkeys(kernel.schema for kernel in artifact.kernels)))


def _minors() -> Iterator[Release]:
    return ((major, minor) for major, count in _MINORS.items() for minor in range(count))


def _admits(specifier: SpecifierSet, minor: Release) -> bool:
    return any(specifier.contains(f"{_text(minor)}.{patch}") for patch in range(_PATCHES))


def _some(names: tuple[str, ...]) -> str:
    more = f" and {counted(len(names) - _SHOWN, 'more symbol')}" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _text(numbers: tuple[int, ...]) -> str:
    return ".".join(map(str, numbers))
