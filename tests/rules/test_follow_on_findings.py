"""One mistake, one finding: what may only follow from a value that can't be read is not said."""

import pytest

FUNC = "f(Tensor x, int num_rows) -> Tensor"
WRITES = "f(Tensor(a!) x, Tensor(b!) y) -> ()"
PRODUCT = "f(Tensor x, Tensor y, Tensor? z) -> Tensor"


@pytest.mark.parametrize(
    ("func", "absent", "unread", "code"),
    [
        (FUNC, ['tensors: {x: "float [n]"}'], ['tensors: {x: "float [n]", return: "flaot [n"}'], "OPG500"),
        (FUNC, ['tensors: {x: "float [n]"}'], ["tensors: [a]"], "OPG405"),
        (FUNC, [], ["fake: [m]"], "OPG500"),
        (FUNC, ['tensors: {x: "any [n]"}'], ['tensors: &t {x: "any [n]", return: *t}'], "OPG500"),
        (FUNC, [], ["dispatch: {CompositeImplicitAutograd: c}"], "OPG500"),
        (FUNC, [], ["autograd: nil"], "OPG504"),
        (FUNC, [], ["autograd: *nothing"], "OPG504"),
        ("f(Tensor x) -> ()", [], ["side_effects: maybe"], "OPG214"),
        (WRITES.replace("()", "Tensor"), [], ["overwrites: x"], "OPG215"),
        (WRITES, ["autogen: [f.functional]"], ["autogen: [f.functional]", "scratch: {x: y}"], "OPG511"),
        ("f(Scalar s) -> Tensor", [], ["abi: clasic"], "OPG406"),
        (
            "f(Tensor x) -> (Tensor a, Tensor b)",
            ["output_differentiability: [true]"],
            ["output_differentiability: [true, 1]"],
            "OPG505",
        ),
        # what `tensors` and `checks` mean
        (PRODUCT, ['tensors: {return: "float32 [n]"}'], ['tensors: {x: n, return: "float32 [n]"}'], "OPG161"),
        (PRODUCT, ['tensors: {y: "any [n]"}', "checks: [m > 0]"], ["tensors: {x: n}", "checks: [m > 0]"], "OPG161"),
        (PRODUCT, ['tensors: {x: "any [n*m]"}'], ['tensors: {x: "any [n*m]", y: "any ["}'], "OPG163"),
        (
            PRODUCT,
            ['tensors: {z: "any [n]"}', "checks: [n > 0]"],
            ['tensors: {z: "any [n]"}', "checks: [n > 0, given(z"],
            "OPG164",
        ),
        # an entry for something that the op does not have
        (PRODUCT, ['tensors: {return: "float32 [n]"}'], ['tensors: {w: "any [n]", return: "float32 [n]"}'], "OPG161"),
    ],
)
def test_nothing_is_concluded_from_a_key_that_cannot_be_read(func, absent, unread, code, lint_op):
    assert code in lint_op(func, *absent)
    found = lint_op(func, *unread)
    assert found
    assert code not in found


@pytest.mark.parametrize(
    ("head", "func", "keys", "code"),
    [
        ("abi: clasic", "f(Scalar s) -> Tensor", [], "OPG406"),
        ('torch: ">=9"', "f(Generator g) -> Tensor", [], "OPG406"),
        ("dtypes: {half: 16}", "f(Tensor x) -> Tensor", ['tensors: {x: "half [n]"}'], "OPG162"),
        ("defaults: {autograd: nil}", "f(Tensor x) -> Tensor", [], "OPG504"),
        ("defaults: {fake: []}", "f(Tensor x) -> Tensor", [], "OPG500"),
    ],
)
def test_nothing_is_concluded_from_a_key_of_the_library_that_cannot_be_read(head, func, keys, code, lint_op):
    assert code in lint_op(func, *keys)
    found = lint_op(func, *keys, head=head)
    assert found
    assert code not in found


@pytest.mark.parametrize("lost", ["<<: base", "tests: *usual", "doc: 'never closed"])
def test_nothing_is_concluded_where_keys_were_lost(lost, lint_op):
    found = lint_op("f(Tensor x) -> Tensor", lost)
    assert len(found) == 1


def test_a_key_of_an_op_counts_and_not_the_defaults_that_it_replaces(lint_op):
    found = lint_op("f(Scalar s) -> Tensor", "abi: stable", head="defaults: {abi: clasic}")
    assert "OPG406" in found
