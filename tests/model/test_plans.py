"""What declarations mean: the plans of `plans.yaml`, line by line."""

from pathlib import Path

import pytest
import yaml

CASES = yaml.safe_load((Path(__file__).parent / "plans.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["func"].split("(")[0] for case in CASES])
def test_a_declaration_means_its_plan(case, contract_of, plan_lines):
    keys = {key: value for key, value in case.items() if key not in ("func", "tensors", "checks", "plan")}
    contract = contract_of(case["func"], case["tensors"], case.get("checks", ()), **keys)
    assert plan_lines(contract) == case["plan"].splitlines()


def test_value_facts_stay_with_their_tensor(contract_of):
    contract = contract_of(
        "f(Tensor rows, Tensor ids, Tensor? starts) -> Tensor",
        {
            "rows": "float [n, d]",
            "ids": "int64 [m] in range(0, n)",
            "starts": "int32 [k] offsets(m)",
            "return": "int64 [m] permutation",
        },
    )
    assert sorted(contract.values) == ["ids", "out", "starts"]


def test_sizes_and_packs_are_told_apart(contract_of):
    contract = contract_of("f(Tensor x, SymInt[] sizes) -> ()", {"x": "any [*batch, n, prod(sizes)]"})
    assert contract.packs == {"batch"}


def test_own_sets_of_dtypes_are_written_out_in_a_fixed_order(contract_of):
    contract = contract_of("f(Tensor x) -> ()", {"x": "int64|half|float8_e5m2 []"})
    (step,) = (step for step in contract.steps if hasattr(step.check, "dtype"))
    assert step.check.dtype.names == ("int64", "float8_e5m2", "float16", "bfloat16")


def test_a_contract_does_not_depend_on_the_order_of_its_entries(contract_of):
    func = "f(Tensor x, Tensor y) -> Tensor"
    entries = {"x": "float [n, 2*m]", "y": "x.dtype [m, k]", "return": "x.dtype [n, k]"}
    assert contract_of(func, entries) == contract_of(func, dict(reversed(entries.items())))
