"""The final table."""

import re

import pytest

from opgen.build.report import Report, Row, Status, render, status_of

REPORT = Report(
    (
        Row("ns::add_", "in-place", {"CPU": Status.TESTED}),
        Row("ns::rms_norm", "functional", {"CPU": Status.BROKEN, "CUDA": Status.UNTESTED}),
        Row("ns::rms_norm_", "in-place", {"CPU": Status.BROKEN, "CUDA": Status.UNTESTED}, "ns::rms_norm"),
        Row("ns::seed", "functional", {}),
        Row("ns::sort", "functional", {"CPU": Status.CALLED, "CUDA": Status.INTERPRETED_CALLED}),
    ),
    "generated/ns_ops/libns_ops.so",
)
TABLE = """\
op             contract    CPU               CUDA
ns::add_       in-place    compiled, tested
ns::rms_norm   functional  does not compile  not tested
ns::rms_norm_  in-place    does not compile  not tested  (from ns::rms_norm)
ns::seed       functional
ns::sort       functional  compiled, called  called

5 ops, 5 kernels: 1 compiled, tested, 1 compiled, called, 1 called, 2 not tested, 2 does not compile; generated/ns_ops/libns_ops.so
"""


def test_columns_are_aligned_and_lines_have_no_blanks_at_their_end():
    assert render(REPORT) == TABLE


@pytest.mark.parametrize(
    ("result", "compiled", "interpreted"),
    [
        ("ok", "compiled, tested", "tested"),
        ("called", "compiled, called", "called"),
        ("the call raised", "test failed", "test failed"),
        (None, "compiled, not tested", "not tested"),
    ],
)
def test_what_was_only_called_is_not_said_to_be_tested(result, compiled, interpreted):
    assert status_of(result, is_compiled=True).value == compiled
    assert status_of(result, is_compiled=False).value == interpreted


def test_colours_change_nothing_but_the_colours():
    coloured = render(REPORT, color=True)
    assert "\x1b[31mdoes not compile" in coloured
    assert re.sub(r" *\n", "\n", re.sub(r"\x1b\[\d+m", "", coloured)) == TABLE


def test_a_stored_report_is_the_same_report(tmp_path):
    REPORT.save(tmp_path)
    assert Report.load(tmp_path) == REPORT


def test_a_backend_that_is_left_out_is_one_sentence():
    rows = (
        Row("ns::sort", "functional", {"CPU": Status.TESTED, "CUDA": Status.NO_NVCC}),
        Row("ns::swap", "functional", {"CUDA": Status.NO_NVCC}),
    )
    last = render(Report(rows, "")).splitlines()[-1]
    assert (
        last
        == "CUDA kernels are left out: nvcc was found neither in PATH nor in CUDA_HOME, CUDA_PATH or /usr/local/cuda"
    )


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"rows": [{"op": 1}], "binary": ""}'])
def test_a_damaged_report_raises_what_its_readers_expect(tmp_path, text):
    (tmp_path / "report.json").write_text(text)
    with pytest.raises((ValueError, KeyError, TypeError)):
        Report.load(tmp_path)
