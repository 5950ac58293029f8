"""The tests that are generated for sound kernels pass, and need nothing but torch and pytest."""

import json
import re

import pytest


@pytest.fixture(scope="module")
def contracts(tmp_path_factory, case_project):
    return case_project(tmp_path_factory.mktemp("contracts"), "contracts").compile()


def test_every_promise_of_sound_kernels_holds(contracts):
    run = contracts.test()

    assert run.returncode == 0, run.stdout
    assert re.search(r"^\d+ passed in", run.stdout, re.MULTILINE), run.stdout


def test_the_smoke_test_prints_one_object_with_a_verdict_for_each_kernel(contracts):
    run = contracts.run("-c", "import runpy, standin; runpy.run_path('generated/tests/smoke.py', run_name='__main__')")

    verdicts = json.loads(run.stdout.splitlines()[-1])
    assert verdicts == {
        "acme::add.out": {"CPU": "ok"},
        "acme::add_": {"CPU": "ok"},
        "acme::positive": {"CPU": "ok"},
        "acme::rms_norm": {"CPU": "ok"},
        "acme::scaled": {"CPU": "ok"},
        "acme::silu_and_mul": {"CPU": "ok"},
        "acme::total": {"CPU": "ok"},
        "acme::version": {"CompositeExplicitAutograd": "ok"},
    }


def test_an_op_can_bring_its_own_samples(project):
    declarations = """
opgen: 1
namespace: own
ops:
  - func: first(Tensor x, Tensor offsets) -> Tensor
    tensors: {x: "float32 [n]", offsets: "int64 [m]", return: "float32 [m]"}
    tests: {samples: "sampling:offsets"}
    reference: x[offsets]
"""
    kernels = "def first(x, offsets, out):\n    out.copy_(x[offsets])\n"
    made = project(declarations, kernels).compile()
    (made.folder / "sampling.py").write_text(
        "import torch\n\n\ndef offsets():\n    yield {'x': torch.randn(3), 'offsets': torch.tensor([2, 0])}\n",
        encoding="utf-8",
    )

    run = made.test("-k", "reference or fake")

    assert run.returncode == 0, run.stdout
    assert "2 passed" in run.stdout
