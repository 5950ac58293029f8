"""The manifest as a ``CMakeLists.txt``, which compiles and installs the library: ``add_subdirectory()`` takes it in.

It is for source distributions: its paths are relative, and no opgen is needed. A project that has opgen calls ``opgen_add_library()``,
which generates anew where the declaration has changed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from opgen.build.plan import COMPILER_FLAGS
from opgen.integrations.manifest import ALL_UNITS, Manifest, ManifestBinary, quoted_for_cmake

CMAKE_FILE = "CMakeLists.txt"

_HEAD = """\
# Written by `opgen emit`: do not edit. Expects what find_package(Python) sets.
execute_process(
  COMMAND "${Python_EXECUTABLE}" -c
          "import importlib.util as u, os; print(os.path.realpath(os.path.dirname(u.find_spec('torch').origin)))"
  OUTPUT_VARIABLE opgen_torch OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
"""


def as_cmake_project(manifest: Manifest, folder: Path) -> str:
    """Return the text for a ``CMakeLists.txt`` in ``folder``. Kernels in CUDA are left out."""
    return "\n".join(_statements(manifest, folder)) + "\n"


def _statements(manifest: Manifest, folder: Path) -> Iterator[str]:
    def placed(path: str) -> str:
        relative = Path(os.path.relpath(path, folder)).as_posix()
        return '"${CMAKE_CURRENT_SOURCE_DIR}/' + quoted_for_cmake(relative)[1:]

    yield _HEAD
    for binary in manifest.binaries:
        if binary.language == "CXX":
            yield _library(manifest, binary, placed)
    for place, sources in manifest.python_by_folder.items():
        yield f"install(\n  FILES\n{_listed(map(placed, sorted(sources)))}\n  DESTINATION {quoted_for_cmake(place)})"


def _library(manifest: Manifest, binary: ManifestBinary, placed: Callable[[str], str]) -> str:
    target = binary.name.removeprefix("lib")
    units = [placed(path) for paths in binary.units.values() for path in paths]
    whole = [placed(path) for path in binary.units.get(ALL_UNITS, ())]
    flags = [flag for flag in COMPILER_FLAGS if flag.startswith("-fno-")]
    is_stable = binary.abi == "stable"
    definitions = f"target_compile_definitions({target} PRIVATE TORCH_TARGET_VERSION={manifest.target_version})\n"
    return f"""\
add_library({target} MODULE
{_listed(units)})
set_source_files_properties(
{_listed(whole)}
  PROPERTIES COMPILE_OPTIONS "-include;{placed(manifest.schema_hash)[1:]})
set_target_properties({target} PROPERTIES
  PREFIX lib SUFFIX "${{CMAKE_SHARED_LIBRARY_SUFFIX}}" BUILD_WITH_INSTALL_RPATH TRUE
  CXX_VISIBILITY_PRESET hidden CXX_STANDARD {17 if is_stable else 20} CXX_STANDARD_REQUIRED TRUE)
{definitions if is_stable else ""}\
target_include_directories({target} PRIVATE {placed(manifest.include)})
target_include_directories({target} SYSTEM PRIVATE "${{opgen_torch}}/include")
target_compile_options({target} PRIVATE
  {" ".join(flags)} -iquote {placed(manifest.root)}
  # No folder of the machine that builds is left in a binary.
  "-fmacro-prefix-map=${{CMAKE_CURRENT_SOURCE_DIR}}/=" "-fmacro-prefix-map=${{opgen_torch}}/include/=")
target_link_directories({target} PRIVATE "${{opgen_torch}}/lib")
target_link_libraries({target} PRIVATE torch_cpu{"" if is_stable else " c10"})
install(TARGETS {target} LIBRARY DESTINATION {quoted_for_cmake(manifest.place)})
"""


def _listed(quoted: Iterable[str]) -> str:
    return "\n".join(f"  {text}" for text in quoted)
