"""`opgen audit`: what binaries need, against what wheels claim. The binaries are compiled from a few lines of C."""

import hashlib
import json
import platform
import struct
import subprocess
import sys
import zipfile

import pytest

from opgen.audit.artifact import read_artifact
from opgen.audit.judge import judge, requirement
from opgen.diagnostics import Diagnostic

MACHINE = platform.machine()
LINUX = f"linux_{MACHINE}"
TWICE = "tiny::twice(Tensor x) -> Tensor"
DIGEST = hashlib.sha256(f"{TWICE}\n".encode()).hexdigest()
KERNEL = f'const char kernel[] = "opgen: CPU kernel of {TWICE}";'
SCHEMAS = f'const char schemas[] = "opgen: kernels for schemas {DIGEST}";'
PACKAGE = """\
OPERATORS: tuple[Operator, ...] = (
    Operator("tiny", "twice(Tensor x) -> Tensor", twin=None, tags=(), kernels=({keys})),
)
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="audit reads ELF files")


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """Return a function that compiles C, with calls of functions that are defined nowhere, to a shared library."""
    folder = tmp_path_factory.mktemp("binaries")
    made = {}

    def compile_c(*needs, facts=(), flags=()):
        key = (needs, facts, flags)
        if key not in made:
            source = folder / f"{len(made)}.c"
            calls = "".join(f"  {name}();\n" for name in needs)
            source.write_text(
                "".join(f"void {name}(void);\n" for name in needs)
                + f"void entry(void) {{\n{calls}}}\n"
                + "".join(f"__attribute__((used)) {fact}\n" for fact in facts)
            )
            made[key] = source.with_suffix(".so")
            command = ["gcc", "-shared", "-fPIC", str(source), "-o", str(made[key]), *flags]
            subprocess.run(command, check=True, capture_output=True)
        return made[key]

    return compile_c


def wheel(folder, binary, tag=f"py3-none-{LINUX}", requires="torch>=2.10", package=""):
    path = folder / f"tiny-1.0-{tag}.whl"
    with zipfile.ZipFile(path, "w") as archive:
        asked = f"Requires-Dist: {requires}\n" if requires else ""
        archive.writestr("tiny-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n{asked}")
        if binary:
            archive.write(binary, "tiny_ops/libtiny_ops.so")
        if package:
            archive.writestr("tiny_ops/_schemas.py", package)
    return path


def findings(path):
    return [finding.code.name for finding in judge(read_artifact(path))]


NEEDS = {
    "2.10": ("torch_call_dispatcher", "aoti_torch_copy_"),
    "2.13": ("torch_exception_get_what_without_backtrace", "torch_call_dispatcher"),
    "c++": ("_ZNK2at10TensorBase4sizeEl",),
    "python": ("PyObject_Call",),
    "nothing": (),
    "future": ("aoti_torch_read_minds",),
}

CLAIMS = [
    # What the binary needs, tag and requirement of the wheel; what is wrong.
    (("2.10", f"py3-none-{LINUX}", "torch>=2.10"), []),
    (("2.10", f"py3-none-{LINUX}", "torch>=2.10,<3"), []),
    (("2.10", f"py3-none-{LINUX}", "torch==2.13.*"), []),
    (("2.10", f"py3-none-{LINUX}", "torch>=2.9"), ["torch-claim-too-wide"]),
    (("2.10", f"py3-none-{LINUX}", "torch!=2.10.0"), ["torch-claim-too-wide"]),
    (("2.10", f"py3-none-{LINUX}", "torch"), ["torch-claim-too-wide"]),
    (("2.10", f"py3-none-{LINUX}", "torch>=2.10; extra == 'gpu'"), ["torch-not-required"]),
    (("2.10", f"py3-none-{LINUX}", "torch>=2.10; sys_platform == 'darwin'"), ["torch-not-required"]),
    (("2.10", f"py3-none-{LINUX}", "torch>=2.10; platform_system == 'Linux'"), []),
    (("2.10", f"py3-none-{LINUX}", ""), ["torch-not-required"]),
    (("2.13", f"py3-none-{LINUX}", "torch>=2.13"), []),
    (("2.13", f"py3-none-{LINUX}", "torch>=2.10"), ["torch-claim-too-wide"]),
    (("2.13", f"py3-none-{LINUX}", "torch>=2.12.1,<2.14"), ["torch-claim-too-wide"]),
    (("c++", f"py3-none-{LINUX}", "torch>=2.10"), ["classic-abi-not-pinned"]),
    (("c++", f"py3-none-{LINUX}", "torch==2.13.*"), []),
    (("c++", f"py3-none-{LINUX}", "torch==2.13.1"), []),
    (("python", f"py3-none-{LINUX}", "torch"), ["python-tag-too-wide"]),
    (("python", f"cp311-cp311-{LINUX}", "torch"), []),
    (("2.10", f"cp311-cp311-{LINUX}", "torch>=2.10"), ["python-tag-too-narrow"]),
    (("2.10", "py3-none-any", "torch>=2.10"), ["wrong-platform-tag"]),
    (("2.10", "py3-none-linux_riscv64", "torch>=2.10"), ["wrong-platform-tag"]),
    (("2.10", f"py3-none-manylinux_2_17_{MACHINE}", "torch>=2.10"), []),
    (("2.10", f"py3-none-manylinux2014_{MACHINE}", "torch>=2.10"), []),
    (("2.10", f"py3-none-manylinux_2_2_{MACHINE}", "torch>=2.10"), ["wrong-platform-tag"]),
    (("2.10", f"py3-none-musllinux_1_2_{MACHINE}", "torch>=2.10"), ["wrong-platform-tag"]),
    (("nothing", f"py3-none-{LINUX}", ""), []),
    (("future", f"py3-none-{LINUX}", "torch>=2.10"), ["unknown-torch-function"]),
]


@pytest.mark.parametrize(("claim", "wrong"), CLAIMS)
def test_a_claim_is_compared_with_what_the_binary_needs(compiled, tmp_path, claim, wrong):
    needs, tag, requires = claim
    # gettimeofday is of the oldest glibc of each machine: 2.2.5, 2.17 on arm.
    assert findings(wheel(tmp_path, compiled("gettimeofday", *NEEDS[needs]), tag, requires)) == wrong


def test_a_binary_for_one_release_has_to_be_pinned_to_that(compiled, tmp_path):
    binary = compiled(*NEEDS["c++"], facts=('const char built[] = "opgen: built with torch 2.13;";',))

    assert findings(wheel(tmp_path, binary, requires="torch==2.13.*")) == []
    assert findings(wheel(tmp_path, binary, requires="torch==2.12.*")) == ["classic-abi-not-pinned"]
    assert requirement(read_artifact(binary)) == "torch==2.13.*"


HASHES = [
    # facts of the binary, keys in the package, what is wrong
    ((KERNEL, SCHEMAS), '"CPU",', []),
    ((KERNEL, SCHEMAS), "", ["binary-of-other-schemas"]),
    ((KERNEL, SCHEMAS), '"CPU", "CUDA"', ["kernel-not-in-binary"]),
    ((SCHEMAS,), '"CPU",', ["kernel-not-in-binary"]),
    ((KERNEL, SCHEMAS), None, []),
    ((KERNEL.replace("twice", "thrice"), SCHEMAS), None, ["binary-of-other-schemas"]),
    ((KERNEL, SCHEMAS.replace(DIGEST, "0" * 64)), '"CPU",', ["binary-of-other-schemas"]),
]


@pytest.mark.parametrize(("facts", "keys", "wrong"), HASHES)
def test_the_schemas_of_package_and_binary_are_the_same(compiled, tmp_path, facts, keys, wrong):
    binary = compiled(*NEEDS["2.10"], facts=facts)
    package = "" if keys is None else PACKAGE.format(keys=keys)

    assert findings(wheel(tmp_path, binary, package=package)) == wrong


@pytest.mark.parametrize(
    ("flags", "wrong"),
    [(("-Wl,-rpath,/opt/torch/lib",), ["absolute-rpath"]), (("-Wl,-rpath,$ORIGIN/../torch/lib",), [])],
)
def test_a_folder_of_the_builder_is_no_place_to_look_in(compiled, flags, wrong):
    assert findings(compiled(*NEEDS["2.10"], flags=flags)) == wrong


def test_packed_relocations_need_a_glibc_that_knows_them(compiled, tmp_path):
    binary = compiled(
        "gettimeofday", facts=("static int here, *there = &here;",), flags=("-Wl,-z,pack-relative-relocs",)
    )
    if b"GLIBC_ABI_DT_RELR" not in binary.read_bytes():
        pytest.skip("the linker can't pack relocations")

    assert findings(wheel(tmp_path, binary, f"py3-none-manylinux_2_35_{MACHINE}", "")) == ["wrong-platform-tag"]
    assert findings(wheel(tmp_path, binary, f"py3-none-manylinux_2_36_{MACHINE}", "")) == []


def audit(*arguments):
    command = [sys.executable, "-m", "opgen", "audit", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_false_claim_is_explained_and_exits_with_1(compiled, tmp_path):
    run = audit(wheel(tmp_path, compiled(*NEEDS["2.13"]), requires="torch>=2.10"))

    assert run.returncode == 1
    assert "torch>=2.10, but 'tiny_ops/libtiny_ops.so' needs torch_exception_get_what" in run.stdout
    assert "expected 'torch>=2.13'" in run.stdout


def test_json_says_the_same(compiled, tmp_path):
    binary = compiled(*NEEDS["2.10"], facts=(KERNEL, SCHEMAS))
    run = audit(wheel(tmp_path, binary, requires="torch>=2.9", package=PACKAGE.format(keys='"CPU",')), "--format=json")

    record = json.loads(run.stdout)
    assert run.returncode == 1
    assert record["requirement"] == "torch>=2.10"
    assert record["claims"] == {"tags": [f"py3-none-{LINUX}"], "torch": ">=2.9"}
    assert record["kernels"] == [{"op": "tiny::twice", "key": "CPU", "schema": TWICE}]
    assert record["defined"] == [TWICE]
    assert [finding["code"] for finding in record["findings"]] == ["OPG862"]
    assert record["binaries"][0]["torch_functions"] == {"aoti_torch_copy_": "2.9", "torch_call_dispatcher": "2.10"}


@pytest.mark.parametrize("content", [b"", b"\x7fELF", b"\x7fELF\x02\x01\x01" + b"\0" * 60, b"PK\3\4"])
@pytest.mark.parametrize("name", ["lib.so", "tiny-1.0-py3-none-any.whl", "nameless.whl"])
def test_what_is_no_library_is_refused_in_words(tmp_path, content, name):
    (tmp_path / name).write_bytes(content)

    refused = read_artifact(tmp_path / name)

    assert isinstance(refused, Diagnostic)
    assert refused.code.name == "not-auditable"


def test_a_library_whose_sections_lead_nowhere_is_refused_in_words(compiled, tmp_path):
    data = bytearray(compiled().read_bytes())
    (table,), (count,) = struct.unpack_from("<Q", data, 0x28), struct.unpack_from("<H", data, 0x3C)  # e_shoff, e_shnum
    for section in range(count):
        struct.pack_into("<Q", data, table + 64 * section + 0x18, 2**64 - 1)  # sh_offset
    (tmp_path / "damaged.so").write_bytes(data)

    assert isinstance(read_artifact(tmp_path / "damaged.so"), Diagnostic)


@pytest.mark.parametrize("table", ["(Operator(NAME, 1),)", "(Operator('a', 'b(Tensor x) -> Tensor'),)", "garbage ("])
def test_a_table_of_another_library_is_no_declaration(compiled, tmp_path, table):
    package = f"OPERATORS: tuple[Operator, ...] = {table}\n"

    assert findings(wheel(tmp_path, compiled(*NEEDS["2.10"]), package=package)) == []


def test_a_wheel_with_a_broken_library_is_refused_in_words(tmp_path):
    broken = tmp_path / "broken.so"
    broken.write_bytes(b"\x7fELF")

    run = audit(wheel(tmp_path, broken))

    assert run.returncode == 2
    assert "'tiny_ops/libtiny_ops.so' in it is no shared library" in run.stdout
