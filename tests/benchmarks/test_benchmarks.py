"""The benchmarks run; what they measure is no matter of tests."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from opgen.build.toolchain import Toolchain, find_toolchain

ROOT = Path(__file__).resolve().parents[2]
WRITES = [f"{form}, {mode}" for mode in ("no_grad", "grad mode") for form in ("in-place", "mutable", "out=")]
FORMULA = [f"formula, {what}" for what in ("nothing requires grad", "forward", "forward and backward")]
CALLS = [line for line in ("functional", *WRITES) for _ in ("by hand", "custom_op")] + FORMULA
COMPILES = [
    pytest.mark.torch,
    pytest.mark.compile,
    pytest.mark.skipif(
        not isinstance(find_toolchain(None, (2, 10)), Toolchain), reason="no C++ compiler, ninja or torch to build with"
    ),
]


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
            "compile-one",
            ["compile the registration of one op"],
            marks=COMPILES,
        ),
        pytest.param(
            "calls",
            [f"call: {line}, stable ABI" for line in CALLS],
            marks=COMPILES,
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
        assert line["row"] == row
        assert line["ratio"] == pytest.approx(line["our_median"] / line["peer_median"])
        assert line["spread"][0] <= line["ratio"] <= line["spread"][1]
        assert line["verdict"] == ("reached" if line["ratio"] <= line["wanted"] else "missed")
        assert f"{line['ratio']:.3f}x" in shown


@pytest.fixture
def benchmarks(monkeypatch):
    """Import a module of the package."""
    monkeypatch.syspath_prepend(str(ROOT))
    return lambda name: import_module(f"benchmarks.{name}")


def test_what_runs_again_is_listed_and_counted(benchmarks, monkeypatch, tmp_path):
    first = ["op_0000.cpp", "op_0001.cpp", "library.cpp", "libbig_ops.so"]
    runs = [first, [], ["units/op_0000.cpp", "libbig_ops.so"], first]
    row, library, comparison = map(benchmarks, ("rows.big_library", "large_library", "comparison"))
    outputs = iter("".join(f"[1/{len(run)}] {file}\n" for file in run) for run in runs)
    monkeypatch.setattr(library, "run", lambda *_, **__: next(outputs))
    nothing, kernel, schema = row.measure(comparison.Plan(tmp_path))
    assert (nothing.our_runs, nothing.reached) == ((0,), True)
    assert (kernel.our_runs, kernel.peer_runs, kernel.reached) == ((2,), (4,), True)
    assert kernel.ours == "`libbig_ops.so`, `op_0000.cpp`"
    assert (schema.our_runs, schema.reached) == ((4,), False)


def test_a_farm_that_is_not_installed_is_a_reason_and_no_failure(benchmarks, monkeypatch, tmp_path):
    row, comparison = benchmarks("rows.on_a_farm"), benchmarks("comparison")
    monkeypatch.setattr(row, "PROGRAMS", ["no-such-launcher"])
    (line,) = row.measure(comparison.Plan(tmp_path))
    assert (line.reason, line.failed) == ("not installed: no-such-launcher", False)


def test_a_ratio_is_that_of_runs_in_turn(benchmarks):
    one = benchmarks("comparison").Comparison("w", "o", "p", "s", (1.0, 40.0, 3.0), (2.0, 80.0, 4.0), 1)
    assert (one.ratio, one.spread) == (0.5, (0.5, 0.75))


def test_a_row_that_fails_is_a_line_and_the_others_are_measured(benchmarks):
    comparison, table = benchmarks("comparison"), benchmarks("table")

    def measure(_):
        yield comparison.Comparison("first", "o", "p", "s", (1.0,), (2.0,), 1)
        raise RuntimeError("this row needs a compiler")

    lines = list(comparison.Row("some", measure).lines(None))
    assert table.as_text(lines).endswith("\nsome: failed: this row needs a compiler\n")
    document = table.as_json(
        {"some": lines}, dict.fromkeys(("processor", "cores", "system", "python", "torch", "seconds"), "x")
    )
    assert "| some |  |  |  |  | failed: this row needs a compiler |" in table.as_page(document)


def test_figures_of_a_part_are_written_beside_those_of_the_same_machine_only(benchmarks, monkeypatch, tmp_path):
    comparison, page = benchmarks("comparison"), benchmarks("page")
    monkeypatch.setattr(page, "_HERE", tmp_path)
    monkeypatch.setattr(page, "PAGE", tmp_path / "speed.md")
    page.PAGE.write_text("before\n<!-- figures -->\n<!-- end -->\nafter\n", encoding="utf-8")
    rows = {name: comparison.Row(name, lambda _: iter(())) for name in ("a", "b")}
    here = dict.fromkeys(("processor", "cores", "system", "python", "torch", "seconds"), "here")

    def lines(ours):
        return [comparison.Comparison("line", "o", "p", "s", (ours,), (2.0,), 1)]

    assert page.write_figures(rows, {"a": lines(1.0), "b": lines(1.0)}, here) == []
    assert page.write_figures(rows, {"b": lines(3.0)}, here) == []
    text = page.PAGE.read_text(encoding="utf-8")
    assert text.index("**0.500**") < text.index("**1.500**")
    assert text.startswith("before\n")
    assert text.endswith("<!-- end -->\nafter\n")
    assert "measure a too" in page.write_figures(rows, {"b": lines(4.0)}, {**here, "cores": "there"})[0]
    assert page.PAGE.read_text(encoding="utf-8") == text


def test_the_page_keeps_figures_of_the_long_form(benchmarks, monkeypatch):
    main, row = benchmarks("__main__"), benchmarks("comparison").Row
    written = []
    rows = [row("short", lambda _: iter(())), row("library", lambda _: iter(()), has_long_form=True)]
    monkeypatch.setattr(main, "all_rows", lambda: {each.name: each for each in rows})
    monkeypatch.setattr(main, "write_figures", lambda _, lines, __: written.append([*lines]) or [])

    for words in (["--all", "--write"], ["--long", "--write"]):
        monkeypatch.setattr(sys, "argv", ["benchmarks", *words])
        main.main()

    assert written == [["short"], ["short", "library"]]


def test_an_unknown_row_is_refused():
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "no-such-row"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "no-such-row" in done.stderr
