"""A wheel: what its name and metadata claim (PEP 427, PEP 600, core metadata), and the files that have to live up to it."""

from __future__ import annotations

import zipfile
from email.parser import HeaderParser
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.tags import Tag
from packaging.utils import InvalidWheelFilename, parse_wheel_filename

from opgen.audit.declared import SCHEMAS_FILE
from opgen.records import dataclass

_LIBRARIES = (".so", ".dylib", ".dll", ".pyd")
_LEGACY = {"manylinux1": (2, 5), "manylinux2010": (2, 12), "manylinux2014": (2, 17)}
"""PEP 600, "Legacy manylinux tags"."""
_LINUX = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "extra": ""}
"""Where a wheel with ELF libraries is installed, for markers (PEP 508); what else they may ask is as it is here."""


@dataclass(frozen=True, slots=True)
class Claims:
    """What an installer believes.

    Attributes:
        tags: for which interpreters, ABIs and platforms it is.
        torch: the releases that it asks for; ``None`` where it does not ask for torch.
    """

    tags: tuple[Tag, ...]
    torch: SpecifierSet | None

    @property
    def shown_tags(self) -> str:
        """``py3-none-linux_x86_64``, or several."""
        return ", ".join(map(str, self.tags))


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel's claims, the data of its shared libraries and the texts of its ``_schemas.py``, by path."""

    claims: Claims
    libraries: dict[str, bytes]
    schemas: dict[str, str]


def read_wheel(path: Path) -> Wheel | str:
    """Read a wheel, or say why it can't be read."""
    try:
        tags = parse_wheel_filename(path.name)[3]
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            metadata = next(name for name in names if name.endswith(".dist-info/METADATA") and name.count("/") == 1)
            headers = HeaderParser().parsestr(archive.read(metadata).decode("utf-8"))
            requirements = [Requirement(text) for text in headers.get_all("Requires-Dist", [])]
            return Wheel(
                Claims(tuple(sorted(tags, key=str)), _of_torch(requirements)),
                {name: archive.read(name) for name in names if _is_library(name)},
                {name: archive.read(name).decode() for name in names if name.rpartition("/")[2] == SCHEMAS_FILE},
            )
    except StopIteration:
        return "it holds no METADATA"
    except (InvalidWheelFilename, InvalidRequirement, zipfile.BadZipFile, UnicodeDecodeError) as error:
        return str(error)


def glibc_of(platform: str) -> tuple[int, int] | None:
    """Return the version of glibc that a platform tag promises to do with; ``None`` where it promises none."""
    kind, _, rest = platform.partition("_")
    if kind in _LEGACY:
        return _LEGACY[kind]
    parts = rest.split("_")
    return (int(parts[0]), int(parts[1])) if kind == "manylinux" and parts[1:] else None


def _is_library(name: str) -> bool:
    file = name.rpartition("/")[2]
    return file.endswith(_LIBRARIES) or ".so." in file


def _of_torch(requirements: list[Requirement]) -> SpecifierSet | None:
    """Intersect what is asked of torch on Linux; extras are another matter."""
    ours = (r for r in requirements if r.name.lower() == "torch")
    asked = [r.specifier for r in ours if r.marker is None or r.marker.evaluate(_LINUX)]
    if not asked:
        return None
    together = SpecifierSet()
    for specifier in asked:
        together &= specifier
    return together
