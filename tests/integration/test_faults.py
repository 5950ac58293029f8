"""Kernels that are broken on purpose fail their generated tests, in sentences that the author of a kernel understands."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.build.toolchain import Toolchain, find_toolchain

pytestmark = [
    pytest.mark.compile,
    pytest.mark.usefixtures("unoptimised"),
    pytest.mark.torch,
    pytest.mark.skipif(
        not isinstance(find_toolchain(None, (2, 10)), Toolchain), reason="no C++ compiler, ninja or torch to build with"
    ),
]

CASE = Path(__file__).parents[1] / "cases" / "faults"

NOT_REPEATED = (
    "faulty::blend: output 0 is another one in a second call with the same arguments: the kernel does not write every "
    "element of it, reads memory that nobody wrote, or is not deterministic"
)

# What the environment variable FAULT makes of the kernels -> the generated test that finds it, and how it begins.
FAULTS = {
    "accumulates into the output": (
        "test_blend_out.py::TestBlendOut::test_old_contents",
        "faulty::blend.out: argument 'out' depends on what 'out' held before the call (it accumulates into it)",
    ),
    "forgets the tail of a vector loop": ("test_blend.py::TestBlend::test_repetition", NOT_REPEATED),
    "ignores the strides of an input": (
        "test_blend.py::TestBlend::test_layouts",
        "faulty::blend: the kernel ignores the strides of 'x': for a transposed tensor output 0 differs",
    ),
    "ignores the strides of the output": (
        "test_blend_out.py::TestBlendOut::test_layouts",
        "faulty::blend.out: the kernel ignores the strides of 'out': for a transposed tensor argument 'out' differs",
    ),
    "ignores an argument": (
        "test_blend.py::TestBlend::test_reference",
        "faulty::blend: output 0 differs from the reference",
    ),
    "is not deterministic": ("test_blend.py::TestBlend::test_repetition", NOT_REPEATED),
    "writes an input": (
        "test_blend.py::TestBlend::test_undeclared_writes",
        "faulty::blend: argument 'y' was written, but the schema does not say so: Tensor(a!) y",
    ),
    "is confused by one tensor for two arguments": (
        "test_blend.py::TestBlend::test_same_argument",
        "faulty::blend: with one tensor as 'x' and 'y' output 0 differs",
    ),
    "writes behind the output": (
        "test_blend_out.py::TestBlendOut::test_bounds",
        "faulty::blend.out: the kernel writes behind the last element of 'out'",
    ),
    "reads behind an input": (
        "test_blend.py::TestBlend::test_bounds",
        "faulty::blend: the kernel reads beyond the elements of an argument: with NaN around them output 0 differs",
    ),
    "forgets a dtype": ("test_blend.py::TestBlend::test_repetition", NOT_REPEATED),
    "starts no thread for rows without elements": (
        "test_blend.py::TestBlend::test_undeclared_writes",
        "faulty::blend: the call raised RuntimeError: invalid configuration argument",
    ),
    "returns an undefined tensor": (
        "test_largest.py::TestLargest::test_fake",
        "faulty::largest: the call raised RuntimeError: faulty::largest: output 'place' as the kernel returned it: expected None",
    ),
    "returns an argument": (
        "test_positive.py::TestPositive::test_fresh_outputs",
        "faulty::positive: output 0 shares storage with argument 'x'",
    ),
    "returns another dtype": (
        "test_positive.py::TestPositive::test_fake",
        "faulty::positive: the call raised RuntimeError: faulty::positive: output 'out' as the kernel returned it: expected",
    ),
}

# One process for all: torch is imported once.
RUN = """\
import json, os, sys, pytest

class Messages:
    def __init__(self):
        self.found = {}

    def pytest_runtest_logreport(self, report):
        if report.failed:
            name = report.nodeid.removeprefix("generated/tests/")
            self.found[name] = report.longrepr.reprcrash.message.removeprefix("AssertionError: ")

results = {}
for fault, test in json.loads(sys.argv[1]).items():
    os.environ["FAULT"] = fault
    messages = Messages()
    pytest.main(["-q", "--no-header", "-p", "no:cacheprovider", "generated/tests/" + test], [messages])
    results[fault] = messages.found
print("\\n" + json.dumps(results))
"""


@pytest.fixture(scope="module")
def failures(tmp_path_factory):
    """What fails with each fault, and with none: the id of a test -> its message."""
    folder = tmp_path_factory.mktemp("faults") / "library"
    shutil.copytree(CASE, folder)
    build = subprocess.run([sys.executable, "-m", "opgen", "build"], cwd=folder, capture_output=True, check=False)
    assert build.returncode == 0, build.stdout + build.stderr
    command = [sys.executable, "-c", RUN, json.dumps({"": "", **{fault: test for fault, (test, _) in FAULTS.items()}})]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return json.loads(run.stdout.splitlines()[-1])


def test_without_a_fault_nothing_fails(failures):
    assert failures[""] == {}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_generated_test_says_what_the_kernel_does_wrong(failures, fault):
    test, sentence = FAULTS[fault]
    message = failures[fault][test]
    assert any(line.startswith(sentence) for line in message.splitlines()), message


def test_a_failure_shows_the_declaration_the_samples_the_seed_and_how_to_repeat_it(failures):
    message = failures["writes an input"]["test_blend.py::TestBlend::test_undeclared_writes"]
    lines = message.splitlines()
    assert lines[1].startswith("    sample float32-distinct: faulty::blend(x=float32[")
    assert lines[-2:] == [
        "declared at ops.yaml:7, seed 0",
        'repeat it: python -m pytest "generated/tests/test_blend.py::TestBlend::test_undeclared_writes"',
    ]
