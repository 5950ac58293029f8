"""What compiled libraries do, next to ATen."""

import ctypes
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")
pytestmark = [pytest.mark.compile, pytest.mark.torch]


def ramp(*shape, dtype=torch.float32, grad=False):
    count = torch.Size(shape).numel()
    return torch.arange(1, count + 1, dtype=dtype).reshape(shape).requires_grad_(grad)


# --- values and identity ----------------------------------------------------------------------------------------------
STRIDED = {
    "contiguous": ramp(3, 4, 5),
    "permuted": ramp(5, 3, 4).permute(1, 2, 0),
    "sliced": ramp(6, 8, 10)[::2, 1:8:2, 5:],
    "expanded": ramp(4, 1).expand(3, 4, 5),
    "column that was a row, contiguous with a last stride of 5": ramp(1, 5).t(),
    "column of a matrix": ramp(5, 7)[:, :1],
    "one dim": ramp(7),
    "no dims": torch.tensor(3.0),
    "empty": torch.empty(0, 3),
    "rows of nothing": torch.empty(3, 0),
}


@pytest.mark.parametrize("layout", STRIDED)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_rows_reach_every_element_of_any_layout(contracts, layout, dtype):
    x = STRIDED[layout].to(dtype)
    assert torch.equal(contracts.ops.scale(x, 3.0), x * 3.0)


def test_an_in_place_op_writes_and_returns_its_argument(contracts):
    x = ramp(4)
    view = x[1:3]
    assert contracts.ops.scale_(view, 2.0) is view
    assert x.tolist() == [1, 4, 6, 4]
    assert x._version == 1


def test_an_out_op_writes_and_returns_its_buffer_and_keeps_its_strides(contracts):
    out = torch.zeros(8)[::2]
    assert contracts.ops.add.out(ramp(4), ramp(4), out=out) is out
    assert (out.tolist(), out.stride(), out._version) == ([2, 4, 6, 8], (2,), 1)


def test_a_twin_does_the_same_and_returns_nothing(contracts):
    x, out = ramp(2), torch.empty(2)
    assert contracts.ops._scale__write(x, 2.0) is None
    assert contracts.ops._add_out_write(x, x, out=out) is None
    assert (x.tolist(), out.tolist(), x._version, out._version) == ([2, 4], [4, 8], 1, 1)


def test_a_mutable_op_writes_tensors_lists_and_optionals(contracts):
    total, count = torch.zeros(2), torch.zeros(2, dtype=torch.int64)
    assert contracts.ops.accumulate(total, count, ramp(2), more=[ramp(2), ramp(2)]) is None
    assert (total.tolist(), count.tolist()) == ([3, 6], [3, 3])
    assert (total._version, count._version) == (1, 1)
    contracts.ops.accumulate(total, None, ramp(2), more=[])
    assert total.tolist() == [4, 8]


def test_a_destination_is_written(contracts):
    out = torch.empty(2, dtype=torch.float64)
    assert contracts.ops.halve_into(out, ramp(4, dtype=torch.float64)) is None
    assert out.tolist() == [0.5, 1.0]


def test_a_mutable_op_may_return_a_fresh_tensor(contracts):
    x, y = ramp(2), torch.zeros(2)
    assert contracts.ops.swap(x, y).tolist() == [1, 2]
    assert (x.tolist(), y.tolist()) == ([0, 0], [1, 2])


def test_several_outputs_have_their_own_dtypes(contracts):
    low, place = contracts.ops.extremes(torch.tensor([[3.0, 1.0], [5.0, 7.0]], dtype=torch.float64))
    assert (low.tolist(), low.dtype) == ([1, 5], torch.float64)
    assert (place.tolist(), place.dtype) == ([1, 0], torch.int64)


def test_a_kernel_returns_what_only_it_can_size(contracts):
    places, total = contracts.ops.positive(torch.tensor([-1.0, 2.0, 0.0, 3.0]))
    assert (places.tolist(), total.item()) == ([1, 3], 5.0)


def test_an_exception_on_a_thread_reaches_the_caller(contracts):
    with pytest.raises(RuntimeError, match=r"^too low in row \d+$"):
        contracts.ops.extremes(torch.full((64, 2), -1e6))


