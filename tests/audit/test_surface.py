"""The table of the stable ABI says what the headers and the libraries of the installed PyTorch say."""

import importlib.util
import re
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from opgen.audit.surface import surface
from opgen.audit.tabulate import functions, read_release, tabulate

HEADER = """
#ifndef SHIM
#define SHIM
AOTI_TORCH_EXPORT AOTITorchError aoti_torch_first(void);
#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_12_0
AOTI_TORCH_EXPORT AOTITorchError
aoti_torch_second(int* x);
#ifdef USE_CUDA
AOTI_TORCH_EXPORT void* aoti_torch_third(void);
#endif
#endif // TORCH_FEATURE_VERSION >= TORCH_VERSION_2_12_0
AOTI_TORCH_EXPORT int32_t aoti_torch_fourth();
#endif
"""


@pytest.fixture(scope="module")
def torch():
    found = importlib.util.find_spec("torch")
    if found is None:
        pytest.skip("torch is not installed")
    return Path(found.origin).parent


def test_guards_are_read():
    assert list(functions(HEADER)) == [
        ("aoti_torch_first", (0, 0)),
        ("aoti_torch_second", (2, 12)),
        ("aoti_torch_third", (2, 12)),
        ("aoti_torch_fourth", (0, 0)),
    ]


def release(folder, minor, *names):
    header = folder / f"{minor}/include/torch/csrc/stable/c/shim.h"
    header.parent.mkdir(parents=True)
    (folder / f"{minor}/version.py").write_text(f"__version__ = '2.{minor}.0'\n")
    header.write_text("".join(f"AOTI_TORCH_EXPORT int {name}(void);\n" for name in names))
    return folder / f"{minor}"


def test_a_function_is_as_old_as_the_first_release_that_declares_it(tmp_path):
    table = tabulate([release(tmp_path, 11, "old", "new"), release(tmp_path, 9, "old")])
    assert '"since": {\n  "2.9": [\n   "old"\n  ],\n  "2.11": [\n   "new"' in table


def test_a_function_that_has_gone_is_said_where_the_table_is_made(tmp_path):
    folders = [release(tmp_path, 10, "old", "gone"), release(tmp_path, 11, "old")]
    with pytest.raises(ValueError, match=r"torch 2\.11 has no gone any more"):
        tabulate(folders)


def test_the_table_has_what_the_headers_here_declare(torch):
    release, declared = read_release(torch)
    if release not in surface().releases:
        pytest.skip(f"the table was made before torch {release}")

    assert {name for name, since in surface().since.items() if since <= release} >= set(declared)
    assert {name: since for name, since in declared.items() if since > surface().since[name]} == {}


def test_the_table_has_what_the_library_here_exports(torch):
    library = torch / "lib" / "libtorch_cpu.so"
    if not library.is_file():
        pytest.skip("no libtorch_cpu.so here")
    with library.open("rb") as file:
        symbols = ELFFile(file).get_section_by_name(".dynsym")
        strings = symbols.elffile.get_section(symbols["sh_link"])
        names = set(strings.data().decode().split("\0"))
    exported = {name for name in names if re.match(r"(aoti_|torch_)\w+$", name)}
    release, _ = read_release(torch)

    assert {name for name in exported if surface().since.get(name, (99, 0)) > release} == set()
