"""Triton kernels of expressions compile to machine code for two architectures, without a GPU."""

from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("triton", reason="triton is not installed")

pytestmark = [pytest.mark.torch, pytest.mark.compile]
CASE = Path(__file__).parents[2] / "tests" / "cases" / "gpu"
PROGRAM = """
import importlib, pathlib, sys, types
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

package = types.ModuleType("acme_ops")  # without its __init__: no operators are needed
package.__path__ = ["generated/acme_ops"]
sys.modules["acme_ops"] = package


def kind(name):
    constants = {"BLOCK": 1024, "HAS": True, "WIDTH": 0, "KIND": 1}
    for word, value in constants.items():
        if word in name:
            return "constexpr", value
    if name.endswith("_pointer"):
        return "*fp16", None
    if name.endswith("_column") or (name.endswith("_inner") and "column" not in " ".join(names)):
        return "constexpr", 1
    return ("i64" if name.endswith("_passed") else "i32"), None


for file in sorted(pathlib.Path("generated/acme_ops/_triton_kernels").glob("[a-z]*.py")):
    module = importlib.import_module(f"acme_ops._triton_kernels.{file.stem}")
    kernel = getattr(module, f"{file.stem}_kernel")
    kernel = kernel.fn if hasattr(kernel, "configs") else kernel
    names = kernel.arg_names
    kinds = {name: kind(name) for name in names}
    signature = {name: type_ for name, (type_, _) in kinds.items()}
    constants = {name: value for name, (type_, value) in kinds.items() if type_ == "constexpr"}
    attributes = {
        (place,): [["tt.divisibility", 16]]
        for place, name in enumerate(names)
        if name.endswith(("_pointer", "_outer", "_inner", "outer", "inner", "columns")) and name not in constants
    }
    for capability in (80, 90):
        source = ASTSource(kernel, signature, constants, attributes)
        made = triton.compile(source, target=GPUTarget("cuda", capability, 32))
        print(file.stem, capability, len(made.asm["cubin"]), made.asm["ptx"].count("ld.global.v4.b32"))
"""


def test_kernels_compile_and_read_16_bytes_at_a_time(emulate, tmp_path):
    emulate.with_kernels(CASE, tmp_path, "triton", lambda _: True)
    assert emulate.opgen(tmp_path, "generate").returncode == 0
    done = emulate.run(tmp_path, "-c", PROGRAM)
    assert done.returncode == 0, done.stderr[-3000:]
    rows = [line.split() for line in done.stdout.splitlines()]
    assert {(row[0], row[1]) for row in rows} == {
        (op, capability) for op in emulate.all_names(CASE) for capability in ("80", "90")
    }
    assert all(int(size) > 0 for _, _, size, _ in rows)
    wide = {op: int(count) for op, _, _, count in rows}
    assert wide["silu_and_mul"] > 0
    assert wide["softmax"] > 0
