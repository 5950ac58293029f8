"""Autocast, vmap and what else `torch.library` registers, of a library whose kernels are in Python: as ATen's ops have it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytestmark = [pytest.mark.torch]

CASE = Path(__file__).parents[1] / "cases" / "torch_library"
LOWER = torch.bfloat16


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The folder of the library, built."""
    folder = tmp_path_factory.mktemp("torch_library") / "library"
    shutil.copytree(CASE, folder)
    done = subprocess.run(
        [sys.executable, "-m", "opgen", "build"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def ops(library):
    """The package; the module of its author's is found, too."""
    paths = [str(library / "generated"), str(library)]
    sys.path[:0] = paths
    sys.modules.pop("references", None)
    try:
        import layers_ops  # noqa: PLC0415 - it has just been made

        yield layers_ops
    finally:
        sys.modules.pop("references", None)
        for path in paths:
            sys.path.remove(path)


@pytest.fixture
def autocast():
    """Autocast of this machine's processor, as in a user's program."""
    with torch.autocast("cpu", dtype=LOWER):
        yield


@pytest.fixture
def calls(ops):  # noqa: ARG001 - it makes the operators
    """How often each operator was called below the transforms of `torch.func`."""
    from torch.utils._python_dispatch import TorchDispatchMode  # noqa: PLC0415 - a name of PyTorch's

    class Counting(TorchDispatchMode):
        def __init__(self):
            super().__init__()
            self.names = []

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            self.names.append(func.name().partition("::")[2])
            return func(*args, **(kwargs or {}))

    with Counting() as mode:
        yield mode.names


# --- autocast ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("first", [torch.float32, LOWER, torch.float16])
@pytest.mark.parametrize("second", [torch.float32, LOWER, torch.float16])
@pytest.mark.usefixtures("autocast")
def test_promote_gives_the_dtype_or_error_that_aten_gives(ops, first, second):
    x, y = torch.randn(3, dtype=first), torch.randn(3, dtype=second)

    def outcome(call):
        try:
            return call().dtype
        except RuntimeError as error:
            return str(error)[:58]

    assert outcome(lambda: ops.promoted(x, y)) == outcome(lambda: torch.cat([x, y]))  # which ATen promotes


@pytest.mark.usefixtures("autocast")
def test_double_precision_is_left_alone_and_has_to_fit_its_neighbours(ops):
    double = torch.randn(3, dtype=torch.float64)
    assert ops.promoted(double, double).dtype is torch.float64
    with pytest.raises(RuntimeError, match="argument 'y'"):
        ops.promoted(double, torch.randn(3))


@pytest.mark.usefixtures("autocast")
def test_float32_casts_lists_optional_tensors_and_beside_keywords(ops):
    xs, bias = [torch.ones(3, dtype=LOWER), torch.ones(3)], torch.ones(3, dtype=LOWER)
    result = ops.exact(xs, bias, by=2.0)
    assert result.dtype is torch.float32
    assert result.tolist() == [6.0] * 3


def test_lower_precision_is_the_dtype_of_the_context(ops):
    x, factor = torch.randn(2, 3), torch.randn(3, dtype=torch.float16)
    for dtype in (torch.bfloat16, torch.float16):
        with torch.autocast("cpu", dtype=dtype):
            assert ops.scale(x, factor).dtype is dtype
            with torch.autocast("cpu", enabled=False), pytest.raises(RuntimeError, match="argument 'factor'"):
                ops.scale(x, factor)


@pytest.mark.usefixtures("autocast")
def test_gradients_under_autocast_have_the_dtypes_of_what_was_passed(ops):
    x, factor = torch.randn(2, 3, requires_grad=True), torch.randn(3, requires_grad=True)
    result = ops.scale(x, factor)
    assert result.dtype is LOWER
    result.float().sum().backward()
    assert (x.grad.dtype, factor.grad.dtype) == (torch.float32, torch.float32)
    torch.testing.assert_close(x.grad, factor.detach().to(LOWER).float().expand(2, 3))


@pytest.mark.usefixtures("autocast")
def test_ops_that_write_compute_in_the_dtype_that_they_write(ops):
    x, factor = torch.randn(2, 3), torch.tensor([1 + 2**-12, 1.0, 1.0])
    expected = x * factor
    assert torch.equal(ops.scale(x, factor, out=torch.empty(2, 3)), expected)
    assert torch.equal(ops.scale_(x.clone(), factor), expected)
    recorded = ops.scale_(x.clone().requires_grad_() * 1, factor)
    assert torch.equal(recorded, expected)


def test_autocast_is_part_of_a_compiled_graph(ops):
    def call(x, factor):
        with torch.autocast("cpu", dtype=LOWER):
            return ops.scale(x, factor) + 1

    x, factor = torch.randn(2, 3), torch.randn(3)
    compiled = torch.compile(call, backend="aot_eager", fullgraph=True)(x, factor)
    assert compiled.dtype is LOWER
    assert torch.equal(compiled, call(x, factor))


# --- vmap -------------------------------------------------------------------------------------------------------------
CALLS = {
    "leading": ("scale", [(4, 2, 3), (3,)], (0, None), 1),
    "leading, elsewhere": ("scale", [(2, 3, 4), (3,)], (2, None), 1),
    "leading, nested": ("scale", [(4, 5, 2, 3), (3,)], (0, None), 1),
    "another one differs": ("scale", [(4, 2, 3), (4, 3)], (0, 0), 4),
    "two": ("promoted", [(4, 2, 3), (4, 2, 3)], (0, 0), 1),
    "one of two": ("promoted", [(2, 3), (4, 2, 3)], (None, 0), 1),
    "two results": ("dense", [(4, 2, 3), (4, 2)], (0, 0), 1),
    "two results, transposed": ("dense", [(2, 4, 3)], (1,), 1),
    "an optional one alone": ("dense", [(2, 3), (4, 2)], (None, 0), 1),
    "declared": ("transpose", [(4, 2, 3)], (0,), 1),
    "declared, elsewhere": ("transpose", [(2, 3, 4)], (2,), 1),
    "loop": ("spread", [(4, 2, 3)], (0,), 4),
    "a result of all rows": ("shares", [(4, 2, 3)], (0,), 4),
}


@pytest.mark.parametrize("case", CALLS.values(), ids=CALLS)
def test_vmap_gives_what_slices_give_in_as_few_calls_as_it_can(ops, calls, case):
    name, shapes, in_dims, count = case
    values = [torch.rand(*shape) for shape in shapes]
    op, batch = getattr(ops, name), next(s[d] for s, d in zip(shapes, in_dims, strict=True) if d is not None)
    given = torch.vmap(op, in_dims)(*values)
    assert calls.count(f"{name}") + calls.count(f"{name}.default") == count
    slices = [
        op(*(v if d is None else v.select(d, i).contiguous() for v, d in zip(values, in_dims, strict=True)))
        for i in range(batch)
    ]
    if isinstance(given, torch.Tensor):
        torch.testing.assert_close(given, torch.stack(slices))
    else:
        for value, each in zip(given, zip(*slices, strict=True), strict=True):
            torch.testing.assert_close(value, torch.stack(each))


def test_vmap_inside_of_vmap_is_one_call(ops, calls):
    x, factor = torch.randn(4, 5, 2, 3), torch.randn(3)
    given = torch.vmap(torch.vmap(lambda each: ops.scale(each, factor), 1, 1))(x)
    assert calls.count("scale") + calls.count("scale.default") == 1
    torch.testing.assert_close(given, x * factor)


def test_vmap_of_gradients_and_gradients_of_vmap_agree(ops):
    x, factor = torch.randn(4, 3), torch.randn(3)

    def loss(each, factor):
        return (ops.scale(each, factor) ** 2).sum()

    rows = torch.vmap(torch.func.grad(loss), (0, None))(x, factor)
    whole = torch.func.grad(lambda x: torch.vmap(loss, (0, None))(x, factor).sum())(x)
    torch.testing.assert_close(rows, 2 * x * factor**2)
    torch.testing.assert_close(whole, rows)


@pytest.mark.usefixtures("autocast")
def test_vmap_under_autocast_casts_the_whole_batch(ops):
    x, factor = torch.randn(4, 2, 3), torch.randn(3)
    assert torch.vmap(ops.scale, (0, None))(x, factor).dtype is LOWER


def test_a_list_of_tensors_is_sliced(ops):
    xs = [torch.randn(4, 3), torch.randn(4, 3)]
    given = torch.vmap(lambda xs: ops.exact(xs, None, by=2.0))(xs)
    torch.testing.assert_close(given, 2 * (xs[0] + xs[1]))


def test_an_operator_without_results_is_called_for_each_slice(notes, ops):
    torch.vmap(lambda x: (x, ops.note(x, "slice"))[0])(torch.ones(2, 3))
    assert notes() == [("slice", 3.0), ("slice", 3.0)]


# --- side effects -----------------------------------------------------------------------------------------------------
@pytest.fixture
def notes(ops):
    """Return what `note` has written down since."""
    ops.note(torch.zeros(1), "the kernel is imported")
    written = sys.modules["layers_ops._kernels.cpu.note"].NOTES
    written.clear()
    return lambda: written


@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_effects_are_neither_dropped_nor_moved_by_a_compiler(notes, ops, backend):
    def call(x):
        ops.note(x, "first")
        y = x * 2
        ops.watch(x)  # nothing reads the copy
        ops.note(y, "second")
        ops.note(x, "first")
        return y + 1

    x = torch.ones(3)
    call(x)
    expected = list(notes())
    notes().clear()
    watched = sys.modules["layers_ops._kernels.cpu.watch"].NOTES
    watched.clear()
    compiled = torch.compile(call, backend=backend, fullgraph=True)
    for times in (1, 2):
        assert torch.equal(compiled(x), x * 2 + 1)
        assert notes() == expected * times
        assert watched == [3.0] * times


def test_effects_are_part_of_an_exported_program(notes, ops):
    class Noting(torch.nn.Module):
        def forward(self, x):
            ops.note(x, "first")
            ops.watch(x)
            ops.note(x + 1, "second")
            return x

    program = torch.export.export(Noting(), (torch.ones(3),)).module()
    notes().clear()
    program(torch.ones(3))
    assert notes() == [("first", 3.0), ("second", 6.0)]


# --- layers -----------------------------------------------------------------------------------------------------------
@pytest.fixture
def log(ops):  # noqa: ARG001 - it makes the module importable
    import references  # noqa: PLC0415 - it stands beside the package

    references.LOG.clear()
    return references.LOG


def test_a_layer_is_given_what_stands_below(ops, log):
    x, y = torch.ones(3, requires_grad=True), torch.ones(3)
    result = ops.plus(x, y, by=2.0)
    assert result.tolist() == [3.0] * 3
    assert log == [False, True]  # in front of the kernel, and in front of autograd
    result.sum().backward()
    assert x.grad.tolist() == [1.0] * 3


def test_a_kernel_in_python_serves_any_kind_of_device(ops, log):
    assert ops.negated(torch.ones(2)).tolist() == [-1.0, -1.0]
    assert log == []
    for key in ("XPU", "PrivateUse1"):  # no such device is needed to be sent to its kernel
        keys = torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, key))
        assert torch.ops.layers.negated.default.redispatch(keys, torch.ones(2)).tolist() == [-1.0, -1.0]
    assert log == ["elsewhere", "elsewhere"]


