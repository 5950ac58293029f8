"""The tests that are generated for sound kernels pass, and need nothing but torch and pytest."""

import json
import re

import pytest

from opgen.targets.tests.op_tests import test_file as file_of_tests


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
        "acme::total": {"CPU": "called"},
        "acme::version": {"CompositeExplicitAutograd": "called"},
    }


@pytest.fixture(scope="module")
def odd_kernels(tmp_path_factory, case_project):
    return case_project(tmp_path_factory.mktemp("first_calls"), "first_calls").compile()


def test_the_smoke_test_sees_dtypes_and_sizes_and_tells_a_reference_from_a_kernel(odd_kernels):
    run = odd_kernels.run(
        "-c", "import runpy, standin; runpy.run_path('generated/tests/smoke.py', run_name='__main__')"
    )

    assert {op: keys["CPU"] for op, keys in json.loads(run.stdout.splitlines()[-1]).items()} == {
        "odd::narrow": "output 0 has dtype int32, but the declaration 'int64 [n]' says int64",
        "odd::short": "output 0 has size 4 at dim 0, but the declaration 'float32 [n]' says 5",
        "odd::unknown": "the reference raised NameError: name 'np' is not defined (reference: np.abs(x))",
        "odd::unfound": "the reference raised ModuleNotFoundError: No module named 'nowhere' "
        "(reference: nowhere.at_all:f)",
        "odd::counted": "called",
        "odd::raising": "the call raised TypeError: not today",
    }


def test_a_failed_opcheck_is_not_buried_under_traces_of_the_compiler(odd_kernels):
    run = odd_kernels.test("-k", "counted and opcheck")

    assert "1 failed" in run.stdout
    assert "torch.__trace" not in run.stdout


def test_a_form_that_no_sample_has_is_told(project):
    declarations = """
opgen: 1
namespace: forms
ops:
  - func: copied(Tensor x, str mode) -> Tensor
    tensors: {x: "float32 [n] if mode == 'plain' else float64 [n]", return: "x.dtype [n]"}
    checks: ["mode in ('wide', 'wider')"]
"""
    run = project(declarations, "def copied(x, mode, out):\n    out.copy_(x)\n").compile().test("-k", "form", "-rs")

    assert "no sample was found where mode == 'plain' holds" in run.stdout


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


def test_tensors_of_samples_hold_what_the_contract_says_about_values(project):
    declarations = """
opgen: 1
namespace: facts
ops:
  - func: pick(Tensor x, Tensor ids, Tensor starts, Tensor order) -> Tensor
    tensors:
      x: "float32 [n]"
      ids: "int64 [m] in range(0, n)"
      starts: "int32 [bags] offsets(m)"
      order: "int32 [m] permutation"
      return: "float32 [m]"
"""
    kernels = """
import torch

def pick(x, ids, starts, order, out):
    assert ids.numel() == 0 or (0 <= ids.min() and ids.max() < len(x))
    assert starts.numel() == 0 or (starts[0] == 0 and starts[-1] == len(ids) and (starts.diff() >= 0).all())
    assert order.sort().values.tolist() == list(range(len(ids)))
    out.copy_(x[ids])
"""
    run = project(declarations, kernels).compile().test("-k", "not wrong_calls")  # no host checks read elements here

    assert run.returncode == 0, run.stdout


def test_an_op_on_float8_has_tests_that_pass(project):
    declarations = """
opgen: 1
namespace: odd
ops:
  - func: narrow(Tensor x) -> Tensor
    tensors: {x: "float8_e4m3fn|float8_e5m2 [n]", return: "float32 [n]"}
    reference: x
"""
    run = project(declarations, "def narrow(x, out):\n    out.copy_(x)\n").compile().test()

    assert run.returncode == 0, run.stdout


def test_an_op_without_a_fake_kernel_is_not_called_with_tensors_on_meta(tmp_path, resolve):
    declared = (
        'func: untraced(Tensor x, Tensor y) -> int\n    tensors: {x: "float32 [n]", y: "float32 [n]"}\n    fake: '
    )
    for fake in ("none", "x.new_empty(0)"):
        (tmp_path / "ops.yaml").write_text(f"opgen: 1\nnamespace: odd\nops:\n  - {declared}{fake}\n", encoding="utf-8")
        library = resolve(tmp_path / "ops.yaml")
        text = file_of_tests(library, library.ops[0]).content
        assert '"y-size-0"' in text
        assert ('"y-device"' in text) == (fake != "none")
