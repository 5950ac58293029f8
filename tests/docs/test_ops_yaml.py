"""The section on references in docs/ops-yaml.md does what it says, by the machinery of the generated tests."""

import re
import sys
from pathlib import Path

import pytest

from opgen.build.check import check

PROJECT = Path(__file__).resolve().parents[2]
SECTION = (PROJECT / "docs" / "ops-yaml.md").read_text(encoding="utf-8").partition("\n## A reference\n")[2]
YAML, PYTHON = (re.search(rf"```{language}\n(.*?)```", SECTION, re.DOTALL)[1] for language in ("yaml", "python"))


def test_its_declaration_has_no_finding(tmp_path):
    (tmp_path / "ops.yaml").write_text(YAML, encoding="utf-8")

    assert check(tmp_path / "ops.yaml").diagnostics == ()


@pytest.mark.torch
@pytest.mark.parametrize("rows", [0, 3])
@pytest.mark.parametrize("has_momentum", [True, False])
def test_a_reference_gets_and_yields_what_it_says(rows, has_momentum, tmp_path, monkeypatch):
    torch = pytest.importorskip("torch")
    (tmp_path / "references.py").write_text(PYTHON, encoding="utf-8")
    monkeypatch.delitem(sys.modules, "references", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.syspath_prepend(PROJECT / "generated" / "tests")
    from _support import Operator  # noqa: PLC0415 - it stands on the path that was added above

    schema = re.search(r"func: (.*)", YAML)[1]
    # A package is imported before a schema is read, as it may register types; these need none.
    operator = Operator(package="torch", schema=f"mylib::{schema}", reference="references:sgd")
    ones = torch.ones(rows, 2, dtype=torch.float16)
    arguments = {"weight": ones, "momentum": ones if has_momentum else None, "grad": ones}

    values = operator.expected(arguments)

    names = operator.results(arguments, [object()])
    assert list(names) == ["argument 'weight'", "argument 'momentum'", "output 0"]
    weight, momentum, largest = values
    assert weight.dtype == torch.float64
    assert torch.allclose(weight, torch.full((rows, 2), 1 - 0.1 * (1.9 if has_momentum else 1), dtype=torch.float64))
    assert (momentum is None) != has_momentum
    assert largest.tolist() == [1] * rows
