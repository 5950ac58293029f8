"""One ELF shared library: what it needs from outside, and what it says of itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import BytesIO

from elftools.common.exceptions import ELFError
from elftools.elf.dynamic import DynamicSection, DynamicTag
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection
from elftools.elf.sections import SymbolTableSection

from opgen.audit.surface import Release, release, surface
from opgen.records import dataclass

_RECORD = re.compile(rb"opgen: (\w+) kernel of (\w+::[^\0]+)\0")
_HASH = re.compile(rb"opgen: (kernels for|definitions of) schemas ([0-9a-f]{64})")
_BUILT_WITH = re.compile(rb"opgen: built with torch (\d+\.\d+);")
"""``templates/cpp/unit.cpp.j2``, ``library_stable.cpp.j2``, ``library_classic.cpp.j2`` and ``define.cpp.j2`` write these."""

_TORCH_FUNCTION = re.compile(r"(aoti_torch|aoti_record_function|torch)_")
_TORCH_CXX = re.compile(r"_ZG?V?Z?(?:T[VIST])?N?K?(?:2at|3c10|5torch|6caffe2)\d")
"""A name of C++ in a namespace of PyTorch, as the Itanium ABI mangles it (https://itanium-cxx-abi.github.io/cxx-abi/abi.html)."""
_PYTHON = re.compile(r"_?Py[A-Z_]")
_MACHINES = {
    "EM_X86_64": "x86_64",
    "EM_AARCH64": "aarch64",
    "EM_ARM": "armv7l",
    "EM_386": "i686",
    "EM_LOONGARCH": "loongarch64",
    "EM_PPC64": "ppc64le",
    "EM_RISCV": "riscv64",
    "EM_S390": "s390x",
}
"""The names of wheel tags."""
_GLIBC_FEATURES = {"GLIBC_ABI_DT_RELR": (2, 36)}
"""Versions without a number, of which a linker asks where a library uses what an older glibc can't load (glibc's NEWS, 2.36)."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel that a binary of opgen's holds: dispatch key, ``namespace::schema``."""

    key: str
    schema: str

    @property
    def op(self) -> str:
        """``namespace::name.overload``."""
        return self.schema.partition("(")[0]


@dataclass(frozen=True, slots=True)
class Binary:
    """What was read.

    Attributes:
        path: as it is shown.
        machine: as wheel tags name it, ``x86_64``.
        needed: the libraries that it is linked with.
        rpath: the folders in which it looks for them.
        undefined: symbols that another library has to have; those that may be missing are left out.
        versions: of the system's libraries, ``GLIBC`` -> (2, 34).
        kernels: what opgen's records say, in the order of the file.
        schema_hash: of the library that the kernels belong to; empty in a binary that opgen did not make.
        definitions_hash: of the schemas that it defines, likewise.
        built_with: the torch that a binary for the classic ABI was built with, likewise.
    """

    path: str
    machine: str
    needed: tuple[str, ...]
    rpath: tuple[str, ...]
    undefined: tuple[str, ...]
    versions: dict[str, tuple[int, ...]]
    kernels: tuple[Kernel, ...] = ()
    schema_hash: str = ""
    definitions_hash: str = ""
    built_with: Release | None = None

    @property
    def torch_functions(self) -> dict[str, Release]:
        """The functions of the stable ABI that it needs, and the release of each."""
        since = surface().since
        return {name: since[name] for name in self.undefined if name in since}

    @property
    def unknown_functions(self) -> tuple[str, ...]:
        """What looks like a C function of PyTorch, but is in no release that the table knows."""
        since = surface().since
        return tuple(name for name in self.undefined if name not in since and _TORCH_FUNCTION.match(name))

    @property
    def torch_symbols(self) -> tuple[str, ...]:
        """PyTorch's C++ symbols, which keep for one release only."""
        return tuple(name for name in self.undefined if _TORCH_CXX.match(name))

    @property
    def python_symbols(self) -> tuple[str, ...]:
        """Those of CPython's API."""
        return tuple(name for name in self.undefined if _PYTHON.match(name))

    @property
    def is_classic(self) -> bool:
        """Whether it fits one release of PyTorch only."""
        return bool(self.torch_symbols or self.built_with)

    @property
    def oldest_torch(self) -> Release | None:
        """The oldest release that has all its functions of the stable ABI; ``None`` where it needs none, or the classic one."""
        return None if self.is_classic else max(self.torch_functions.values(), default=None)


def read_binary(path: str, data: bytes) -> Binary | None:
    """Read a shared library; ``None`` where the data is none in the ELF format."""
    try:
        elf = ELFFile(BytesIO(data))
        if elf["e_type"] != "ET_DYN":
            return None
        dynamic, symbols = elf.get_section_by_name(".dynamic"), elf.get_section_by_name(".dynsym")
        tags = list(dynamic.iter_tags()) if isinstance(dynamic, DynamicSection) else []
        hashes = {kind: digest.decode() for kind, digest in _HASH.findall(data)}
        built_with = _BUILT_WITH.search(data)
        return Binary(
            path=path,
            machine=_MACHINES.get(elf["e_machine"], elf["e_machine"]),
            needed=tuple(_texts(tags, "DT_NEEDED")),
            rpath=tuple(
                folder for path in _texts(tags, "DT_RPATH", "DT_RUNPATH") for folder in path.split(":") if folder
            ),
            undefined=tuple(sorted(_undefined(symbols))) if isinstance(symbols, SymbolTableSection) else (),
            versions=_versions(elf),
            kernels=tuple(Kernel(key.decode(), schema.decode()) for key, schema in _RECORD.findall(data)),
            schema_hash=hashes.get(b"kernels for", ""),
            definitions_hash=hashes.get(b"definitions of", ""),
            built_with=release(built_with[1].decode()) if built_with else None,
        )
    except (ELFError, UnicodeDecodeError, OverflowError):  # the last: an offset that no file reaches, in a damaged one
        return None


def _texts(tags: Iterable[DynamicTag], *kinds: str) -> Iterator[str]:
    """Yield the texts of some kinds of tags, which pyelftools has as attributes: that of ``DT_NEEDED`` is ``needed``."""
    for tag in tags:
        if tag.entry.d_tag in kinds:
            yield getattr(tag, tag.entry.d_tag.removeprefix("DT_").lower())


def _undefined(symbols: SymbolTableSection) -> Iterator[str]:
    for symbol in symbols.iter_symbols():
        if symbol["st_shndx"] == "SHN_UNDEF" and symbol["st_info"]["bind"] == "STB_GLOBAL":
            yield symbol.name


def _versions(elf: ELFFile) -> dict[str, tuple[int, ...]]:
    """Return the newest version that is asked for of each set of versioned symbols: ``GLIBC``, ``GLIBCXX``, ``CXXABI``."""
    newest: dict[str, tuple[int, ...]] = {}
    section = elf.get_section_by_name(".gnu.version_r")
    for _, needed in section.iter_versions() if isinstance(section, GNUVerNeedSection) else ():
        for version in needed:
            if version.name in _GLIBC_FEATURES:
                newest["GLIBC"] = max(newest.get("GLIBC", ()), _GLIBC_FEATURES[version.name])
            elif found := re.fullmatch(r"(GLIBC|GLIBCXX|CXXABI)_([\d.]+)", version.name):
                numbers = tuple(map(int, found[2].split(".")))
                newest[found[1]] = max(newest.get(found[1], ()), numbers)
    return newest