# --- autograd ---------------------------------------------------------------------------------------------------------
def refusal(call):
    with pytest.raises(RuntimeError) as caught:
        call()
    return str(caught.value)


WRITES = {
    "a leaf": lambda grad: grad,
    "a view of a leaf": lambda grad: grad[:],
}


@pytest.mark.parametrize("what", WRITES)
def test_a_write_to_a_leaf_is_refused_as_aten_does(contracts, what):
    def write(op):
        return refusal(lambda: op(WRITES[what](ramp(2, grad=True))))

    assert write(contracts.ops.scale_) == write(lambda x: x.mul_(2))
    assert write(lambda x: contracts.ops.halve_into(x, ramp(4))) == write(lambda x: x.mul_(2))


def test_a_write_to_an_inference_tensor_is_refused_as_aten_does(contracts):
    with torch.inference_mode():
        x = ramp(2)
    assert refusal(lambda: contracts.ops.scale_(x)) == refusal(lambda: x.mul_(2))


def test_what_aten_allows_without_grad_mode_is_allowed(contracts):
    x = ramp(2, grad=True)
    with torch.no_grad():
        assert contracts.ops.scale_(x).tolist() == [2, 4]
        assert contracts.ops.add.out(x, x, out=x).tolist() == [4, 8]
    y = ramp(2)
    with torch.inference_mode():
        contracts.ops.scale_(y)
    assert (x._version, y._version) == (2, 1)


def test_a_saved_tensor_that_is_overwritten_makes_backward_raise(contracts):
    w = ramp(2, grad=True)
    saved = (w * 2).exp()
    contracts.ops.scale_(saved.detach())
    assert "modified by an inplace operation" in refusal(saved.sum().backward)


def test_gradients_are_refused_where_there_is_no_derivative(contracts):
    text = f"derivative for {contracts.namespace}::accumulate is not implemented"
    assert refusal(lambda: contracts.ops.accumulate(ramp(2), None, ramp(2, grad=True), more=[])) == text
    assert refusal(lambda: contracts.ops.accumulate(ramp(2), None, ramp(2), more=[ramp(2, grad=True)])) == text
    assert refusal(lambda: contracts.ops.accumulate(ramp(2, grad=True) * 2, None, ramp(2), more=[])) == text


@pytest.mark.parametrize("place", range(3))
def test_an_out_op_refuses_gradients_in_the_words_of_aten(contracts, place):
    x, y, out = (ramp(2, grad=index == place) for index in range(3))
    assert refusal(lambda: contracts.ops.add.out(x, y, out=out)) == refusal(lambda: torch.add(x, y, out=out))


def test_a_functional_op_runs_with_gradients(contracts):
    assert contracts.ops.scale(ramp(2, grad=True)).tolist() == [2, 4]


# --- overlap ----------------------------------------------------------------------------------------------------------
def test_a_written_tensor_may_not_repeat_an_element(contracts):
    x = torch.ones(1).expand(4)
    words = refusal(lambda: x.mul_(2))
    assert refusal(lambda: contracts.ops.scale_(x)) == f"{contracts.namespace}::scale_: argument 'x': {words}"


def test_a_written_tensor_may_not_share_memory_with_another(contracts):
    b = ramp(5)
    words = refusal(lambda: torch.add(b[:4], b[:4], out=b[1:]))
    found = refusal(lambda: contracts.ops.add.out(b[:4], ramp(4), out=b[1:]))
    assert found == f"{contracts.namespace}::add.out: arguments 'x' and 'out': {words}"
    same = refusal(lambda: contracts.ops.accumulate(b, None, b, more=[]))
    assert same == f"{contracts.namespace}::accumulate: arguments 'total' and 'x': {words}"


def test_what_aten_lets_through_is_let_through(contracts):
    b = torch.zeros(8)
    contracts.ops.add.out(b[::2], ramp(4), out=b[1::2])  # slices of one buffer, no element in common
    assert b[1::2].tolist() == [1, 2, 3, 4]
    x = ramp(2)
    assert contracts.ops.add.out(x, x, out=x).tolist() == [2, 4]  # alias_safe
    assert contracts.ops.swap(x, x).tolist() == [4, 8]  # may_overlap
    assert contracts.ops.scale_(torch.empty(0, 3).expand(4, 0, 3)).shape == (4, 0, 3)  # nothing is written


