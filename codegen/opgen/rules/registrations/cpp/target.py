"""Finds the torch release that a library on the stable ABI targets, as stated in its sources or ``ops.yaml``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from opgen.model.op import Library
from opgen.readers.registrations import Registrations
from opgen.records import dataclass
from opgen.rules.registrations.cpp.stable_features import Release
from opgen.source import Location, Span

_MACRO = "TORCH_TARGET_VERSION"
_VALUE = r"(0[xX][0-9a-fA-F]{14,16}|TORCH_VERSION_\d+_\d+_\d+)"
_STATED = re.compile(rf"(?:\b|-D){_MACRO}[=\s]\s*{_VALUE}")


@dataclass(frozen=True)
class Target:
    """A targeted release.

    Attributes:
        release: the release.
        stated: the text that states it.
        location: the place of that text; ``None`` on the command line of ``opgen``.
    """

    release: Release
    stated: str
    location: Location | None = None


def stable_target(registrations: Registrations, libraries: Iterable[Library]) -> Target | None:
    """Return the oldest stated release, by ``TORCH_TARGET_VERSION`` in a source or build script, or by ``torch:``."""
    return min(_targets(registrations, libraries), key=lambda target: target.release, default=None)


def release_of(value: str) -> Release | None:
    """Read ``0x020a000000000000`` (a byte each for major and minor), in any base, or ``TORCH_VERSION_2_10_0``."""
    if named := re.fullmatch(r"TORCH_VERSION_(\d+)_(\d+)_\d+", value):
        return int(named[1]), int(named[2])
    if re.fullmatch(r"(?:0[xX][0-9a-fA-F]{14,16}|\d{17,19})[uU]?[lL]{0,2}", value):
        number = int(value.rstrip("uUlL"), 0)
        return number >> 56, number >> 48 & 0xFF
    return None


def macro_for(release: Release) -> str:
    """Return the definition of ``TORCH_TARGET_VERSION`` for a release."""
    return f"{_MACRO}=0x{release[0]:02x}{release[1]:02x}000000000000"


def _targets(registrations: Registrations, libraries: Iterable[Library]) -> Iterator[Target]:
    if release := release_of(registrations.defines.get(_MACRO, "").strip("() ")):
        yield Target(release, f"`{_MACRO}`")
    for source in registrations.sources.values():
        for match in _STATED.finditer(source.text) if _MACRO in source.text else ():
            if release := release_of(match[1]):
                yield Target(release, f"`{_MACRO}`", Location(source, Span(*match.span())))
    namespaces = {block.namespace for block in registrations.blocks if block.abi == "stable"}
    for library in libraries:
        if namespaces & {library.namespace, *(op.namespace for op in library.ops)}:
            yield Target(library.spec.torch, "`torch:`", library.spec.keys.get("torch"))
