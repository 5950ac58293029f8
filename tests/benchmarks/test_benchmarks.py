"""The benchmarks run; what they measure is no matter of tests."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.build.toolchain import Toolchain, find_toolchain

ROOT = Path(__file__).resolve().parents[2]
WRITES = [f"{form}, {mode}" for mode in ("no_grad", "grad mode") for form in ("in-place", "mutable", "out=")]
FORMULA = [f"formula, {what}" for what in ("nothing requires grad", "forward", "forward and backward")]
CALLS = [line for line in ("functional", *WRITES) for _ in ("by hand", "custom_op")] + FORMULA
CAN_COMPILE = isinstance(find_toolchain(None, (2, 10)), Toolchain)


def measured(*arguments):
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--tiny", "--runs", "1", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in {0, 1}, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("row", "lines"),
    [
        ("lint-ten", ["lint ten ops", "lint ten ops, unchanged"]),
        pytest.param(
            "lint-native",
            ["lint native_functions.yaml", "lint native_functions.yaml, unchanged"],
            marks=pytest.mark.torch,
        ),
        pytest.param("build-again", ["build, nothing changed"] * 2, marks=pytest.mark.torch),
        ("generate-many", ["generate", "generate: memory"]),
        pytest.param(
            "calls",
            [f"call: {line}, stable ABI" for line in CALLS],
            marks=[
                pytest.mark.torch,
                pytest.mark.compile,
                pytest.mark.skipif(not CAN_COMPILE, reason="no C++ compiler, ninja or torch to build with"),
            ],
        ),
    ],
)
def test_each_row_measures_its_lines(row, lines, tmp_path):
    if row in {"lint-native", "build-again"}:
        pytest.importorskip("torch")
    shown = measured(row, "--json", tmp_path / "figures.json")
    document = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    assert [line["what"] for line in document["rows"]] == lines
    assert document["machine"]["python"]
    for line in document["rows"]:
        assert line["ratio"] == pytest.approx(line["our_median"] / line["peer_median"])
        assert line["spread"][0] <= line["ratio"] <= line["spread"][1]
        assert line["verdict"] == ("reached" if line["ratio"] <= line["wanted"] else "missed")
        assert f"{line['ratio']:.3f}x" in shown


def test_an_unknown_row_is_refused():
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "no-such-row"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "no-such-row" in done.stderr