# --- wrong calls ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda o: o.scale(ramp(2, dtype=torch.int64)), "scale: argument 'x': expected float16"),
        (lambda o: o.add.out(ramp(2), ramp(3), out=ramp(2)), "add.out: argument 'y': expected size 2 at dim 0"),
        (lambda o: o.halve_into(ramp(2), ramp(5)), "halve_into: argument 'x': expected a size 2*n"),
        (
            lambda o: o.accumulate(ramp(2), None, ramp(2), more=[ramp(2), ramp(3)]),
            "argument 'more[1]': expected size 2",
        ),
        (lambda o: o.accumulate(ramp(0), None, ramp(0), more=[]), "accumulate: expected n > 0"),
        (lambda o: o.add.out(ramp(2), None, out=ramp(2)), "add.out: argument 'y': expected float32, got None"),
    ],
)
def test_a_wrong_call_is_refused_before_anything_is_written(contracts, call, text):
    assert text in refusal(lambda: call(contracts.ops))


def test_a_refused_call_leaves_the_version_alone(contracts):
    x = ramp(2)
    refusal(lambda: contracts.ops.add.out(ramp(3), ramp(3), out=x))
    assert x._version == 0


SCRIPT = """
import torch
fragment = torch.library.Library("cpp_contracts", "FRAGMENT")
fragment.define("scale_(Tensor(a!) x, float factor=2.0) -> Tensor(a!)")
fragment.define("_scale__write(Tensor(a!) x, float factor=2.0) -> ()")
torch.ops.load_library("old.so")
with torch.inference_mode():
    inference = torch.ones(2)
leaf = torch.ones(2, requires_grad=True)
for x in (inference, leaf, leaf[:]):
    messages = []
    for op in (torch.ops.cpp_contracts.scale_, lambda x: x.mul_(2)):
        try:
            op(x)
        except RuntimeError as error:
            messages.append(str(error))
    assert len(messages) == 2 and messages[0] == messages[1], messages
"""


def test_a_torch_that_keeps_its_words_to_itself_makes_no_difference(stable_contracts):
    project = stable_contracts.project
    # A function that no torch has stands for one that releases before 2.13 have not.
    missing = "-Dtorch_exception_get_what_without_backtrace=torch_no_such_function"
    unit = "generated/csrc/units/cpu/scale_.cpp"
    done = project.run_compiler(missing, "-shared", unit, "-o", "old.so", *project.torch_libraries())
    assert done.returncode == 0, done.stderr
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=project.folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


# --- types ------------------------------------------------------------------------------------------------------------
def test_every_type_arrives(types):
    x = torch.ones(2, dtype=torch.int64)
    required = (x, None, [x, x], [x, None], [1, 2], [3, 4], [0.5], [True, False], ["a", "bc"], 5, 6, 1.5, True)
    assert types.ops.describe(*required) == (
        "8 0 2 10 1 2 3 4 0.5 1 0 a bc 5 6 1.5 1 sum none -1 -1 -1 none none none none -1 -1"
    )
    stated = types.ops.describe(
        x.to(torch.complex64),
        x,
        *required[2:],
        mode="",
        dtype=torch.bfloat16,
        device="cpu",
        layout=torch.strided,
        memory_format=torch.channels_last,
        k=-7,
        eps=0.25,
        causal=False,
        name="é",
        shape=[],
        rest=[x],
    )
    assert stated == "8 1 2 10 1 2 3 4 0.5 1 0 a bc 5 6 1.5 1  BFloat16 0 0 2 -7 0.25 0 é 0 1"


@pytest.mark.parametrize(("dtype", "size"), [("bool", 1), ("uint16", 2), ("float8_e4m3fn", 1)])
def test_dispatch_knows_every_dtype(types, dtype, size):
    x = torch.zeros(1).to(getattr(torch, dtype))
    assert types.ops.describe(x, None, [], [], [], [0, 0], [], [], [], 0, 0, 0.0, flag=False)[0] == str(size)


