"""What is emitted for the cases, word for word. ``OPGEN_UPDATE_GOLDEN=1`` writes the folders ``expected`` anew."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.targets.cpp import cpp_files

CASES = Path(__file__).parents[2] / "cases" / "cpp"
SHARED = {
    "support.h",
    "unit.h",
    "cuda.h",
    "abi_stable.h",
    "abi_classic.h",
    *("arguments.h", "checker.h", "messages.h", "sizes.h", "tensors.h"),
    *("activations.h", "arithmetic.h", "powers.h", "trigonometry.h", "wide.h"),
    *("elements.h", "instructions.h", "reductions.h", "space.h", "tile.h", "types.h"),
}  # the same for every library but for its name
CASE_NAMES = sorted(folder.name for folder in CASES.iterdir())


@pytest.fixture
def emit(read_library):
    """Emit a case."""
    return lambda case: list(cpp_files(read_library(CASES / case / "ops.yaml")))


@pytest.mark.parametrize("case", CASE_NAMES)
def test_a_library_is_emitted_as_expected(case, emit):
    expected = CASES / case / "expected"
    found = {file.path: file.content for file in emit(case) if Path(file.path).name not in SHARED}
    if os.environ.get("OPGEN_UPDATE_GOLDEN"):
        shutil.rmtree(expected, ignore_errors=True)
        for path, content in found.items():
            (expected / path).parent.mkdir(parents=True, exist_ok=True)
            (expected / path).write_text(content, encoding="utf-8")
    on_disk = {
        path.relative_to(expected).as_posix(): path.read_text(encoding="utf-8")
        for path in expected.rglob("*")
        if path.is_file()
    }
    assert found == on_disk


def test_only_skeletons_are_written_once(emit):
    assert all(file.once == file.path.startswith("kernels/") for file in emit("contracts"))


def test_no_path_is_emitted_twice(emit):
    paths = [file.path for file in emit("contracts")]
    assert len(set(paths)) == len(paths)


@pytest.mark.parametrize(("key", "kind", "hint"), [("CPU", "cpp", "// Rows<"), ("CUDA", "cuda", "// DeviceRows<")])
@pytest.mark.parametrize(("dims", "is_told"), [("*broadcast(a, b)", True), ("*a", False)])
def test_a_skeleton_says_how_to_read_what_is_broadcast(key, kind, hint, dims, is_told, read_library, tmp_path):  # noqa: PLR0913, PLR0917 - one case
    (tmp_path / "ops.yaml").write_text(
        f"opgen: 1\nnamespace: m\nops:\n  - func: f(Tensor x, Tensor y) -> Tensor\n    dispatch: {{{key}: {kind}}}\n"
        f'    tensors: {{x: "float32 [*a]", y: "float32 [*b]", return: "float32 [{dims}]"}}\n',
        encoding="utf-8",
    )
    (skeleton,) = (file.content for file in cpp_files(read_library(tmp_path / "ops.yaml")) if file.once)
    assert (f"{hint}const T>(x, out.sizes())" in skeleton) is is_told


@pytest.mark.parametrize("case", CASE_NAMES)
def test_emitted_code_is_formatted(case, emit, tmp_path):
    formatter = shutil.which("clang-format", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if formatter is None:
        pytest.skip("clang-format is not installed")
    for file in emit(case):
        path = tmp_path / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.content, encoding="utf-8")
    style = f"--style=file:{Path(__file__).parents[3] / '.clang-format'}"
    paths = sorted(tmp_path.rglob("*.[ch]*"))
    done = subprocess.run(
        [formatter, style, "--dry-run", "-Werror", *paths], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
