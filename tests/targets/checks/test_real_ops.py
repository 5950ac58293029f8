"""Declarations of real kinds of ops: samples in every dtype, one wrong call a check, judged alike by plan and fake."""

from __future__ import annotations

import math
import os
import re
from pathlib import Path

import pytest

from opgen.model.build import build_library
from opgen.model.evaluate import EvaluatedOutputs, evaluate
from opgen.model.samples import make_samples
from opgen.model.tensors import BindPack, BindSize, CheckAligned, CheckDtype, CheckValues, DtypeSet
from opgen.spec.load import load_library
from opgen.targets.checks.python import fake_checks
from opgen.targets.names import python_name
from opgen.targets.templates import render

CASES = os.environ.get("OPGEN_CASES")
pytestmark = [
    pytest.mark.torch,
    pytest.mark.skipif(not CASES, reason="OPGEN_CASES names no folder of real declarations"),
]


@pytest.fixture(scope="module")
def ops(tmp_path_factory):
    page = Path(CASES, "real_ops.yaml.md").read_text(encoding="utf-8")
    path = tmp_path_factory.mktemp("real") / "ops.yaml"
    path.write_text("\n".join(re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)), encoding="utf-8")
    built = build_library(load_library(path).library)
    assert not built.diagnostics
    return [op for op in built.library.ops if not op.spec.tests.samples and not op.spec.tests.skip]


def test_nothing_in_their_contracts_is_without_code(ops):
    assert not [found.message for op in ops for found in op.tensors.unsupported]


def test_each_has_samples_in_every_dtype_and_a_wrong_one_for_each_check(ops):
    for op in ops:
        samples = make_samples(op)
        if "PlanHandle" in op.spec.func.value:
            assert samples.problem == "no value can be made for 'plan' of type kestrel.PlanHandle"
            continue
        assert samples.valid, op.name
        broken = {evaluate(op.tensors, sample.arguments).step for sample in samples.wrong}
        for step in op.tensors.steps:
            assert isinstance(step.check, BindSize | BindPack) or step in broken, (op.name, step)
            if isinstance(step.check, CheckDtype) and isinstance(step.check.dtype, DtypeSet):
                given = [sample.arguments[step.check.tensor] for sample in samples.valid]
                firsts = [value[0] if isinstance(value, tuple) else value for value in given if value]
                assert {first.dtype for first in firsts} >= {*step.check.dtype.names}, (op.name, step)


def _checker(op):
    """Return the checks of a fake as a function of the arguments by name."""
    torch = pytest.importorskip("torch")
    module = {}
    exec(render("python/checks_module.py.j2", None), module)  # noqa: S102 - the text under test
    helpers = {"torch": torch, "math": math, "Checker": module["Checker"], "_promote": module["promote"]}
    body = [f"def run({', '.join(python_name(a.name) for a in op.arguments)}):", *fake_checks(op), "pass"]
    exec("\n    ".join(body), helpers)  # noqa: S102 - the text under test
    return lambda values: helpers["run"](**{python_name(name): value for name, value in values.items()})


def test_fakes_accept_and_refuse_what_the_plans_do(ops, materialise):
    for op in ops:
        samples, check = make_samples(op), _checker(op)
        for sample in (*samples.valid, *samples.wrong):
            outcome = evaluate(op.tensors, sample.arguments)
            values = {name: materialise(value) for name, value in sample.arguments.items()}
            if isinstance(outcome, EvaluatedOutputs) or isinstance(outcome.step.check, CheckAligned | CheckValues):
                check(values)
            else:
                with pytest.raises(RuntimeError) as refused:
                    check(values)
                assert all(words in str(refused.value) for words in sample.mention), (op.name, sample.label)
