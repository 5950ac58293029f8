"""Values, strides and lists: compiled, loaded, called, with ``OPGEN_CHECK_VALUES=1`` and without."""

import os
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")
pytestmark = [pytest.mark.compile, pytest.mark.torch]


def ids(*numbers, dtype=torch.int64):
    return torch.tensor(numbers, dtype=dtype)


def starts(*numbers):
    return ids(*numbers, dtype=torch.int32)


ROWS = torch.arange(12.0).view(4, 3)
CACHE = torch.zeros(3, 2)
ONE = torch.ones((), dtype=torch.uint8)

REFUSED = [
    (
        "gather",
        [ROWS, ids(0, 3, 4)],
        "argument 'index': expected values in range(0, n) for n = rows.size(0) = 4, got 4 at [2]",
    ),
    (
        "gather",
        [ROWS, ids([0, 1], [2, -1])],
        "argument 'index': expected values in range(0, n) for n = rows.size(0) = 4, got -1 at [1, 1]",
    ),
    ("gather", [ROWS, ids(0, 7, 9, dtype=torch.int32)[::2]], "got 9 at [1]"),
    ("gather", [ROWS, ids(9)[0]], "got 9 at []"),
    ("gather", [ROWS, ids(0), ids(0, 1, 3, 1)], "argument 'order': expected a permutation of 4 numbers, got 1 at [3]"),
    ("gather", [ROWS, ids(0), ids(0, 1, 2, 4)], "argument 'order': expected a permutation of 4 numbers, got 4 at [3]"),
    (
        "bag",
        [[ROWS[0], ROWS[0] - 4], starts(0, 6), ONE * 0],
        "argument 'weights[0]': expected values in range(-1, 2), got 2.0 at [2]",
    ),
    (
        "bag",
        [[ROWS[0] - 1, ROWS[0] - 4], starts(0, 6), ONE * 0],
        "argument 'weights[1]': expected values in range(-1, 2), got -4.0 at [0]",
    ),
    (
        "bag",
        [[torch.tensor([torch.nan])], starts(0, 2), ONE * 0],
        "argument 'weights[0]': expected values in range(-1, 2), got nan at [0]",
    ),
    (
        "bag",
        [[CACHE[0]], starts(1, 4), ONE * 0],
        "argument 'starts': expected offsets(2*n) for n = weights[0].size(0) = 2, got 1 at [0]",
    ),
    (
        "bag",
        [[CACHE[0]], starts(0, 3, 2, 4), ONE],
        "argument 'starts': expected offsets(2*n) for n = weights[0].size(0) = 2, got 2 at [2]",
    ),
    (
        "bag",
        [[CACHE[0]], starts(0, 1, 3), ONE],
        "argument 'starts': expected offsets(2*n) for n = weights[0].size(0) = 2, got 3 at [2]",
    ),
    (
        "bag",
        [[CACHE[0]], starts(0, 4), ONE],
        "argument 'total': expected values in range(0, bags) for bags = 1, got 1 at []",
    ),
    (
        "copy_blocks",
        [[CACHE.clone()], [CACHE.clone()], ids([0, 1], [0, 3])],
        "argument 'pairs': expected values in range(0, blocks) for blocks = keys[0].size(0) = 3, got 3 at [1, 1]",
    ),
]


@pytest.mark.parametrize(("name", "arguments", "words"), REFUSED)
def test_a_wrong_element_is_named_with_its_place(facts, name, arguments, words):
    with pytest.raises(RuntimeError) as refused:
        getattr(facts.ops, name)(*arguments)
    assert str(refused.value).splitlines()[0].endswith(words)
    assert str(refused.value).startswith(f"cpp_facts::{name}: ")


def test_right_elements_pass_whatever_the_strides(facts):
    assert (
        facts.ops.gather(ROWS, ids([0, 3], [1, 2]).t(), ids(3, 1, 0, 2)).tolist() == ROWS[ids([0, 1], [3, 2])].tolist()
    )
    assert facts.ops.gather(ROWS, ids(), None).shape == (0, 3)
    assert facts.ops.bag([CACHE[0], ROWS[0][:2]], starts(0, 1, 4), ONE).tolist() == [1, 3]


def test_what_a_destination_held_before_is_no_mistake(facts):
    destination = ids(7, 7, 7)
    facts.ops.fill(destination, ROWS[0])
    assert destination.tolist() == [0, 1, 2]


def test_nothing_is_read_unless_it_is_asked_for(facts):
    library = facts.project.folder / "library.so"
    script = (
        "import sys, torch; torch.library.define('cpp_facts::bag', '(Tensor[] weights, Tensor starts, Tensor total) -> Tensor');"
        "torch.ops.load_library(sys.argv[1]);"
        "starts = torch.tensor([5, 6, 9], dtype=torch.int32);"
        "print(torch.ops.cpp_facts.bag([torch.ones(3)], starts, torch.zeros((), dtype=torch.uint8)).tolist())"
    )
    environment = {name: value for name, value in os.environ.items() if name != "OPGEN_CHECK_VALUES"}
    done = subprocess.run(
        [sys.executable, "-c", script, str(library)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "[1.0, 3.0]", done.stderr


def test_an_output_is_laid_out_as_the_tensor_that_it_names(facts):
    for x in (ROWS, ROWS.t(), torch.zeros(2, 3, 4).permute(2, 0, 1), torch.zeros(1, 5).t(), torch.zeros(0, 3)):
        found = facts.ops.negate(x)
        assert found.stride() == torch.empty_like(x).stride()
        assert torch.equal(found, -x)
    gaps = torch.zeros(4, 3, 8)[:, :, ::2]
    for x in (gaps, gaps.transpose(0, 2), torch.zeros(3, 1).expand(3, 4), gaps.permute(1, 2, 0)[:, :1]):
        assert facts.ops.negate(x).stride() == torch.empty_like(x).stride()


# --- lists that are written -------------------------------------------------------------------------------------------
def test_the_version_of_each_element_of_a_written_list_rises(facts):
    keys, values, pairs = [CACHE.clone(), CACHE.clone()], [CACHE.clone(), CACHE.clone()], ids([0, 1])
    facts.ops.copy_blocks(keys, values, pairs)
    assert [tensor._version for tensor in (*keys, *values, pairs)] == [1, 1, 1, 1, 0]
    assert keys[0][0, 0] == 1


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (lambda a, b, c: ([a, a], [b, c]), "'keys[0]' and 'keys[1]'"),
        (lambda a, b, c: ([a, b], [c, b]), "'keys[1]' and 'values[1]'"),
        (lambda a, b, c: ([a, b.view(-1).view(3, 2)], [c, b]), "'keys[1]' and 'values[1]'"),
    ],
)
def test_elements_of_written_lists_do_not_overlap(facts, make, names):
    keys, values = make(CACHE.clone(), CACHE.clone(), CACHE.clone())
    with pytest.raises(RuntimeError, match="unsupported operation") as refused:
        facts.ops.copy_blocks(keys, values, ids([0, 1]))
    assert f"arguments {names}:" in str(refused.value)


def test_a_written_element_that_repeats_its_memory_is_named(facts):
    with pytest.raises(RuntimeError, match=r"argument 'values\[0\]': unsupported operation"):
        facts.ops.copy_blocks([CACHE.clone()], [torch.zeros(2).expand(3, 2)], ids([0, 1]))