def test_a_key_that_falls_through_is_passed_by(ops, log):
    with torch.autocast("cpu", dtype=LOWER):
        assert ops.plus(torch.ones(3), torch.ones(3)).dtype is torch.float32
    assert log


def test_subclasses_and_modes_have_rules_of_their_own(ops, log):
    import references  # noqa: PLC0415 - it stands beside the package

    result = ops.plus(references.Wrapped(torch.ones(3)), torch.ones(3))
    assert (result.count, result.data_.tolist()) == (1, [2.0] * 3)
    x = torch.ones(3)
    with references.Mode():
        result = ops.plus(x, x)
    assert result.tolist() == [-2.0] * 3
    assert log


def test_a_kernel_is_replaced_for_a_while(ops):
    from layers_ops.layers import replaced  # noqa: PLC0415 - it has just been made

    x, y = torch.ones(3), torch.ones(3)
    with replaced("layers::promoted", lambda below, x, y: below(x, y) * 10):
        assert ops.promoted(x, y).tolist() == [20.0] * 3
        with replaced("layers::promoted", lambda below, x, y: below(x, y) + 1):
            assert ops.promoted(x, y).tolist() == [21.0] * 3
        assert ops.promoted(x, y).tolist() == [20.0] * 3
    assert ops.promoted(x, y).tolist() == [2.0] * 3
    with pytest.raises(ValueError, match="has no operator 'layers::none'"), replaced("layers::none", print):
        pass
    for alias in ("Autograd", "CompositeExplicitAutograd"):
        with pytest.raises(ValueError, match="several dispatch keys"), replaced("layers::promoted", print, alias):
            pass


# --- the generated tests ----------------------------------------------------------------------------------------------
def test_its_generated_tests_pass(library):
    wanted = "autocast or vmap or gradient_reference or compile_effects"
    command = [sys.executable, "-m", "opgen", "test", "-q", "-k", wanted]
    done = subprocess.run(command, cwd=library, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_its_generated_tests_find_rows_that_are_not_independent(tmp_path):
    folder = shutil.copytree(CASE, tmp_path / "library")
    declarations = (folder / "ops.yaml").read_text(encoding="utf-8")
    head, spread = declarations.split("ops:\n")[0], declarations[declarations.index("  - func: spread") :]
    wrong = spread[: spread.index("    vmap: loop")]
    (folder / "ops.yaml").write_text(f"{head}ops:\n{wrong}", encoding="utf-8")
    command = [sys.executable, "-m", "opgen", "test", "-q", "-k", "test_vmap"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "calls of the slices" in done.stdout
