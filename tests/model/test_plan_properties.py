"""What holds for every plan: shapes made from sizes satisfy it, others do not, and order never matters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opgen.model.build_op import build_op
from opgen.model.evaluate import EvaluatedOutputs, Violation, evaluate
from opgen.model.promotion import result_type
from opgen.model.sample_values import TensorValue
from opgen.schema.parser import parse_schema
from opgen.source import Text
from opgen.spec.dtypes import DTYPES, UNSIGNED, item_size, promote
from opgen.spec.language import parse_tensor_form
from opgen.spec.library import LibrarySpec, OpSpec, TensorEntry

NAMES = ("n", "m", "o", "p")
SIZES = st.integers(0, 5)
FACTOR = 3
"""The value of the argument ``k``."""


def dims_of(name):
    """Return forms that bind a name by themselves, each with its size for a value of the name."""
    return {
        name: lambda n: n,
        f"2*{name}": lambda n: 2 * n,
        f"{name} + 1": lambda n: n + 1,
        f"4*{name} - {name}": lambda n: 3 * n,
    }


def checked_dims(name, other):
    """Return forms that need the names bound elsewhere."""
    return {
        f"{name}*{other}": lambda n, m: n * m,
        f"{name}//2 + {other}": lambda n, m: n // 2 + m,
        f"max({name}, {other})": max,
        f"ceil({name}/k)": lambda n, _: -(-n // FACTOR),
        f"k*{name}": lambda n, _: FACTOR * n,
    }


@st.composite
def contracts(draw):
    """Draw tensors as ``name -> (text, shape)``, and the sizes that the shapes are made from."""
    sizes = {name: draw(SIZES) for name in NAMES}
    batch = tuple(draw(st.lists(SIZES, max_size=2)))
    dims = []
    for name in NAMES:
        forms = dims_of(name)
        text = draw(st.sampled_from(sorted(forms)))
        dims.append((text, (forms[text](sizes[name]),)))
        other = draw(st.sampled_from(NAMES))
        more = checked_dims(name, other)
        text = draw(st.sampled_from(sorted(more)))
        dims.append((text, (more[text](sizes[name], sizes[other]),)))
    dims += [("_", (draw(SIZES),)), ("7", (7,))]
    dims = draw(st.permutations(dims))
    tensors = {}
    for place, start in enumerate(range(0, len(dims), 3)):
        part = dims[start : start + 3]
        if draw(st.booleans()):
            part.insert(draw(st.integers(0, len(part))), ("*batch", batch))
        shape = tuple(size for _, run in part for size in run)
        tensors[f"t{place}"] = (f"float32 [{', '.join(text for text, _ in part)}]", shape)
    return tensors, sizes


def contract_of(texts):
    """Resolve the contract of an op with these tensors, ``k`` among its arguments."""
    func = f"f({', '.join(f'Tensor {name}' for name in texts)}, SymInt k) -> ()"
    schema = parse_schema(func).schema
    entries = tuple(TensorEntry(Text.of(name), text, parse_tensor_form(text)[0]) for name, text in texts.items())
    func_text = Text.of(func)
    spec = OpSpec(func_text, schema, func_text.locate(), tensors=entries)
    op, found = build_op(spec, LibrarySpec("ops.yaml", ("ops.yaml",), 1, Text.of("mylib"), "mylib_ops"))
    assert not found, found
    return op.tensors


def run(tensors, shapes):
    contract = contract_of({name: Text.of(text) for name, (text, _) in tensors.items()})
    return evaluate(contract, {"k": FACTOR, **{name: TensorValue(shape, "float32") for name, shape in shapes.items()}})


@given(contracts())
def test_shapes_made_from_sizes_satisfy_the_plan_and_give_the_sizes_back(drawn):
    tensors, sizes = drawn
    result = run(tensors, {name: shape for name, (_, shape) in tensors.items()})
    assert isinstance(result, EvaluatedOutputs), result
    assert {name: result.sizes[name] for name in NAMES} == sizes


@given(contracts(), st.data())
def test_a_dim_that_differs_between_two_tensors_of_one_spec_is_refused(drawn, data):
    tensors, _ = drawn
    name = data.draw(st.sampled_from(sorted(tensors)))
    text, shape = tensors[name]
    words = text.removeprefix("float32 [").removesuffix("]").split(", ")
    if "_" in words or not shape:
        return
    dim = data.draw(st.integers(0, len(shape) - 1))
    other = data.draw(st.integers(0, 8).filter(lambda size: size != shape[dim]))
    wrong = (*shape[:dim], other, *shape[dim + 1 :])
    shapes = {each: shape for each, (_, shape) in tensors.items()}
    result = run({**tensors, "twin": (text, wrong)}, {**shapes, "twin": wrong})
    assert isinstance(result, Violation)


@given(contracts(), st.data())
def test_the_order_of_the_arguments_does_not_matter(drawn, data):
    tensors, _ = drawn
    shapes = {name: shape for name, (_, shape) in tensors.items()}
    name = data.draw(st.sampled_from(sorted(shapes)))
    if shapes[name] and data.draw(st.booleans()):
        dim = data.draw(st.integers(0, len(shapes[name]) - 1))
        shapes[name] = (*shapes[name][:dim], data.draw(st.integers(0, 8)), *shapes[name][dim + 1 :])
    permuted = {name: tensors[name] for name in data.draw(st.permutations(sorted(tensors)))}
    first, second = run(tensors, shapes), run(permuted, shapes)
    assert type(first) is type(second)
    if isinstance(first, EvaluatedOutputs):
        assert {name: first.sizes[name] for name in NAMES} == {name: second.sizes[name] for name in NAMES}


@pytest.mark.torch
def test_promotion_of_dtypes_is_that_of_torch():
    torch = pytest.importorskip("torch")

    def by_torch(left, right):
        try:
            return str(torch.promote_types(getattr(torch, left), getattr(torch, right))).removeprefix("torch.")
        except RuntimeError:
            return None

    packed = "float4_e2m1fn_x2"  # torch promotes unsigned integers to it, which nothing can compute with
    pairs = [(left, right) for left in DTYPES for right in DTYPES if not {left, right} & {packed} or left == right]
    assert {pair: promote(*pair) for pair in pairs} == {pair: by_torch(*pair) for pair in pairs}
    assert {name: item_size(name) for name in DTYPES} == {name: getattr(torch, name).itemsize for name in DTYPES}


@pytest.mark.torch
def test_promotion_of_tensors_and_numbers_is_that_of_torch():
    torch = pytest.importorskip("torch")
    dtypes = ("bool", "uint8", "int8", "int64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128")
    assert not set(dtypes) & set(UNSIGNED)
    tensors = [TensorValue(shape, dtype) for dtype in dtypes for shape in ((2,), ())]

    def to_torch(value):
        return torch.empty(value.shape, dtype=getattr(torch, value.dtype)) if isinstance(value, TensorValue) else value

    for left in tensors:
        for right in (*tensors, True, 2, 0.5, 1j):
            expected = str(torch.result_type(to_torch(left), to_torch(right))).removeprefix("torch.")
            assert result_type([left, right]) == result_type([right, left]) == expected, (left, right)
