"""The generated test of sizes that vary, on cases of its own."""

from pathlib import Path
from types import SimpleNamespace
from unittest import SkipTest

import pytest

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.torch

SUPPORT = Path(__file__).parents[3] / "generated" / "tests"


def case(size):
    arguments = {"x": torch.ones(size)}
    operator = SimpleNamespace(live=lambda x: x + 1, bind=lambda values: ((values["x"],), {}))
    return SimpleNamespace(operator=operator, values={"x": None}, arguments=lambda: dict(arguments), results=dict)


@pytest.mark.parametrize(("sizes", "is_skipped"), [((1, 0, 3), True), ((3,), True), ((1, 3, 5), False)])
def test_one_that_has_no_two_sizes_alike_is_skipped(sizes, is_skipped, monkeypatch):
    monkeypatch.syspath_prepend(SUPPORT)
    from _support import compiling, report  # noqa: PLC0415 - they stand on the path that was added above

    complaints = {}

    def try_it():
        report.note(
            complaints, sizes, lambda: compiling.varies_without_recompilation([*map(case, sizes)], dynamic=True)
        )

    if is_skipped:
        with pytest.raises(SkipTest, match="no two samples"):
            try_it()
    else:
        try_it()
    assert not complaints
