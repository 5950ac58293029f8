"""The measurement of forgotten marks counts what is found and what is not, and the page that shows it has its rows."""

import re
import sys
from pathlib import Path

from opgen.diagnostics import Severity
from opgen.readers.cpp import read_cpp
from opgen.source import Source

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import recall  # noqa: E402 - a script beside this file

KERNELS = """
void fill(float* p) { p[0] = 1; }
void run(Params p);
void f(at::Tensor& x, at::Tensor& y, at::Tensor& z, const at::Tensor& w) {
  fill(x.data_ptr<float>());
  maybe(y.mutable_data_ptr<float>());
  Params p; p.z = z.data_ptr<float>(); run(p);
}
TORCH_LIBRARY(mylib, m) {
  m.def("f(Tensor(a!) x, Tensor! y, Tensor(c!) z, Tensor w) -> Tensor(a!)", &f);
  m.def("elsewhere(Tensor! x) -> ()");
}
"""


def test_each_mark_of_an_op_with_a_kernel_is_taken_away_once():
    marks = list(recall.recall(read_cpp([Source("ops.cpp", KERNELS)], {})))
    assert [(one.op, one.argument, one.place, one.found) for one in marks] == [
        ("mylib::f", "x", "ops.cpp:10", Severity.ERROR),
        ("mylib::f", "y", "ops.cpp:10", Severity.WARNING),
        ("mylib::f", "z", "ops.cpp:10", None),
    ]
    assert recall.row("mylib", marks) == ("mylib", "3", "2 (67%)", "1", "1", "1")


def test_the_script_prints_the_columns_of_the_page(tmp_path, capsys):
    (tmp_path / "ops.cpp").write_text(KERNELS, encoding="utf-8")
    assert recall.main([str(tmp_path), "--unseen"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].endswith("ops.cpp:10: mylib::f 'z'")

    page = (
        (HERE.parents[1] / "docs" / "real-libraries.md").read_text(encoding="utf-8").partition("## Forgotten marks")[2]
    )
    heads, _, *rows = (
        [cell.strip() for cell in line.split("|")] for line in re.findall(r"^\|(.*)\|$", page, re.MULTILINE)
    )
    printed = [cell.strip() for cell in lines[0].strip("|").split("|")]
    assert [head for head in heads if head != "before"] == printed
    assert all(int(row[1]) == int(row[3].split()[0]) + int(row[6]) for row in rows)
    assert all(int(row[3].split()[0]) == int(row[4]) + int(row[5]) for row in rows)
