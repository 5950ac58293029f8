"""What the tables of keys mark as not generated yet is what `generate` refuses, and nothing else."""

import pytest

from opgen.build.check import check
from opgen.build.generate import generate
from opgen.diagnostics import Severity
from opgen.spec.dispatch_form import KERNEL_TABLE
from opgen.spec.tables import LIBRARY_TABLE, OP_TABLE
from opgen.spec.tests_form import TESTS_TABLE

REFUSED = {
    (LIBRARY_TABLE.what, "abi"): ["classic\ndefaults: {dispatch: {CUDA: cuda}}"],
    (LIBRARY_TABLE.what, "define_in"): ["cpp"],
    (OP_TABLE.what, "func"): [
        "f(Tensor(a) x) -> Tensor(a)",
        "f(...) -> Tensor",
        "f(Tensor x) -> ...",
        "f(Tensor(a!) x) -> None",
    ],
    (OP_TABLE.what, "tensors"): ['{x: "any [n] on cpu if rank(x) > 0 else any [n]"}'],
    (OP_TABLE.what, "dispatch"): ["{MPS: triton}", "{XPU: cpp}", "{CPU: cuda}", "{SparseCPU: python}"],
    (OP_TABLE.what, "resize_out"): ["true\n    dispatch: {CPU: python}"],
    (OP_TABLE.what, "abi"): ["classic\n    dispatch: {CUDA: cuda}"],
}
ACCEPTED = {
    (LIBRARY_TABLE.what, "abi"): ["stable", "classic"],
    (LIBRARY_TABLE.what, "define_in"): ["python", "both"],
    (OP_TABLE.what, "func"): ["f(Tensor x) -> Tensor"],
    (OP_TABLE.what, "tensors"): ['{return: "x.dtype [n] if n > 1 else x.dtype [1]", x: "any [n]"}'],
    (OP_TABLE.what, "dispatch"): [
        "{CPU: cpp, CUDA: cuda}",
        "{CompositeExplicitAutograd: cpp}",
        "{CompositeImplicitAutograd: python}",
        "{XPU: python, PrivateUse1: python}",
    ],
    (OP_TABLE.what, "resize_out"): ["true", "false"],
    (OP_TABLE.what, "abi"): ["stable", "classic"],
    (KERNEL_TABLE.what, "kernel"): ["cpp", "python", "triton"],
}
KEYS = [(table, key) for table in (LIBRARY_TABLE, OP_TABLE, KERNEL_TABLE, TESTS_TABLE) for key in table.keys]
UNMARKED = {(table.what, key.name): [key.example] for table, key in KEYS if not key.not_generated}


def cases(table):
    return [pytest.param(*key, value, id=f"{key[1]}: {value}") for key, values in table.items() for value in values]


def declare(folder, what, key, value):
    """Write a library with one op and one key more; before `` with `` its schema may stand."""
    func, _, value = value.rpartition(" with ")
    head, op = {"opgen": "1", "namespace": "mylib"}, {"func": func or "f(Tensor x) -> Tensor"}
    if what == LIBRARY_TABLE.what:
        head[key] = value
    elif what == OP_TABLE.what:
        op[key] = value
    elif what == KERNEL_TABLE.what:
        op["dispatch"] = "{CPU: {" + ", ".join(f"{k}: {v}" for k, v in {"kernel": "cpp", key: value}.items()) + "}}"
    else:
        op["tests"] = f"{{{key}: {value}}}"
    text = "".join(f"{name}: {written}\n" for name, written in head.items())
    if "ops" not in head:
        entry = "\n    ".join(f"{name}: {written}" for name, written in op.items())
        text += f"ops:\n  - {entry}\n"
    path = folder / "ops.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def refusals(diagnostics):
    return [diagnostic for diagnostic in diagnostics if diagnostic.code.id == "OPG890"]


def test_the_marked_keys_are_those_that_have_refused_values():
    assert {(table.what, key.name) for table, key in KEYS if key.not_generated} == set(REFUSED)


@pytest.mark.parametrize(("what", "key", "value"), cases(REFUSED))
def test_a_marked_value_is_an_info_of_lint_and_refused_by_generate(what, key, value, tmp_path):
    path = declare(tmp_path, what, key, value)
    linted, generated = refusals(check(path).diagnostics), generate(path)

    assert {diagnostic.severity for diagnostic in linted} == {Severity.INFO}
    assert {diagnostic.severity for diagnostic in refusals(generated.diagnostics)} == {Severity.ERROR}
    assert generated.files is None


@pytest.mark.parametrize(("what", "key", "value"), cases(UNMARKED | ACCEPTED))
def test_all_other_values_are_not_refused(what, key, value, tmp_path):
    assert not refusals(check(declare(tmp_path, what, key, value)).diagnostics)
