"""`opgen export --to executorch`: what PyTorch's and ExecuTorch's own parsers make of it."""

import json
import re

import pytest

OPS = """\
opgen: 1
namespace: edge
defaults: {autograd: none}
ops:
  - func: scale(Tensor x, float factor=2.0) -> Tensor
    tensors: {x: "float [n]", return: "x.dtype [n]"}
  - func: split(Tensor x) -> (Tensor low, Tensor high)
    autogen: [split.out]
    tensors: {x: "float [n]", low: "x.dtype [n]", high: "x.dtype [n]"}
  - func: sum.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)
    tensors: {x: "float [n]", out: "x.dtype []"}
  - func: gate(Tensor! out, Tensor x) -> ()
    overwrites: [out]
    tensors: {x: "float [2*n]", out: "x.dtype [n]"}
  - func: clip_(Tensor(a!) x, float high) -> Tensor(a!)
  - func: store(Tensor(a!) cache, Tensor x) -> ()
  - func: count(str double) -> int
"""
WRITTEN = [
    "edge::gate.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
    "edge::scale.out(Tensor x, float factor=2.0, *, Tensor(a!) out) -> Tensor(a!)",
    "edge::split.out(Tensor x, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!), Tensor(b!))",
    "edge::sum.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
]


@pytest.fixture
def exported(run, tmp_path):
    (tmp_path / "ops.yaml").write_text(OPS, encoding="utf-8")
    done = run("export", "--to", "executorch", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def entries(text):
    return [json.loads(quoted) for quoted in re.findall(r"^- func: (.*)$", text, re.MULTILINE)]


def test_every_op_is_written_with_its_out_variant_or_left_out_with_the_reason(exported):
    assert entries(exported.stdout) == WRITTEN
    assert "kernel_name: edge::split_out\n" in exported.stdout
    left_out = re.findall(r"^\d+ \|   - func: (\w+)\(", exported.stderr, re.MULTILINE)
    assert sorted(left_out) == ["clip_", "count", "store"]
    assert exported.stderr.count("it has no out variant") == 3


def test_the_parser_of_pytorch_takes_each_for_an_out_variant(exported):
    model = pytest.importorskip("torchgen.model")

    for text in entries(exported.stdout):
        assert model.FunctionSchema.parse(text.partition("::")[2]).kind() is model.SchemaKind.out


def test_the_parser_of_executorch_takes_the_file(exported, tmp_path):
    gen = pytest.importorskip("executorch.codegen.gen")
    tags = tmp_path / "tags.yaml"
    tags.write_text("[]\n", encoding="utf-8")
    file = tmp_path / "custom_ops.yaml"
    file.write_text(exported.stdout, encoding="utf-8")

    functions, index = gen.parse_yaml(str(file), str(tags), lambda _: True, skip_native_fns_gen=True)

    assert sorted(f"{function.namespace}::{function.func}" for function in functions) == WRITTEN
    kernels = {str(name): [each.kernel for each in keys.values()] for name, keys in index.index.items()}
    assert kernels["scale.out"] == ["scale_out"]
