"""docs/families.md: its library is built, its example runs, its tables are true."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from opgen.build.check import check
from opgen.build.toolchain import Toolchain, find_toolchain

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "families.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```\w+ file=(\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
KERNELS = {
    "kernels/cpu/norm.cpp": """\
#include <mylib_ops/norm.h>

#include <cmath>

namespace mylib::cpu {

void norm(const Tensor& x, const Tensor& weight, double eps, Tensor& out) {
  const Rows<const float> rows(x);
  float* result = out.mutable_data_ptr<float>();
  for (int64_t row = 0; row < rows.count(); ++row, result += rows.size()) {
    const auto at = [&](int64_t i) { return rows[row][i * rows.stride()]; };
    float squares = 0;
    for (int64_t i = 0; i < rows.size(); ++i) squares += at(i) * at(i);
    const float scale = 1 / std::sqrt(squares / rows.size() + static_cast<float>(eps));
    const float* w = weight.const_data_ptr<float>();
    for (int64_t i = 0; i < rows.size(); ++i) result[i] = at(i) * scale * w[i * weight.stride(0)];
  }
}

}  // namespace mylib::cpu
""",
    "kernels/cpu/gate.cpp": """\
#include <mylib_ops/gate.h>

namespace mylib::cpu {

void gate(Tensor& out, const Tensor& x, Tensor& work) {
  const Rows<const float> rows(x);
  float* result = out.mutable_data_ptr<float>();
  float* right = work.mutable_data_ptr<float>();
  for (int64_t row = 0; row < rows.count(); ++row) {
    for (int64_t i = 0; i < rows.size() / 2; ++i) right[i] = rows[row][(rows.size() / 2 + i) * rows.stride()];
    for (int64_t i = 0; i < rows.size() / 2; ++i) *result++ = rows[row][i * rows.stride()] * right[i];
  }
}

}  // namespace mylib::cpu
""",
    "references.py": "def gate(out, x, work):\n    left, right = x.chunk(2, -1)\n    return left * right\n",
}


def write(folder):
    for name, text in {**FILES, **KERNELS}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def test_its_declaration_has_no_finding(tmp_path):
    write(tmp_path)
    assert check(tmp_path / "ops.yaml").diagnostics == ()


def rows(heading):
    """The rows of the first table of a section, cell by cell."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    table = re.search(r"^\|.*?(?=^$)", section, re.MULTILINE | re.DOTALL)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


@pytest.mark.parametrize("cells", rows("Which forms can be derived"), ids=lambda cells: cells[0])
def test_the_forms_of_its_table_can_be_derived(cells, tmp_path):
    schema = re.search(r"`(f\S*\(.*?\) -> \S+)`", cells[0])[1]
    names = [name for cell in cells[1:] for name in re.findall(r"`(.*?)`", cell)]
    tensors = {"x": "float32 [n]", "out" if "out" in schema else "return": "float32 [n]"}
    for name in names:
        op = {"func": schema, "autograd": "none", "tensors": tensors, "autogen": [name]}
        op |= {"overwrites": ["out"]} if "overwrites" in cells[0] else {}
        (tmp_path / "ops.yaml").write_text(json.dumps({"opgen": 1, "namespace": "mylib", "ops": [op]}), "utf-8")
        found = check(tmp_path / "ops.yaml")
        assert found.diagnostics == ()
        assert [op.is_derived for op in found.library.ops].count(True) == 1


@pytest.mark.compile
@pytest.mark.usefixtures("unoptimised")
@pytest.mark.torch
def test_its_library_is_built_and_its_example_runs(tmp_path):
    if not isinstance(find_toolchain(None, (2, 10)), Toolchain):
        pytest.skip("no C++ compiler, ninja or torch to build with")
    write(tmp_path)
    build = [sys.executable, "-m", "opgen", "build"]

    done = subprocess.run(build, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    assert re.findall(r"^mylib::(\S+) .* compiled, tested", done.stdout, re.MULTILINE) == [
        *("gate", "gate.functional", "norm", "norm.out", "norm_")
    ]
    example = f"import sys\nsys.path.insert(0, 'generated')\n{FILES['example.py']}"
    done = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
