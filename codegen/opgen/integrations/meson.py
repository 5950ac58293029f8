"""The manifest as a ``meson.build``, which compiles and installs the library: ``subdir()`` takes it in.

It stands in the source tree and its paths are relative, so that it can be committed, or be part of an sdist, with what was
generated beside it; then a build needs no opgen. The Python files of the package are copied to where its binaries are made, since
an editable install of meson-python leaves each file where Meson has it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from opgen.build.plan import COMPILER_FLAGS
from opgen.integrations.manifest import ALL_UNITS, Manifest, ManifestBinary

MESON_FILE = "meson.build"

_HEAD = """\
# Written by `opgen emit`: do not edit. Expects `py`, what find_installation() of the module `python` returns.
opgen_torch = run_command(
  py,
  ['-c', 'import importlib.util as u, os; print(os.path.realpath(os.path.dirname(u.find_spec("torch").origin)))'],
  check: true,
).stdout().strip()
opgen_flags = meson.get_compiler('cpp').get_supported_arguments(
{flags}
)
opgen_flags += ['-isystem', opgen_torch / 'include', '-iquote', meson.current_source_dir() / {root}]
# No folder of the machine that builds is left in a binary.
foreach folder : [meson.current_source_dir(), opgen_torch / 'include']
  opgen_flags += '-fmacro-prefix-map=' + folder + '/='
endforeach
"""


def as_meson(manifest: Manifest, folder: Path) -> str:
    """Return the text for a ``meson.build`` in ``folder``. Kernels in CUDA are left out."""
    return "\n".join(_statements(manifest, folder)) + "\n"


def _statements(manifest: Manifest, folder: Path) -> Iterator[str]:
    def relative(path: str) -> str:
        return _quoted(Path(os.path.relpath(path, folder)).as_posix())

    # Meson has options of its own for the language and for how much is optimised.
    flags = "\n".join(f"  {_quoted(flag)}," for flag in COMPILER_FLAGS if not flag.startswith(("-std", "-fPIC", "-O")))
    yield _HEAD.format(flags=flags, root=relative(manifest.root))
    yield "# Meson configures again when these change."
    for number, path in enumerate(manifest.inputs):
        yield f"configure_file(input: {relative(path)}, output: 'opgen_input_{number}', copy: true)"
    for binary in manifest.binaries:
        if binary.language == "CXX":
            yield _library(manifest, binary, relative)
    for place, sources in manifest.python_by_folder.items():
        paths = [relative(source) for source in sorted(sources)]
        yield _copied(place, paths) if place == manifest.place else _installed(place, paths)


def _library(manifest: Manifest, binary: ManifestBinary, relative: Callable[[str], str]) -> str:
    """Say how one binary is made. What holds the schema hash is apart, so that a changed op compiles nothing else anew."""
    name = binary.name.removeprefix("lib")
    whole = [relative(path) for path in binary.units.get(ALL_UNITS, ())]
    units = [relative(path) for key, paths in binary.units.items() for path in paths if key != ALL_UNITS]
    macros = [f"-DTORCH_TARGET_VERSION={manifest.target_version}"] if binary.abi == "stable" else []
    libraries = ["-ltorch_cpu", *(["-lc10"] if binary.abi == "classic" else [])]
    standard = "c++20" if binary.abi == "classic" else "c++17"  # the headers of torch 2.14 can't be read as C++17
    return f"""
opgen_settings = {{
  'include_directories': include_directories('.', {relative(manifest.include)}),
  'override_options': ['cpp_std={standard}'],
}}
opgen_arguments = opgen_flags + [{", ".join(map(_quoted, macros))}]
opgen_facts = static_library(
  {_quoted(f"{name}_facts")},
{_listed(whole)},
  cpp_args: opgen_arguments + ['-include', {_quoted(Path(manifest.schema_hash).name)}],
  pic: true,
  kwargs: opgen_settings,
)
shared_library(
  {_quoted(name)},
{_listed(units)},
  cpp_args: opgen_arguments,
  link_whole: opgen_facts,
  link_args: ['-L' + opgen_torch / 'lib', {", ".join(map(_quoted, libraries))}],  # find_library() would leave an rpath
  install: true,
  install_dir: py.get_install_dir(pure: false) / {_quoted(manifest.place)},
  kwargs: opgen_settings,
)"""


def _copied(place: str, paths: Iterable[str]) -> str:
    return f"""
foreach file : [
{_listed(paths)}
]
  configure_file(
    input: file,
    output: '@PLAINNAME@',
    copy: true,
    install: true,
    install_dir: py.get_install_dir(pure: false) / {_quoted(place)},
  )
endforeach"""


def _installed(place: str, paths: Iterable[str]) -> str:
    return f"py.install_sources(\n{_listed(paths)},\n  subdir: {_quoted(place)},\n  pure: false,\n)"


def _listed(quoted: Iterable[str]) -> str:
    return ",\n".join(f"  {text}" for text in quoted)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
