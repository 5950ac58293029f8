"""Families, built: every form gives what the declared one gives, whatever memory it is given, eager and compiled."""

import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.build.toolchain import Toolchain, find_toolchain

torch = pytest.importorskip("torch")
pytestmark = [
    pytest.mark.compile,
    pytest.mark.usefixtures("unoptimised"),
    pytest.mark.torch,
    pytest.mark.skipif(
        not isinstance(find_toolchain(None, (2, 10)), Toolchain), reason="no C++ compiler, ninja or torch to build with"
    ),
]

CASE = Path(__file__).parents[1] / "cases" / "cpp" / "families"


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """The folder of the library, and what the build says."""
    folder = tmp_path_factory.mktemp("families") / "library"
    shutil.copytree(CASE, folder)
    command = [sys.executable, "-m", "opgen", "build"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder, done.stdout


@pytest.fixture(scope="module")
def kin(build):
    """The package."""
    sys.path.insert(0, str(build[0] / "generated"))
    try:
        yield importlib.import_module("kin_ops")
    finally:
        sys.path.remove(str(build[0] / "generated"))


def ramp(*shape):
    return torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape)


W = ramp(4)
X = ramp(3, 4)


def norm(x=X, weight=W):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * weight


# --- one kernel, one unit, one function -------------------------------------------------------------------------------
def test_a_family_has_one_kernel_and_one_unit(build):
    folder, table = build
    names = ["ends_of", "gate", "mean_of", "norm", "scale_out"]
    assert sorted(path.stem for path in (folder / "kernels/cpu").glob("*.cpp")) == names
    assert sorted(path.stem for path in (folder / "generated/csrc/units/cpu").glob("*.cpp")) == names
    assert re.search(r"^kin::norm_ +in-place +compiled, tested +\(from kin::norm\)$", table, re.MULTILINE)
    assert "13 ops, 5 kernels: 13 compiled, tested" in table


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "format", "--diff", *(f"generated/kin_ops/{name}" for name in ("ops.py", "ops.pyi", "_fakes.py"))),
        ("ruff", "check", "--isolated", "--select", "E4,E7,E9,F,I,UP", "generated"),
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_its_python_is_as_formatters_want_it(build, command):
    tool = shutil.which(command[0], path=str(Path(sys.executable).parent))
    if tool is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run([tool, *command[1:]], cwd=build[0], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_strict_type_checker_finds_nothing(build, type_check):
    assert type_check("-p", "kin_ops", folder=build[0] / "generated") == []


def test_the_stub_types_one_out_and_several(build):
    stub = (build[0] / "generated/kin_ops/ops.pyi").read_text(encoding="utf-8")
    assert "def norm(x: Tensor, weight: Tensor, eps: float = 1e-06, *, out: Tensor | None = None) -> Tensor:" in stub
    assert "out: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:" in stub
    assert "The in-place form of `kin::norm`: `x` becomes the result." in stub


def test_out_is_tagged_on_request_so_that_pytorch_finds_the_pair(build, tmp_path):
    project = tmp_path / "tagged"
    shutil.copytree(build[0], project)
    ask = (
        "import sys; sys.path.insert(0, 'generated'); import torch, kin_ops\n"
        "from torch._library._out_variant import to_out_variant as find\n"
        "ops = torch.ops.kin\n"
        "print([str(find(op)) for op in (ops.norm.default, ops.ends.of, ops.gate.functional, ops.scale.default)])\n"
        "x = torch.ones(2, 4)\n"
        "run = torch.compile(lambda x: kin_ops.norm(x, x[0], 1e-6), backend='aot_eager')\n"
        "assert torch.equal(run(x), kin_ops.norm(x, x[0], 1e-6))\n"
    )
    found = []
    for tag_out in ("false", "true"):
        text = (CASE / "ops.yaml").read_text(encoding="utf-8")
        (project / "ops.yaml").write_text(text.replace("opgen: 1\n", f"opgen: 1\ntag_out: {tag_out}\n"), "utf-8")
        for command in ([sys.executable, "-m", "opgen", "generate"], [sys.executable, "-c", ask]):
            done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
        found.append(done.stdout.splitlines()[-1])
    if not hasattr(torch.Tag, "out"):
        pytest.skip("this torch has no Tag.out")
    assert found == [
        "['None', 'None', 'None', 'None']",
        "['kin.norm.out', 'kin.ends.of_out', 'kin.gate.out', 'kin.scale.out']",
    ]


def test_a_functional_op_and_its_out_form_are_one_function(kin):
    assert kin.__all__ == ["ends_of", "gate", "gate_functional", "mean_of", "norm", "norm_", "scale", "scale_"]
    out = torch.empty(3, 4)
    assert kin.norm(X, W, out=out) is out
    torch.testing.assert_close(out, norm())
    torch.testing.assert_close(kin.norm(X, W), norm())
    pair = torch.empty(2), torch.empty(2)
    first, last = kin.ends_of(ramp(5), count=2, out=pair)
    assert (first, last) == pair or (first is pair[0] and last is pair[1])
    assert (first.tolist(), last.tolist()) == ([1, 2], [4, 5])
    with pytest.raises(ValueError, match="unpack"):
        kin.ends_of(ramp(5), out=torch.empty(3, 1))


# --- memory -----------------------------------------------------------------------------------------------------------
OUTS = {
    "contiguous": lambda: torch.empty(3, 4),
    "transposed": lambda: torch.empty(4, 3).t(),
    "gaps": lambda: torch.empty(6, 8)[::2, ::2],
    "columns": lambda: torch.empty(3, 9)[:, 2:6],
}


@pytest.mark.parametrize("layout", OUTS)
def test_an_out_may_have_any_strides_and_keeps_them(kin, layout):
    out = OUTS[layout]()
    strides = out.stride()
    assert kin.norm(X, W, out=out) is out
    torch.testing.assert_close(out, norm())
    assert (out.stride(), out._version) == (strides, 1)


def test_elements_beside_an_out_keep_their_values(kin):
    whole = torch.zeros(3, 9)
    kin.norm(X, W, out=whole[:, 2:6])
    assert whole[:, :2].eq(0).all()
    assert whole[:, 6:].eq(0).all()


def test_an_out_may_be_an_input(kin):
    x, w = X.clone(), X[0].clone()
    kin.norm(x, W, out=x)
    torch.testing.assert_close(x, norm())
    kin.norm(X[0], w, out=w)
    torch.testing.assert_close(w, norm(X[0], X[0]))
    xs = [ramp(4), 10 * ramp(4)]
    kin.mean_of(xs, out=xs[1])
    torch.testing.assert_close(xs[1], 5.5 * ramp(4))


def test_slices_of_one_buffer_are_told_apart(kin):
    whole = torch.cat([X, torch.zeros(3, 4)], dim=1)
    kin.norm(whole[:, :4], W, out=whole[:, 4:])
    torch.testing.assert_close(whole[:, 4:], norm())
    assert torch.equal(whole[:, :4], X)


def test_interleaved_slices_are_read_before_they_are_written(kin):
    whole = torch.zeros(3, 8)
    whole[:, ::2] = X
    kin.norm(whole[:, ::2], W, out=whole[:, 1::2])
    torch.testing.assert_close(whole[:, 1::2], norm())


def test_an_elementwise_kernel_may_write_what_it_reads_but_not_what_it_will_read(kin):
    x = X.clone()
    kin.scale(x, 3.0, out=x)
    assert torch.equal(x, 3 * X)
    whole = ramp(4, 8)
    x, out = whole[:, ::2], whole.view(-1)[1:17].view(4, 4)
    expected = 3 * x
    kin.scale(x, 3.0, out=out)
    assert torch.equal(out, expected)


@pytest.mark.parametrize("call", ["partial", "repeated", "two outs", "in place and weight"])
def test_what_aten_refuses_is_refused(kin, call):
    whole, pair = ramp(6, 4), torch.empty(1)
    calls = {
        "partial": lambda: kin.norm(whole[:3], W, out=whole[1:4]),
        "repeated": lambda: kin.norm(X, W, out=torch.empty(1, 4).expand(3, 4)),
        "two outs": lambda: kin.ends_of(ramp(5), out=(pair, pair)),
        "in place and weight": lambda: kin.norm_(whole, whole[0]),
    }
    with pytest.raises(RuntimeError, match="single memory location"):
        calls[call]()


@pytest.mark.parametrize(
    ("out", "words"),
    [
        (torch.empty(3, 5), "argument 'out': expected size 4 at dim -1"),
        (torch.empty(2, 4), "argument 'out': expected sizes [3]"),
        (torch.empty(0), "argument 'out': expected size 4 at dim -1"),
        (torch.empty(3, 4, dtype=torch.float64), "argument 'out': expected x.dtype (float32), got float64"),
        (torch.empty(3, 4, device="meta"), "meta"),
    ],
)
def test_an_out_that_does_not_fit_is_refused(kin, out, words):
    with pytest.raises((RuntimeError, NotImplementedError), match=re.escape(words)):
        kin.norm(X, W, out=out)


LAYOUTS = {
    "contiguous": X.clone,
    "transposed": lambda: X.t().contiguous().t(),
    "gaps": lambda: torch.stack([X, X], -1)[..., 0],
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_in_place_form_returns_its_argument_and_counts_one_write(kin, layout):
    x = LAYOUTS[layout]()
    assert kin.norm_(x, W) is x
    torch.testing.assert_close(x, norm())
    y = LAYOUTS[layout]()
    assert kin.scale_(y, 3.0) is y
    assert torch.equal(y, 3 * X)
    assert x._version == y._version == 1


def test_scratch_is_made_for_the_call(kin):
    x = ramp(2, 6)
    expected = x[:, :3] * x[:, 3:]
    assert torch.equal(kin.gate_functional(x), expected)
    out = torch.empty(2, 3)
    assert kin.gate_functional(x, out=out) is out
    assert torch.equal(out, expected)
    assert kin.gate(out, x, torch.empty(3)) is None
    assert torch.equal(out, expected)


# --- autograd ---------------------------------------------------------------------------------------------------------
def test_a_form_that_writes_refuses_gradients_as_aten_does(kin):
    leaf = X.clone().requires_grad_()
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        kin.norm_(leaf, W)
    with pytest.raises(RuntimeError, match="a view of a leaf Variable"):
        kin.norm_(leaf.view(3, 4), W)
    with pytest.raises(RuntimeError, match="derivative for kin::norm_ is not implemented"):
        kin.norm_(leaf * 1, W)
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        kin.norm(leaf, W, out=torch.empty(3, 4))
    with torch.no_grad():
        kin.norm_(leaf, W)
    torch.testing.assert_close(leaf.detach(), norm())


# --- traced -----------------------------------------------------------------------------------------------------------
def everything(kin, x, w):
    out = torch.empty_like(x)
    y = kin.norm(x, w, out=out)
    z = x.clone()
    kin.scale_(z, 2.0)
    kin.norm_(z, w)
    first, last = kin.ends_of(x[0], count=2)
    into = torch.empty(3, dtype=x.dtype)
    kin.gate_functional(x[0].repeat(2)[1:7], out=into)
    return out, y, kin.scale(x), z, first, last, into


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_compiled_code_gives_what_eager_code_gives(kin, backend, dynamic, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_FORCE_DISABLE_CACHES", "1")
    torch.compiler.reset()
    compiled = torch.compile(lambda x, w: everything(kin, x, w), backend=backend, dynamic=dynamic, fullgraph=True)
    for rows in (3, 5):
        x = ramp(rows, 4)
        for found, expected in zip(compiled(x, W), everything(kin, x, W), strict=True):
            torch.testing.assert_close(found, expected)


def test_a_call_that_dynamo_leaves_to_eager_code_is_right_too(kin):
    out = torch.empty(4, 3).t()  # Dynamo takes no `out=` with gaps or of other strides, of ATen's operators neither
    torch.compile(lambda x: kin.norm(x, W, out=out), backend="aot_eager")(X)
    torch.testing.assert_close(out, norm())


def test_an_exported_program_gives_what_eager_code_gives(kin):
    class Module(torch.nn.Module):
        def forward(self, x, w):
            return everything(kin, x, w)

    exported = torch.export.export(Module(), (X, W)).run_decompositions({})
    for found, expected in zip(exported.module()(X, W), everything(kin, X, W), strict=True):
        torch.testing.assert_close(found, expected)


@pytest.mark.usefixtures("kin")
def test_opcheck_passes():
    ops = torch.ops.kin
    for op, args, kwargs in (
        (ops.norm.default, (X, W), {}),
        (ops.norm.out, (X, W), {"out": torch.empty(4, 3).t()}),
        (ops.norm_.default, (X.clone(), W), {}),
        (ops.scale_.default, (X.clone(),), {}),
        (ops.gate.out, (X,), {"out": torch.empty(3, 2)}),
        (ops.gate.functional, (X,), {}),
        (ops.ends.of_out, (W,), {"first": torch.empty(1), "last": torch.empty(1)}),
    ):
        torch.library.opcheck(op, args, kwargs)
