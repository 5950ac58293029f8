"""What torch.compile records of an op with a Triton kernel: the kernel, not an opaque call."""

import pytest

pytest.importorskip("torch")
pytest.importorskip("triton", reason="triton is not installed")

pytestmark = [pytest.mark.torch, pytest.mark.compile]
# Fake tensors on CUDA need no GPU.
PROGRAM = """
import re, sys
sys.path.insert(0, "generated")
import torch, acme_ops
from torch._functorch.aot_autograd import aot_export_joint_simple
from torch._subclasses.fake_tensor import FakeTensorMode
from torch._dynamo.source import ConstantSource
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext

env = ShapeEnv()
dynamic = StatelessSymbolicContext(dynamic_sizes=[DimDynamic.DYNAMIC] * 2)
with FakeTensorMode(shape_env=env):
    sizes, strides, _ = env.create_symbolic_sizes_strides_storage_offset(
        torch.empty(4, 600), ConstantSource("x"), symbolic_context=dynamic
    )
    x = torch.empty_strided(sizes, strides, device=sys.argv[1], dtype=torch.float16)
    graph = aot_export_joint_simple(lambda x: (torch.ops.acme.softmax(x * 2),), [x], trace_joint=False)
print(graph.code)
print("guards:", *sorted(re.sub(r"s\\d+", "n", str(guard.expr)) for guard in env.guards), sep="\\n")
"""
DECLARATION = """
opgen: 1
namespace: acme
package: acme_ops
defaults: {autograd: none}
ops:
  - func: softmax(Tensor x) -> Tensor
    tensors: {x: "float [*batch, n]", return: "x.dtype [*batch, n]"}
    checks: ["n > 0"]
    reduce: {m: "max(x, n)", s: "sum(exp(x - m), n)"}
    pointwise: exp(x - m) / s
    dispatch: {CUDA: triton}
"""


@pytest.mark.parametrize(
    ("device", "seen"),
    [("cuda", "higher_order.triton_kernel_wrapper_functional"), ("cpu", "ops.acme.softmax.default")],
)
def test_a_trace_holds_the_kernel_where_triton_serves_the_device(emulate, tmp_path, device, seen):
    (tmp_path / "ops.yaml").write_text(DECLARATION)
    assert emulate.opgen(tmp_path, "generate").returncode == 0
    done = emulate.run(tmp_path, "-c", PROGRAM, device)
    assert seen in done.stdout, done.stderr[-2000:]
    assert ("triton" in done.stdout) == (device == "cuda")
    # The block is the power of two above 600: a graph serves all rows that have it.
    guards = done.stdout.partition("guards:\n")[2].splitlines()
    assert guards == (["n <= 1024", "n > 128", "n > 256", "n > 512", "n > 64"] if device == "cuda" else [])
