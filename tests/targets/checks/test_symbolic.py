"""Fakes on symbolic sizes: no graph per size, and no question that an unknown size could not answer."""

from __future__ import annotations

import pytest

from opgen.model.build import build_library
from opgen.spec.load import load_library

torch = pytest.importorskip("torch")
pytestmark = [pytest.mark.torch]

LIBRARY = """
opgen: 1
namespace: opgen_symbolic
ops:
  - func: keep(Tensor boxes, float threshold) -> (Tensor, Tensor)
    tensors: {boxes: "float32 [n, 4]", return.0: "int64 [?kept<=n]", return.1: "float32 [?kept, 4]"}
  - func: quantise(Tensor x, Tensor y, SymInt block) -> (Tensor, Tensor)
    tensors: {x: "float32 [rows, 2*n]", y: "float32 [rows, n]", return.0: "int8 [rows, n]", return.1: "float32 [rows, ceil(n/block)]"}
    checks: [0 < block <= 64, "n % 2 == 0 or n > 1"]
  - func: shapes(Tensor x, Tensor y) -> Tensor
    tensors: {x: "float32 [*batch, 4]", y: "float32 [*batch]", return: "float32 [max(prod(batch), 2)]"}
"""


def _quantise(_x, y, block):
    return y.to(torch.int8), y.new_empty(y.size(0), -(-y.size(1) // block))


@pytest.fixture(scope="module")
def ops(tmp_path_factory, fake_of):
    path = tmp_path_factory.mktemp("symbolic") / "ops.yaml"
    path.write_text(LIBRARY)
    built = build_library(load_library(path).library)
    assert not built.diagnostics
    library = torch.library.Library("opgen_symbolic", "DEF")
    for op in built.library.ops:
        library.define(op.spec.func.value)
        torch.library.register_fake(op.qualified_name, fake_of(op), lib=library)
    library.impl("quantise", _quantise, "CPU")
    yield torch.ops.opgen_symbolic
    library._destroy()


@pytest.fixture
def fake_mode():
    shape_env = pytest.importorskip("torch.fx.experimental.symbolic_shapes").ShapeEnv()
    with pytest.importorskip("torch._subclasses.fake_tensor").FakeTensorMode(shape_env=shape_env) as mode:
        yield mode


def test_a_size_that_depends_on_data_is_one_unknown_in_all_outputs(ops, fake_mode):
    del fake_mode
    kept, boxes = ops.keep(torch.empty(7, 4), 0.5)
    assert str(kept.size(0)) == str(boxes.size(0)) == "u0"
    assert torch.fx.experimental.symbolic_shapes.statically_known_true(kept.size(0) <= 7)


def test_unknown_sizes_pass_through_checks_and_into_outputs(ops, fake_mode):
    del fake_mode
    _, boxes = ops.keep(torch.empty(7, 4), 0.5)
    rows = boxes.size(0)
    quantised, scales = ops.quantise(torch.empty(rows, 2 * rows), torch.empty(rows, rows), 32)
    assert str(quantised.size(1)) == "u0"
    assert "u0" in str(scales.size(1))
    assert "u0" in str(ops.shapes(boxes, torch.empty(rows)).size(0))


def test_sizes_are_shared_by_graphs(ops):
    graphs = []

    def backend(graph, _inputs):
        graphs.append(graph)
        return graph

    torch._dynamo.reset()
    function = torch.compile(ops.quantise, backend=backend, fullgraph=True, dynamic=True)
    for rows, n, block in ((3, 6, 4), (5, 8, 3), (7, 20, 5)):
        quantised, scales = function(torch.zeros(rows, 2 * n), torch.zeros(rows, n), block)
        assert quantised.shape == (rows, n)
        assert scales.shape == (rows, -(-n // block))
    assert len(graphs) <= 2
    with pytest.raises(RuntimeError, match=r"quantise: argument 'block': expected 0 < block <= 64, got block = 65"):
        ops.quantise(torch.zeros(3, 4, device="meta"), torch.zeros(3, 2, device="meta"), 65)
