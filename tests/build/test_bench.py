"""The process that measures, read line by line: one that ends before its time is a result of the op that it was at."""

import sys

import pytest

from opgen.build.bench import measure as measuring
from opgen.build.bench.measure import Bench, measure
from opgen.build.bench.result import Figures, Result, as_json, render

SCRIPT = """\
import json, os, sys
print("what a kernel says\\n\\x1e{}")
for op in json.loads(sys.argv[1])["ops"]:
    if op == "ns::crash":
        sys.stdout.flush()
        os.abort()
    figures = {"ours": [2.0, 6.0, 4.0], "by_hand": [1.0, 2.0, 4.0], "python": []}
    found = {"error": "RuntimeError: no"} if op == "ns::raise" else {"sample": "s", "modes": {"no_grad": figures}}
    print("\\x1e" + json.dumps({"op": op, **found}), flush=True)
"""
OPS = ["ns::first", "ns::crash", "ns::raise", "ns::last"]


@pytest.fixture
def results(tmp_path, monkeypatch):
    """What is found by a script that stands for the true one."""

    def run(script):
        (tmp_path / "timing.py").write_text(script, encoding="utf-8")
        monkeypatch.setattr(measuring, "_SCRIPT", tmp_path / "timing.py")
        return list(measure(Bench(sys.executable, tmp_path, {}, [], 3), OPS, lambda _: None))

    return run


def test_the_ops_after_a_crash_are_measured(results):
    first, crashed, raised, last = results(SCRIPT)
    assert [first.op, last.op] == ["ns::first", "ns::last"]
    assert first.modes == last.modes
    assert crashed == Result("ns::crash", problem="the process was ended by SIGABRT", is_broken=True)
    assert raised == Result("ns::raise", problem="RuntimeError: no", is_broken=True)


def test_a_process_that_does_not_begin_is_started_once(results):
    found = results("raise SystemExit('no module named torch')")
    assert [result.op for result in found] == OPS
    assert {result.problem for result in found} == {"no module named torch"}


def test_a_ratio_is_that_of_the_turns():
    figures = Figures((2.0, 6.0, 4.0), (1.0, 2.0, 4.0))
    assert figures.ratios == [2.0, 3.0, 1.0]
    assert figures.ratio == 2.0
    assert figures.spread == (1.0, 3.0)


def test_the_table_says_what_was_measured_and_what_was_not():
    measured = Result("ns::f", {"grad": Figures((2.0, 2.0), (1.0, 1.0), ("f.py:call",))}, "s")
    shown = render([measured, Result("ns::g", problem="it has no kernel for the CPU")])
    assert "ns::f  grad  2.00 µs  1.00 µs  2.00x  2.00 to 2.00" in shown.splitlines()[1]
    assert "ns::g was not measured: it has no kernel for the CPU\n" in shown
    assert "Python runs in calls of ns::f" in shown
    (call,) = as_json([measured])["calls"]
    assert call["python"] == ("f.py:call",)