def test_every_type_returns(types):
    assert types.ops.echo(1, 2.5, flag=True, text="t", dims=[3], words=["u"], dtype=torch.float64) == (
        1,
        2.5,
        True,
        "t",
        [3],
        ["u"],
        7,
        None,
    )


# --- the library ------------------------------------------------------------------------------------------------------
def test_the_binary_needs_only_stable_symbols(stable_contracts):
    project = stable_contracts.project
    listing = subprocess.run(
        ["nm", "-D", "--undefined-only", project.folder / "library.so"], capture_output=True, text=True, check=True
    )
    symbols = [line.split()[-1] for line in listing.stdout.splitlines()]
    # libc and libstdc++ have versions behind an @; three libstdc++ symbols have not.
    foreign = [
        name
        for name in symbols
        if "@" not in name
        and not name.startswith(("aoti_torch_", "torch_", "_ZNSt15__exception_ptr", "_ITM_", "__gmon_start__"))
    ]
    assert "aoti_torch_copy_" in symbols
    assert foreign == []


def test_the_binary_says_which_schemas_it_was_built_for(stable_contracts):
    binary = ctypes.CDLL(str(stable_contracts.project.folder / "library.so"))
    binary.cpp_contracts_ops_schema_hash.restype = ctypes.c_char_p
    assert binary.cpp_contracts_ops_schema_hash() == b"0123"


def test_a_classic_binary_names_the_torch_that_it_was_built_with(classic_contracts):
    content = (classic_contracts.project.folder / "classic.so").read_bytes()
    release = ".".join(torch.__version__.split(".")[:2])
    assert f"opgen: built with torch {release};".encode() in content


# --- what only the classic ABI has ------------------------------------------------------------------------------------
def test_a_number_of_any_kind_arrives_and_takes_part_in_promotion(classic):
    x, y = torch.arange(3.0), torch.ones(3)
    for x_, alpha in ((x, 2), (x, 2.5), (x, 1j), (x.long(), True), (x.long(), 2), (x.long(), 2.5)):
        found, expected = classic.ops.axpby(x_, y.to(x_.dtype), alpha), x_ * alpha + y.to(x_.dtype)
        assert torch.equal(found, expected)
        assert found.dtype == expected.dtype
    assert classic.ops.axpby(x, y, 2, beta=3).tolist() == [3, 5, 7]


@pytest.mark.parametrize(("number", "spelled"), [(0, "0"), (0.0, "0.0"), (0j, "(0.0+0.0j)"), (False, "False")])
def test_a_condition_on_a_number_of_any_kind_is_checked(classic, number, spelled):
    text = f"cpp_classic::axpby: argument 'alpha': expected alpha != 0, got alpha = {spelled}"
    assert refusal(lambda: classic.ops.axpby(ramp(2), ramp(2), number)) == text


def test_a_generator_arrives(classic):
    x = torch.zeros(3)
    assert classic.ops.noise_(x, generator=torch.Generator().manual_seed(1)) is x
    assert torch.equal(x, torch.zeros(3).uniform_(generator=torch.Generator().manual_seed(1)))


def test_every_type_of_the_classic_abi_arrives(classic):
    x = torch.arange(3.0)
    numbers = [1, 2.5, 1j, True]
    arguments = ([x, None], [True, False], 1 + 2j, None, numbers, (1, "a"), {"a": 7}, None, x.untyped_storage(), [1, 2])
    text = "3 -1 1 0 1 2 -1 Long Double ComplexDouble Bool 1a 7 0 12 1 2 1"
    assert classic.ops.describe(*arguments, torch.Generator()) == text


def test_every_type_of_the_classic_abi_returns(classic):
    assert classic.ops.echo([True, False], 2.5, 1j, (1, "a")) == ([True, False], 2.5, 1j, (1, "a"))
    assert classic.ops.counted(["a", "b", "a"]) == {"a": 2, "b": 1}
    assert classic.ops.pair(3) == (3, 4)


def test_an_op_on_the_stable_abi_stands_beside_them(classic):
    assert classic.ops.twice(ramp(2)).tolist() == [2, 4]
