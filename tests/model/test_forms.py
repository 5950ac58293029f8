"""Forms by condition and alternatives of shape: what they mean for calls, and that samples show all of it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opgen.diagnostics import has_errors
from opgen.model.build_op import build_op as build
from opgen.model.evaluate import EvaluatedOutputs, Violation, evaluate
from opgen.model.evaluate_expression import Environment
from opgen.model.sample_values import TensorValue
from opgen.model.samples import make_samples
from opgen.model.samples.situation import truth
from opgen.model.tensor_contract.guards import EVERYWHERE, facts_when, implications
from opgen.schema.parser import parse_schema
from opgen.source import Text
from opgen.spec.expression import opposite
from opgen.spec.language import parse_condition, parse_tensor_form
from opgen.spec.library import LibrarySpec, OpSpec, TensorEntry
from opgen.spec.written import render_written


def f(*shape, dtype="float32"):
    return TensorValue(shape, dtype)


def condition(text):
    node, problems = parse_condition(Text.of(text))
    assert not problems
    return node


# --- conditions -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("mode == 'a'", "mode != 'a'"),
        ("mode in ('a', 'b')", "mode not in ('a', 'b')"),
        ("flag", "not flag"),
        ("k < 3", "not k < 3"),
        ("flag and k < 3", "not (flag and k < 3)"),
    ],
)
def test_the_opposite_of_a_condition_reads_well_and_has_it_as_its_opposite(text, written):
    assert render_written(opposite(condition(text))) == written
    assert opposite(opposite(condition(text))) == condition(text)


def test_a_condition_tells_its_parts():
    assert facts_when(condition("given(a) and flag"), holds=True) == ("a", condition("flag"))
    assert facts_when(condition("not given(a) or flag"), holds=False) == ("a", condition("not flag"))
    assert facts_when(condition("given(a) and flag"), holds=False) == (condition("not (given(a) and flag)"),)


@pytest.mark.parametrize(
    "text", ["flag", "given(a)", "flag and given(a)", "flag or k == 1", "mode == 'a' and not flag"]
)
def test_branches_of_a_condition_exclude_each_other(text):
    then, otherwise = (EVERYWHERE.under(condition(text), holds=holds) for holds in (True, False))
    assert then.is_possible
    assert otherwise.is_possible
    assert not (then | otherwise).is_possible


def test_checks_imply_facts_of_every_kind():
    pairs = implications([condition("not flag or given(a) and mode == 'x'")])
    assert (condition("flag"), "a") in pairs
    assert (condition("flag"), condition("mode == 'x'")) in pairs


# --- calls ------------------------------------------------------------------------------------------------------------
BY_MODE = (
    "f(Tensor x, Tensor y, str mode, bool flag=False) -> Tensor",
    {
        "x": "float32 [n, k] if mode == 'rows' else int8 [k, 2*n] if flag else int64 [k]",
        "y": "x.dtype [k]",
        "return": "x.dtype [(n if mode == 'rows' or flag else 1), k]",
    },
)


@pytest.mark.parametrize(
    ("values", "shape"),
    [
        ({"x": f(2, 3), "y": f(3), "mode": "rows", "flag": False}, (2, 3)),
        ({"x": f(3, 4, dtype="int8"), "y": f(3, dtype="int8"), "mode": "", "flag": True}, (2, 3)),
        ({"x": f(3, dtype="int64"), "y": f(3, dtype="int64"), "mode": "", "flag": False}, (1, 3)),
        ({"x": f(3, 2), "y": f(3), "mode": "rows", "flag": False}, None),
        ({"x": f(2, 3), "y": f(3), "mode": "", "flag": False}, None),
        ({"x": f(3, 5, dtype="int8"), "y": f(3, dtype="int8"), "mode": "", "flag": True}, None),
        ({"x": f(3, dtype="int64"), "y": f(3), "mode": "", "flag": False}, None),
    ],
)
def test_each_branch_is_held_to_in_its_calls_alone(values, shape, build_op):
    op, found = build_op(*BY_MODE)
    assert [each.code.id for each in found] == [
        "OPG164"
    ]  # no fact says that `n` is there where one *or* the other holds
    op, found = build_op(BY_MODE[0], {**BY_MODE[1], "return": "x.dtype [(n if mode == 'rows' else 1), k]"})
    assert not found
    result = evaluate(op.tensors, values)
    expected = shape if values["mode"] == "rows" or shape is None else (1, 3)
    assert (result.outputs["out"].shape if isinstance(result, EvaluatedOutputs) else None) == expected


def test_an_argument_that_a_branch_forbids_must_not_be_given(contract_of):
    contract = contract_of(
        "f(Tensor x, Tensor? y, bool flag) -> ()", {"x": "any [n]", "y": "None if flag else any [n]"}
    )
    values = {"x": f(2), "y": f(2), "flag": False}
    assert isinstance(evaluate(contract, values), EvaluatedOutputs)
    assert isinstance(evaluate(contract, {**values, "y": None, "flag": True}), EvaluatedOutputs)
    refused = evaluate(contract, {**values, "flag": True})
    assert isinstance(refused, Violation)
    assert refused.expected == "not given(y)"


@pytest.mark.parametrize(
    ("flag", "scale", "shape"), [(True, None, (2, 1)), (False, None, (1,)), (False, f(1), None), (True, f(1), None)]
)
def test_an_output_is_made_or_left_out_by_its_conditions(flag, scale, shape, contract_of):
    contract = contract_of(
        "f(Tensor x, Tensor? scale, bool flag) -> Tensor?",
        {
            "x": "any [*batch, n]",
            "scale": "float32 [1]",
            "return": "None if given(scale) else float32 [*batch, 1] if flag else int8 [1]",
        },
    )
    out = evaluate(contract, {"x": f(2, 3), "scale": scale, "flag": flag}).outputs["out"]
    assert (out and out.shape) == shape
    assert out is None or out.dtype == ("float32" if flag else "int8")


@pytest.mark.parametrize(
    ("shape", "is_right"),
    [((1, 5), True), ((1, 1), True), ((7,), True), ((5, 1), False), ((7, 1), False), ((), False), ((1, 5, 1), False)],
)
def test_an_input_has_one_of_its_shapes(shape, is_right, contract_of):
    contract = contract_of("f(Tensor x, Tensor y) -> ()", {"x": "any [n]", "y": "any [1, n]|[1, 1]|[_]"})
    result = evaluate(contract, {"x": f(5), "y": f(*shape)})
    assert isinstance(result, EvaluatedOutputs) == is_right
    assert is_right or result.expected == "a shape [1, n] or [1, 1] or [_]"


def test_what_all_shapes_share_binds_names(contract_of):
    contract = contract_of("f(Tensor x, SymInt k) -> Tensor", {"x": "any [n, 1]|[n, k]", "return": "x.dtype [n]"})
    assert evaluate(contract, {"x": f(3, 4), "k": 4}).outputs["out"].shape == (3,)
    assert isinstance(evaluate(contract, {"x": f(3, 5), "k": 4}), Violation)


def test_a_tag_of_contiguous_inputs_asks_every_branch_of_them(build_op):
    func, texts = "f(Tensor x, bool flag) -> ()", ("float32 [n] contiguous", "int8 [n] contiguous", "int8 [n]")
    tags = [build_op(func, {"x": f"{texts[0]} if flag else {other}"})[0].tags for other in texts[1:]]
    assert tags == [("needs_contiguous_strides",), ("needs_exact_strides",)]


# --- properties -------------------------------------------------------------------------------------------------------
CONDITIONS = (
    "flag",
    "mode == 'a'",
    "mode in ('a', 'b')",
    "k > 2",
    "given(z)",
    "flag and k > 2",
    "flag or mode == 'b'",
    "rank(x) == 2",
)
SHAPES = ("[n, k]", "[n, m]", "[m, 2*n]", "[m, n, 3]", "[*rest, n, m]", "[n + m, m]")
DTYPES = ("float32", "int8", "int8|int64")


@st.composite
def forms(draw, depth=2):
    """Draw the text of a form, by condition or not."""
    spec = f"{draw(st.sampled_from(DTYPES))} {draw(st.sampled_from(SHAPES))}"
    if depth == 0 or draw(st.booleans()):
        return spec
    return f"{spec} if {draw(st.sampled_from(CONDITIONS))} else {draw(forms(depth=depth - 1))}"


def op_of(entries, result):
    """Build an op with these inputs, or return ``None`` where that is a mistake."""
    func = f"f(Tensor x, Tensor y, Tensor? z, int k, bool flag, str mode) -> Tensor{'?' if 'None' in result else ''}"
    texts = {**entries, "return": result}
    written = tuple(
        TensorEntry(Text.of(name), Text.of(t), parse_tensor_form(Text.of(t))[0]) for name, t in texts.items()
    )
    place = Text.of(func)
    checks, spec = (), OpSpec(place, parse_schema(func).schema, place.locate(), tensors=written)
    op, found = build(spec, LibrarySpec("ops.yaml", ("ops.yaml",), 1, Text.of("mylib"), "mylib_ops"))
    return None if has_errors(found) or checks else op


@settings(max_examples=8, deadline=None)
@given(forms(), forms(depth=1), st.sampled_from(CONDITIONS))
def test_samples_take_the_branch_that_they_say_and_wrong_ones_break_what_they_say(x, y, asks):
    op = op_of({"x": x, "y": y}, f"float32 [2] if {asks} else None")
    if op is None:
        return
    samples = make_samples(op)
    visited = set()
    for sample in samples.valid:
        result = evaluate(op.tensors, sample.arguments)
        assert isinstance(result, EvaluatedOutputs), (sample, result)
        environment = Environment(sample.arguments, result.sizes)
        visited |= {(render_written(each), truth(each, environment)) for each in op.case_conditions}
        assert (result.outputs["out"] is not None) == truth(condition(asks), environment)
    unvisited = {(render_written(each), holds) for each in op.case_conditions for holds in (True, False)} - visited
    if samples.problem is None:
        assert {f"{each} {'holds' if holds else 'does not hold'}" for each, holds in unvisited} == {*samples.unvisited}
    for sample in samples.wrong:
        assert isinstance(evaluate(op.tensors, sample.arguments), Violation)


@settings(max_examples=60, deadline=None)
@given(forms(), forms(depth=1), st.data())
def test_a_form_means_the_branch_that_a_call_takes(x, y, data):
    """A call is right for a form exactly if it is right for the spec that its conditions choose."""
    op = op_of({"x": x, "y": y}, "float32 [2]")
    if op is None:
        return
    sizes = st.sampled_from([1, 2, 3, 4])
    values = {name: TensorValue(tuple(data.draw(st.lists(sizes, min_size=1, max_size=3))), "int8") for name in "xy"}
    values |= {"z": data.draw(st.sampled_from([None, f(1)])), "k": data.draw(sizes)}
    values |= {"flag": data.draw(st.booleans()), "mode": data.draw(st.sampled_from("abc"))}

    def chosen(text):
        while " if " in text:
            then, _, rest = text.partition(" if ")
            asks, _, text = rest.partition(" else ")
            if truth(condition(asks), Environment(values, {})):
                return then
        return text

    plain = op_of({"x": chosen(x), "y": chosen(y)}, "float32 [2]")
    assert plain is not None
    assert type(evaluate(op.tensors, values)) is type(evaluate(plain.tensors, values))
