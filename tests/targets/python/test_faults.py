"""Each fault of ``tests/cases/python/faults/kernels.py`` makes the right generated test fail, in the right words."""

import re
import xml.etree.ElementTree as ET

import pytest

FAULTS = {
    "fold_acc": ("fresh_outputs", "output 0 shares storage with argument 'acc'"),
    "blend_in": ("undeclared_writes", "argument 'acc' was written, but the schema does not say so"),
    "wait_for": ("fresh_outputs", "output 0 shares storage with argument 'pending'"),
    "pick": ("fresh_outputs", "output 0 shares storage with argument 'buf'", "whole=True", "whole=False"),
    "plan": (
        "fresh_outputs",
        "output 0 shares storage with argument 'scratch'",
        "output 1 shares storage with argument 'scratch'",
        "output 1 shares storage with output 0",
    ),
    "fill_front": ("fresh_outputs", "output 0 shares storage with argument 'buf'"),
    "moe": ("fake", "output 0 has size", "at dim 1, but the declaration 'hidden.dtype [tokens, width]' says"),
    "mm_q8": ("fake", "output 0 has dtype float32, but the declaration 'float16 [n]' says float16", "act=float32"),
    "rotate_pairs": ("fake", "output 0 has strides (1, ", "but the declaration 'float32 [m, n]' says"),
    "cache_put": (
        "old_contents",
        "argument 'cache' depends on what 'cache' held before the call",
        "can then only be mutable, without derived functional and out= forms",
    ),
    "twice_out": ("old_contents", "argument 'out' depends on what 'out' held before the call"),
    "halve_": ("versions", "argument 'values' is written, but its version rose by 0 instead of 1"),
    "quarter_": ("leaves", "a call whose argument 'values' is a leaf that requires grad is not refused"),
    "copied_": ("identity", "output 0 is not the object passed as argument 'values'"),
    "unchecked": ("wrong_calls", "a wrong call is not refused"),
    "rounded": ("reference", "output 0 differs from the reference", "Greatest absolute difference"),
    "crashing": ("fresh_outputs", "the call raised ValueError: the kernel gave up"),
    "absent": ("registered", "missing: the CPU kernel"),
    "mended": ("reference", "[XPASS(strict)] the kernel subtracted once"),
}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory, case_project):
    """Run all generated tests once: (op, test) -> the text of the failure, or the empty string."""
    folder = tmp_path_factory.mktemp("faults")
    run = case_project(folder, "faults").compile().test("--junitxml=report.xml")
    assert run.returncode == 1, run.stdout + run.stderr
    found = {}
    for case in ET.parse(folder / "report.xml").iter("testcase"):  # noqa: S314 - pytest wrote it
        op = re.search(r"test_(\w+)\.Test", case.get("classname"))[1]
        failure = case.find("failure")
        skipped = case.find("skipped")
        text = "" if failure is None else failure.get("message") + (failure.text or "")
        found[op, case.get("name").removeprefix("test_")] = text or ("" if skipped is None else "skipped")
    return found


@pytest.mark.parametrize("op", FAULTS)
def test_a_generated_test_finds_the_fault_and_says_what_it_is(outcomes, op):
    test, *words = FAULTS[op]
    for word in words:
        assert word in outcomes[op, test]


def test_a_failure_names_the_declaration_and_the_command_that_repeats_it(outcomes):
    text = outcomes["wait_for", "fresh_outputs"]

    assert text.startswith("AssertionError: broken::wait_for: output 0 shares storage with argument 'pending'\n")
    assert "declared at ops.yaml:10, seed 0" in text
    assert 'python -m pytest "generated/tests/test_wait_for.py::TestWaitFor::test_fresh_outputs"' in text


def test_a_fault_breaks_no_promise_that_it_keeps(outcomes):
    assert outcomes["wait_for", "versions"] == outcomes["wait_for", "undeclared_writes"] == ""
    assert outcomes["halve_", "identity"] == outcomes["halve_", "leaves"] == ""
    assert outcomes["quarter_", "versions"] == ""


def test_an_expected_failure_and_a_skipped_op_fail_nothing(outcomes):
    assert outcomes["known", "reference"] == "skipped"
    assert {text for (op, _), text in outcomes.items() if op == "skipped"} == {"skipped"}
