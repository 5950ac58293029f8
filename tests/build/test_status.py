"""What ``opgen status`` knows of each op."""

import pytest

from opgen.build.check import check
from opgen.build.generate import generate
from opgen.build.status.declared import status_of_library
from opgen.build.status.facts import Fact, Matrix, OpStatus, State, missing, other, ready
from opgen.build.status.registered import status_of_sources
from opgen.build.status.show import table
from opgen.emit.kernel_files import KernelState, kernel_state
from opgen.readers.cpp import read_cpp
from opgen.readers.python import read_python
from opgen.rules.registrations.joined import join
from opgen.rules.registrations.registry import judge_registrations
from opgen.source import Location, Source, Span

HEAD = "opgen: 1\nnamespace: mylib\nops:\n  - func: "
F = 'f(Tensor x) -> Tensor\n    tensors: {x: "float [n]", return: "x.dtype [n]"}\n'

DECLARED = [
    (F, "fake", ready("derived")),
    ("f(Tensor x) -> Tensor\n", "fake", missing("missing")),
    ("f(Tensor x) -> Tensor\n    fake: none\n", "fake", other("none")),
    ("f(Tensor x) -> Tensor\n    fake: mylib.fakes:f\n", "fake", ready("given")),
    ("f(Tensor(a!) x) -> ()\n", "fake", ready("derived")),
    (F, "autograd", missing("not stated")),
    (F + "    autograd: none\n", "autograd", other("none")),
    (F + "    autograd: {x: grad}\n", "autograd", ready("formulas")),
    ("f(Tensor(a!) x) -> ()\n", "autograd", other("refused")),
    ("f(int n) -> int\n", "autograd", other("-")),
    (F, "autocast", other("-")),
    (F + "    autocast: float32\n", "autocast", ready("float32")),
    (F + "    vmap: mylib.vmap:f\n", "vmap", ready("given")),
    (F, "tests", missing("no reference")),
    (F + "    reference: x\n", "tests", ready("reference")),
    (F + "    reference: x\n    tests: {skip: needs a device}\n", "tests", missing("skipped")),
    (F, "docs", missing("missing")),
    (F + "    doc: Copies.\n", "docs", ready("yes")),
    (F, "schema", ready("ok")),
    (F + "    tags: [out]\n", "schema", missing("1 error")),
    (F + "    dispatch: {CPU: cpp}\n", "CPU", missing("no file")),
]

SCHEMA = "f(Tensor x) -> Tensor"
CPP = 'TORCH_LIBRARY(ns, m) {{ m.def("{0}"{1}); }}\n{2}'
REGISTERED = [
    (CPP.format(SCHEMA, "", ""), "", "fake", missing("missing")),
    (CPP.format(SCHEMA, "", ""), '@torch.library.register_fake("ns::f")\ndef f(x): ...\n', "fake", ready("registered")),
    (CPP.format(SCHEMA, "", 'TORCH_LIBRARY_IMPL(ns, Meta, m) { m.impl("f", &f); }'), "", "fake", ready("registered")),
    (CPP.format(SCHEMA, ", &f", ""), "", "fake", other("composite")),
    (CPP.format(SCHEMA, ", &f", ""), "", "autograd", ready("composite")),
    (CPP.format(SCHEMA, "", ""), "", "autograd", other("none")),
    (CPP.format(SCHEMA, ", &f", ""), "", "vmap", other("-")),
    ('TORCH_LIBRARY(ns, m) { m.def("f", &f); }', "", "schema", other("inferred")),
    (CPP.format(SCHEMA, "", ""), "library = torch.library.Library('ns', 'IMPL')\nlibrary.impl(name(), f, 'Meta')\n", "fake", other("not read")),
    (CPP.format(SCHEMA, "", 'TORCH_LIBRARY_IMPL(ns, Autograd, m) { m.impl("f", &f); }'), "", "autograd", ready("registered")),
    (CPP.format(SCHEMA, "", 'TORCH_LIBRARY_IMPL(ns, AutocastCUDA, m) { m.impl("f", &f); }'), "", "autocast", ready("registered")),
    (CPP.format("f(Tensor(a!) x) -> ()", "", ""), "", "vmap", other("raises")),
    (CPP.format(SCHEMA, "", 'TORCH_LIBRARY_IMPL(ns, CUDA, m) { m.impl("f", &f); }'), "", "CUDA", ready("registered")),
    (CPP.format("f(Tensr x) -> Tensor", "", ""), "", "schema", missing("1 error")),
    (CPP.format(SCHEMA, "", ""), "", "docs", other("-")),
    (CPP.format(SCHEMA, "", ""), "", "tests", other("-")),
]  # fmt: skip
PYTHON = (
    'import torch\n\n@torch.library.custom_op("ns::f", mutates_args=())\ndef f(x: torch.Tensor) -> torch.Tensor:\n    '
)


def of_sources(**texts) -> Matrix:
    sources = {path.replace("__", "/").replace("_at_", "."): text for path, text in texts.items()}
    cpp = read_cpp([Source(path, text) for path, text in sources.items() if path.endswith(".cpp")], {})
    read = cpp + read_python([Source(path, text) for path, text in sources.items() if path.endswith(".py")])
    return status_of_sources(join(read), judge_registrations(read))


