"""Files that are right: nothing is found in them, and their values arrive."""

import json
import os
from pathlib import Path

import pytest

from opgen.diagnostics import has_errors
from opgen.spec import library as written
from opgen.spec.autograd_form import AUTOGRAD
from opgen.spec.dispatch_form import KERNEL_TABLE
from opgen.spec.load import load_library
from opgen.spec.tables import LIBRARY_TABLE, OP_TABLE
from opgen.spec.tests_form import TESTS_TABLE
from opgen.spec.yaml import Mapping, read_source
from opgen.spec.yaml.composer import compose

VALID = Path(__file__).parents[1] / "cases" / "valid"
FILES = sorted(VALID.glob("*.yaml"))


def keys_in(node):
    if isinstance(node, Mapping):
        for pair in node.pairs:
            yield pair.key.text.value
            yield from keys_in(pair.value)
    else:
        for item in getattr(node, "items", ()):
            yield from keys_in(item)


def values(texts):
    return [text.value for text in texts]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_is_found_in_a_right_file(path):
    result = load_library(path)

    assert result.library is not None
    assert not result.diagnostics


def test_the_file_of_every_key_has_every_key():
    source, _ = read_source(VALID / "every_key.yaml")
    used = set(keys_in(compose(source)[0]))

    for table in (LIBRARY_TABLE, OP_TABLE, KERNEL_TABLE, TESTS_TABLE):
        assert set(table.names) <= used


def test_the_values_of_the_library_arrive():
    library = load_library(VALID / "every_key.yaml").library

    assert (library.namespace.value, library.package, library.torch, library.version) == (
        "mylib",
        "mylib.ops",
        (2, 10),
        1,
    )
    assert (library.abi, library.define_in, library.opaque_types) == ("stable", "python", ("mylib.PlanHandle",))
    assert library.tag_out
    assert library.imports == ("mylib._C", "mylib.types")
    assert set(library.dtypes) == {"reduced"}
    assert [Path(path).name for path in library.files] == ["every_key.yaml", "included.yaml", "deeper.yaml"]
    assert [op.schema.name.name for op in library.ops][-1] == "included"


def test_the_values_of_a_functional_op_arrive():
    op = load_library(VALID / "every_key.yaml").library.ops[0]

    assert op.doc == "Root-mean-square normalisation.\n\nOver the last dimension.\n"
    assert [entry.key.value for entry in op.tensors] == ["x", "weight", "return"]
    assert [(check.text.value, check.message) for check in op.checks] == [
        ("eps > 0", None),
        ("hidden % 8 == 0", "the last dimension is a multiple of 8"),
    ]
    assert (op.fake.value, op.vmap.value, op.autocast.value) == (
        "mylib.fakes:rms_norm",
        "mylib.vmap:rms_norm",
        "promote",
    )
    assert [(entry.key.value, entry.kind, entry.symbol, entry.allocates) for entry in op.dispatch] == [
        ("CPU", "cpp", None, False),
        ("CUDA", "cuda", "mylib::rms_norm_cuda", True),
        ("XPU", "triton", "mylib.kernels:rms_norm", False),
    ]
    assert [entry.file and entry.file.value for entry in op.dispatch] == [None, "csrc/norms.cu", None]
    assert (values(op.autogen), values(op.tags), op.output_differentiability) == (
        ["rms_norm.out"],
        ["pointwise"],
        (True,),
    )
    assert op.tests == written.TestSettings(
        sizes={"hidden": (8, 16), "batch": ("n",)},
        tolerance={"bfloat16": (0.01, 0.01)},
        samples="tests.samples:rms_norm",
        xfail={"test_opcheck": "the kernel reads a size"},
        skip="needs a device",
    )


def test_the_arguments_of_a_formula_keep_their_places():
    (formula,) = load_library(VALID / "every_key.yaml").library.ops[0].autograd

    assert isinstance(formula, written.AutogradFormula)
    assert values(formula.arguments) == ["x", "weight"]
    first, second = (argument.locate().start for argument in formula.arguments)
    assert (first.line, second.column - first.column) == (second.line, len("x, "))
    assert AUTOGRAD.name == "none, composite, error or derived, or a mapping of arguments to formulas"


def test_the_values_of_a_mutable_op_arrive():
    op = load_library(VALID / "every_key.yaml").library.ops[1]

    assert (values(op.overwrites), values(op.scratch), values(op.may_overlap)) == (["out"], ["workspace"], ["x", "out"])
    assert (op.alias_safe, op.resize_out, op.side_effects, op.abi) == (True, False, True, "classic")
    assert [entry.key.value for entry in op.dispatch] == ["CPU"], "from the defaults"
    assert op.autograd.value == "none"


def test_merged_keys_count_for_each_op():
    ops = {op.schema.name.name: op for op in load_library(VALID / "anchors.yaml").library.ops}

    assert [len(op.tensors) for op in ops.values()] == [3, 3, 3, 3]
    assert ops["batch_norm"].autograd.value == "none"
    assert ops["batch_norm"].doc == "Never seen."
    assert ops["group_norm"].tensors[0].text.locate() == ops["rms_norm"].tensors[0].text.locate()


CASES = os.environ.get("OPGEN_CASES", "")


@pytest.mark.skipif(not CASES, reason="OPGEN_CASES names no folder of lint cases")
def test_lint_cases_load_and_the_clean_ones_without_an_error(load):
    lines = (Path(CASES) / "lint_cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [case for case in map(json.loads, lines) if case["form"] == "yaml"]

    assert cases
    for case in cases:
        result = load(case["files"]["ops.yaml"])
        assert not (case["clean"] and has_errors(result.diagnostics)), (case["id"], result.diagnostics)
