"""Which contracts say that a batch in front is more of the same rows."""

import pytest

from opgen.build.check import check
from opgen.model.batching import Batching, derive_batching

ROWS = 'x: "float [*batch, n]", return: "x.dtype [*batch, n]"'
DERIVED = {
    "rows": ("f(Tensor x) -> Tensor", ROWS, "", Batching(("x",), ())),
    "rows and what all share": (
        "f(Tensor x, Tensor w) -> Tensor",
        ROWS + ', w: "x.dtype [n]"',
        "",
        Batching(("x",), ()),
    ),
    "in two arguments": (
        "f(Tensor w, Tensor x, Tensor? y=None) -> Tensor",
        ROWS + ', w: "any [...]", y: "int64 [*batch] in range(0, n)"',
        "",
        Batching(("x", "y"), ()),
    ),
    "contiguous": (
        "f(Tensor x) -> Tensor",
        'x: "float [*batch, n] contiguous", return: "x.dtype [*batch]"',
        "",
        Batching(("x",), ("x",)),
    ),
    "strides of rows": (
        "f(Tensor x) -> Tensor",
        'x: "float [*batch, n] strides[..., 1]", return: "x.dtype [*batch]"',
        "",
        Batching(("x",), ()),
    ),
    "a condition of the rows' own": ("f(Tensor x) -> Tensor", ROWS, 'checks: ["n % 8 == 0"]', Batching(("x",), ())),
    "every element": (
        "f(Tensor x) -> Tensor",
        'x: "float [*shape]", return: "x.dtype [*shape]"',
        "tags: [pointwise]",
        Batching(("x",), ()),
    ),
}
NOT_DERIVED = {
    "all dims": ("f(Tensor x) -> Tensor", 'x: "float [*shape]", return: "x.dtype [*shape]"', ""),
    "rows that are reduced": (
        "f(Tensor x) -> Tensor",
        'x: "float [*batch, n]", return: "x.dtype [*batch, n]"',
        'reduce: {s: "sum(x, *batch)"}\n    pointwise: x / s',
    ),
    "a result without rows": ("f(Tensor x) -> Tensor", 'x: "float [*batch, n]", return: "x.dtype [n]"', ""),
    "as many as there are rows": (
        "f(Tensor x) -> Tensor",
        'x: "float [*batch, n]", return: "x.dtype [prod(batch), n]"',
        "",
    ),
    "rows behind": ("f(Tensor x) -> Tensor", 'x: "float [n, *batch]", return: "x.dtype [n, *batch]"', ""),
    "two kinds of rows": (
        "f(Tensor x, Tensor y) -> Tensor",
        'x: "float [*a, n]", y: "x.dtype [*b, n]", return: "x.dtype [*broadcast(a, b), n]"',
        "",
    ),
    "a dim by number": ("f(Tensor x, int dim) -> Tensor", ROWS, ""),
    "a condition on the rank": ("f(Tensor x) -> Tensor", ROWS, 'checks: ["rank(x) == 3"]'),
    "a condition on all elements": ("f(Tensor x) -> Tensor", ROWS, 'checks: ["numel(x) > 0"]'),
    "a size from the front": ("f(Tensor x) -> Tensor", ROWS, 'checks: ["x.size(0) > 0"]'),
    "strides of another": (
        "f(Tensor x) -> Tensor",
        'x: "float [*batch, n]", return: "x.dtype [*batch, n] strides(x)"',
        "",
    ),
    "random numbers": ("f(Tensor x) -> Tensor", ROWS, "tags: [nondeterministic_seeded]"),
    "a written argument": ("f(Tensor(a!) x) -> Tensor(a!)", 'x: "float [*batch, n]"', ""),
    "no contract": ("f(Tensor x) -> Tensor", "", ""),
}


def derived(folder, func, tensors, more):
    path = folder / "ops.yaml"
    lines = [f"  - func: {func}", f"    tensors: {{{tensors}}}" if tensors else "", f"    {more}" if more else ""]
    path.write_text("\n".join(["opgen: 1", "namespace: mylib", "ops:", *filter(None, lines), ""]), encoding="utf-8")
    library = check(path).library
    assert library is not None, check(path).diagnostics
    return derive_batching(library.ops[0])


@pytest.mark.parametrize(("func", "tensors", "more", "expected"), DERIVED.values(), ids=DERIVED)
def test_rows_that_nothing_else_counts_take_a_batch(tmp_path, func, tensors, more, expected):
    assert derived(tmp_path, func, tensors, more) == expected


@pytest.mark.parametrize(("func", "tensors", "more"), NOT_DERIVED.values(), ids=NOT_DERIVED)
def test_any_other_contract_does_not(tmp_path, func, tensors, more):
    assert derived(tmp_path, func, tensors, more) is None