def cell(matrix: Matrix, column: str) -> Fact:
    (op,) = matrix.ops
    return {**op.facts, **op.backends}[column]


@pytest.mark.parametrize(("op", "column", "fact"), DECLARED)
def test_what_a_declaration_says(tmp_path, op, column, fact):
    (tmp_path / "ops.yaml").write_text(HEAD + op, encoding="utf-8")
    checked = check(tmp_path / "ops.yaml")
    assert cell(status_of_library(checked.library, checked.diagnostics, tmp_path), column) == fact


@pytest.mark.parametrize(("cpp", "python", "column", "fact"), REGISTERED)
def test_what_sources_say(cpp, python, column, fact):
    assert cell(of_sources(csrc__ops_at_cpp=cpp, mylib__ops_at_py=f"import torch\n{python}"), column) == fact


def test_what_no_op_of_a_library_has_none_of_them_lacks():
    schemas = 'm.def("f(Tensor x) -> Tensor"); m.def("g(Tensor x) -> Tensor"); m.def("h(Tensor(a!) x) -> ()");'
    kernels = 'TORCH_LIBRARY_IMPL(ns, Autograd, m) { m.impl("g", &g); }'
    rule = '@torch.library.register_vmap("ns::g")\ndef rule(info, in_dims, x): ...\n'
    matrix = of_sources(
        csrc__ops_at_cpp=f"TORCH_LIBRARY(ns, m) {{ {schemas} }}\n{kernels}", mylib__ops_at_py=f"import torch\n{rule}"
    )
    f, g, h = (op.facts for op in matrix.ops)
    assert (f["autograd"], g["autograd"], h["autograd"]) == (missing("none"), ready("registered"), other("-"))
    assert (f["vmap"], g["vmap"], h["vmap"]) == (other("-"), ready("registered"), missing("raises"))


@pytest.mark.parametrize(("body", "fact"), [("return x", missing("missing")), ('"""Copy."""', ready("yes"))])
def test_the_docstring_of_a_python_op_is_its_documentation(body, fact):
    assert cell(of_sources(mylib__ops_at_py=f"{PYTHON}{body}\n"), "docs") == fact


@pytest.mark.parametrize(("test", "fact"), [("torch.ops.ns.f(x)", ready("named")), ("fx", missing("missing"))])
def test_a_test_that_names_an_op_is_one_of_it(test, fact):
    assert cell(of_sources(mylib__ops_at_py=f"{PYTHON}return x\n", tests__test_f_at_py=f"{test}\n"), "tests") == fact


@pytest.mark.parametrize("kind", ["cpp", "cuda", "python"])
def test_a_skeleton_is_told_from_a_kernel(tmp_path, kind):
    key = "CUDA" if kind == "cuda" else "CPU"
    (tmp_path / "ops.yaml").write_text(
        f"{HEAD}{F}    autograd: none\n    dispatch: {{{key}: {kind}}}\n", encoding="utf-8"
    )
    generated = generate(tmp_path / "ops.yaml")
    (kernel,) = generated.library.ops[0].kernels
    (skeleton,) = (file for file in generated.files.files if file.once)
    file = tmp_path / skeleton.path
    file.parent.mkdir(parents=True)

    assert kernel_state(tmp_path, kernel) is KernelState.ABSENT
    file.write_text(skeleton.content, encoding="utf-8")
    assert kernel_state(tmp_path, kernel) is KernelState.SKELETON
    comment = "#" if kind == "python" else "//"
    file.write_text(f"{comment} no kernel_not_written( any more\n", encoding="utf-8")
    assert kernel_state(tmp_path, kernel) is KernelState.WRITTEN


def test_what_counts_for_nothing_is_not_in_the_percentage():
    def op(*facts):
        place = Location(Source("ops.yaml", ""), Span(0, 0))
        return OpStatus("ns::f", "functional", place, dict(zip(("schema", "fake", "docs"), facts, strict=True)), {})

    matrix = Matrix((op(ready("ok"), missing(), other("-")), op(ready("ok"), other("none"), other("-"))))
    assert matrix.percent == 66
    assert matrix.lacking == {"fake": 1}
    assert Matrix((op(other("-"), other("-"), other("-")),)).percent == 100
    assert "2 ops, 66 % ready; missing: fake (1)\n" in table(matrix)
    assert "\x1b[31mmissing" in table(matrix, color=True)
    assert {fact.state for fact in matrix.row(matrix.ops[0])} == set(State)


def test_on_a_narrow_terminal_columns_that_count_for_nothing_are_left_out(tmp_path):
    (tmp_path / "ops.yaml").write_text(f"{HEAD}{F}    autograd: none\n", encoding="utf-8")
    checked = check(tmp_path / "ops.yaml")
    matrix = status_of_library(checked.library, checked.diagnostics, tmp_path, {})
    wide, narrow = table(matrix, columns=200), table(matrix, columns=80)
    assert wide == table(matrix)
    assert {"autograd", "autocast", "vmap"} <= set(wide.partition("\n")[0].split())
    assert narrow.partition("\n")[0].split() == ["op", "contract", "schema", "fake", "CPU", "tests", "docs"]
    assert "\nnot shown, since nothing counts there: autograd, autocast, vmap\n" in narrow
