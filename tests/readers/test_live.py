"""Registrations of a live process."""

import sys

import pytest

from opgen.readers.live import read_live
from opgen.schema.parser import check_schema

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

MODULE = """
import torch
print("a module may print")
LIB = torch.library.Library("live_a", "DEF")
for schema in [
    "f(Tensor(a!) x, int[2] k=[1,2], SymInt[]? n=None, float e=0.12345678912, *, Tensor(c!)? out=None, str s='a\\"b', Device d='cuda') -> Tensor(a!)",
    "alias(Tensor(a|b!) y, Tensor(c! -> d|*) z) -> (Tensor(a) first, int)",
    "lists(Tensor(a!)?[] y, Tensor?[] z, Scalar q=3, bool b=True) -> Tensor[]",
    "f.none(Tensor x) -> ()",
    "bare(Tensor! x, Tensor(a!)[] y, ScalarType t=float32, Layout? l=strided, MemoryFormat m=contiguous_format) -> ()",
    "bare_twice(Tensor! x, Tensor! y, ScalarType? t=bool) -> ()",
]:
    LIB.define(schema, tags=torch.Tag.pointwise)
LIB.impl("f.none", lambda x: None, "CPU")
torch.library.register_fake("live_a::f.none", lambda x: None)

from torch._library.effects import EffectType
from torch._subclasses.functional_tensor import FunctionalTensorMode

torch.library._register_effectful_op("live_a::f.none", EffectType.ORDERED)
torch.library.register_torch_dispatch("live_a::bare_twice", FunctionalTensorMode, lambda *_: None)
torch.library.register_torch_dispatch("live_a::bare", torch.utils._python_dispatch.TorchDispatchMode, lambda *_: None)

@torch.library.custom_op("live_b::g", mutates_args=())
def g(x: torch.Tensor) -> torch.Tensor:
    return x.clone()

g.register_autograd(lambda ctx, grad: grad)
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("live")
    (folder / "live_module.py").write_text(MODULE, encoding="utf-8")
    (folder / "breaks.py").write_text("raise ValueError('on purpose\\nand more')", encoding="utf-8")
    (folder / "leaves.py").write_text("import sys; sys.exit(3)", encoding="utf-8")
    return read_live(["live_module", "breaks", "leaves", "is_absent"], python=sys.executable, directory=folder)


def test_schemas_have_real_types_sets_and_exact_defaults(found):
    schemas = {one.schema.value for one in found.definitions}
    assert (
        schemas
        == {
            'f(Tensor(a!) x, int[2] k=[1, 2], SymInt[]? n=None, float e=0.12345678912, *, Tensor(c!)? out=None, str s="a\\"b", Device d="cuda") -> Tensor(a!)',
            "alias(Tensor(a|b!) y, Tensor(c! -> d|*) z) -> (Tensor(a) first, int)",
            "lists(Tensor(a!)?[] y, Tensor?[] z, Scalar q=3, bool b=True) -> Tensor[]",
            "f.none(Tensor x) -> ()",
            "bare(Tensor! x, Tensor(a!)[] y, ScalarType t=6, Layout? l=0, MemoryFormat m=0) -> ()",  # no set of elements is known
            "bare_twice(Tensor! x, Tensor! y, ScalarType? t=bool) -> ()",
            "g(Tensor x) -> Tensor",
        }
    )
    for one in found.definitions:
        assert check_schema(one.schema)[0] is not None, one.schema.value


def test_a_definition_is_a_source_of_its_own(found):
    one = next(one for one in found.definitions if one.schema.value.startswith("f.none"))
    assert (one.namespace, one.language, one.location.source.path) == ("live_a", "live", "<live live_a::f.none>")
    assert [tag.value for tag in one.tags] == ["pointwise"]
    assert found.sources["<live live_a::f.none>"].text == "f.none(Tensor x) -> ()"


def test_kernels_fakes_and_formulas_are_found(found):
    known = {(one.op.value, one.role, one.keys) for one in found.implementations}
    assert {
        ("live_a::f.none", "kernel", ("CPU",)),
        ("live_a::f.none", "fake", ()),
        ("live_a::f.none", "effect", ()),
        ("live_a::bare_twice", "torch_dispatch", ()),
        ("live_b::g", "autograd", ()),
    } <= known
    assert ("live_a::f.none", "kernel", ("Meta",)) not in known
    assert not {("live_a::f", "fake", ()), ("live_a::f", "effect", ()), ("live_a::bare", "torch_dispatch", ())} & known


def test_a_module_that_cannot_be_imported_is_a_result(found):
    assert [one.reason for one in found.failures] == [
        "'breaks' can't be imported: ValueError: on purpose",
        "'leaves' can't be imported: SystemExit: 3",
        "'is_absent' can't be imported: ModuleNotFoundError: No module named 'is_absent'",
    ]


def test_a_module_that_registers_nothing_is_a_result(tmp_path):
    (tmp_path / "first.py").write_text("import torch, second", encoding="utf-8")
    (tmp_path / "second.py").write_text(
        "import torch\nLIB = torch.library.Library('live_c', 'DEF')\nLIB.define('f(Tensor x) -> Tensor')",
        encoding="utf-8",
    )
    (tmp_path / "empty.py").write_text("", encoding="utf-8")
    found = read_live(["first", "second", "empty", "json", "torch.nn"], directory=tmp_path)
    assert [place.source.text for place in found.silent] == ["empty", "json", "torch.nn"]
    assert [one.schema.value for one in found.definitions] == ["f(Tensor x) -> Tensor"]


def test_torch_stands_for_what_pytorch_registers():
    found = read_live(["torch"])
    assert {one.namespace for one in found.definitions} >= {"aten", "prims", "quantized"}
    assert len(found.definitions) > 3000
    assert not found.silent


def test_operators_of_a_namespace_can_be_asked_for():
    found = read_live([], namespaces=["quantized"])
    assert len(found.definitions) > 20
    assert {one.namespace for one in found.definitions} == {"quantized"}


def test_a_python_that_is_absent_or_dies_is_a_result(tmp_path):
    assert "can't be run" in read_live(["x"], python=str(tmp_path / "no-python")).failures[0].reason
    (tmp_path / "crash.py").write_text("import os; os.kill(os.getpid(), 9)", encoding="utf-8")
    assert "SIGKILL" in read_live(["crash"], directory=tmp_path).failures[0].reason
