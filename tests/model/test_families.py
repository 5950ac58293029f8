"""What `autogen` makes of an op, and what it refuses."""

import json

import pytest

from opgen.diagnostics import has_errors
from opgen.model import codes
from opgen.model.build import build_library
from opgen.model.contract import Contract
from opgen.schema.printer import print_schema
from opgen.spec.load import load_library

NORM = {
    "func": "norm(Tensor x, Tensor weight, float eps=1e-6) -> Tensor",
    "tensors": {"x": "float [*b, n]", "weight": "x.dtype [n]", "return": "x.dtype [*b, n] aligned(16)"},
    "checks": ["eps > 0"],
}
GATE = {
    "func": "gate(Tensor! out, Tensor x, Tensor! work) -> ()",
    "overwrites": ["out"],
    "scratch": ["work"],
    "tensors": {"x": "float [n, 2*d]", "out": "x.dtype [n, d] contiguous", "work": "float32 [max(d, 1)]"},
}
ADD = {
    "func": "add.out(Tensor x, Tensor y, *, Tensor(a!) out) -> Tensor(a!)",
    "tensors": {"x": "float [*s]", "y": "x.dtype [*s]", "out": "x.dtype [*s]"},
}
SORT = {
    "func": "sort.by(Tensor x, *, bool down=False) -> (Tensor values, Tensor ids)",
    "tensors": {"x": "float [n]", "values": "x.dtype [n]", "ids": "int64 [n] in range(0, n)"},
}


@pytest.fixture
def build(tmp_path, monkeypatch):
    """Return a function from ops to the library and all that is found in it."""
    monkeypatch.chdir(tmp_path)

    def run(*ops):
        (tmp_path / "ops.yaml").write_text(json.dumps({"opgen": 1, "namespace": "mylib", "ops": ops}), "utf-8")
        loaded = load_library(tmp_path / "ops.yaml")
        built = build_library(loaded.library)
        return built.library, [*loaded.diagnostics, *built.diagnostics]

    return run


@pytest.fixture
def derive(build):
    """Return a function that derives one form of an op that has it."""

    def run(op, name):
        library, found = build({**op, "autogen": [name]})
        assert not found, found
        (member,) = (op for op in library.ops if op.is_derived)
        return member

    return run


@pytest.mark.parametrize(
    ("op", "name", "schema"),
    [
        (NORM, "norm.out", "norm.out(Tensor x, Tensor weight, float eps=1e-6, *, Tensor(a!) out) -> Tensor(a!)"),
        (NORM, "norm_", "norm_(Tensor(a!) x, Tensor weight, float eps=1e-6) -> Tensor(a!)"),
        (NORM, "mylib::norm_", "norm_(Tensor(a!) x, Tensor weight, float eps=1e-6) -> Tensor(a!)"),
        (ADD, "add", "add(Tensor x, Tensor y) -> Tensor"),
        (ADD, "add.functional", "add.functional(Tensor x, Tensor y) -> Tensor"),
        (ADD, "add_", "add_(Tensor(a!) x, Tensor y) -> Tensor(a!)"),
        (GATE, "gate.functional", "gate.functional(Tensor x) -> Tensor"),
        (GATE, "gate.out", "gate.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)"),
        (
            SORT,
            "sort.by_out",
            "sort.by_out(Tensor x, *, bool down=False, Tensor(a!) values, Tensor(b!) ids) -> (Tensor(a!), Tensor(b!))",
        ),
        (
            {"func": "f.out(Tensor x, *, Tensor(a!) q, Tensor(b!) s) -> (Tensor(a!), Tensor(b!))",
             "tensors": {"x": "float [n]", "q": "int8 [n]", "s": "float32 [1]"}},
            "f",
            "f(Tensor x) -> (Tensor q, Tensor s)",
        ),
        (
            {"func": "f(Tensor(a) x) -> Tensor", "tensors": {"x": "float [n]", "return": "x.dtype [n]"}},
            "f.out",
            "f.out(Tensor(a) x, *, Tensor(b!) out) -> Tensor(b!)",
        ),
    ],
)  # fmt: skip
def test_a_form_has_the_schema_that_a_user_of_pytorch_expects(op, name, schema, derive):
    assert print_schema(derive(op, name).schema) == schema


def test_what_is_derived_is_an_op_as_any_other(derive):
    out = derive(NORM, "norm.out")
    assert out.contract is Contract.OUT
    assert out.twin == "_norm_out_write"
    assert out.argument["out"].overwrites
    assert out.kernels == out.declared.kernels
    assert out.declared.qualified_name == "mylib::norm"
    assert [step.check.written for step in out.tensors.steps if hasattr(step.check, "written")]


def test_the_layout_of_an_out_is_free_and_what_its_elements_will_be_is_not_asked_before(derive):
    out = derive(SORT, "sort.by_out")
    checked = {(type(step.check).__name__, step.check.tensor) for step in out.tensors.steps if step.check}
    assert ("CheckSize", "ids") in checked or ("CheckRank", "ids") in checked
    assert not {name for name, tensor in checked if tensor == "ids"} & {"CheckContiguous", "CheckValues"}
    assert "ids" not in out.tensors.values


@pytest.mark.parametrize(
    ("op", "name", "slots"),
    [
        (NORM, "norm.out", [("out", "out", ["CheckContiguous", "CheckAligned"])]),
        (NORM, "norm_", [("out", "x", ["CheckContiguous", "CheckAligned"])]),
        (ADD, "add", [("out", "out", [])]),
        (ADD, "add_", [("out", "x", [])]),
        (GATE, "gate.functional", [("out", "out", []), ("work", None, [])]),
        (GATE, "gate.out", [("out", "out", ["CheckContiguous"]), ("work", None, [])]),
    ],
)
def test_the_kernel_is_promised_of_every_form_what_it_is_promised_of_the_declared_one(op, name, slots, derive):
    found = derive(op, name).derivation.slots
    assert [(slot.parameter, slot.target, [type(c).__name__ for c in slot.layout]) for slot in found] == slots
    assert all(check.tensor == slot.target for slot in found for check in slot.layout)


SQUARE = {"x": "float [n, n]", "return": "x.dtype [n, n]"}


@pytest.mark.parametrize(
    ("op", "name", "words"),
    [
        # names
        ({"func": "f(Tensor x) -> Tensor"}, "g.out", "the forms of `f` are `f.out` and `f_`"),
        ({"func": "f(Tensor x) -> Tensor"}, "f.functional", "the forms of `f`"),
        ({"func": "f.s(Tensor x) -> Tensor"}, "f.out", "`f.s_out` and `f_.s`"),
        ({"func": "f(Tensor x) -> Tensor"}, "other::f_", "the forms of `f`"),
        # contracts
        ({"func": "f_(Tensor(a!) x) -> Tensor(a!)"}, "f", "reads what it writes"),
        ({"func": "f(Tensor(a) x) -> Tensor(a)"}, "f.out", "it is view"),
        ({"func": "f(Tensor! s, Tensor x) -> ()"}, "f.functional", "'s' is state"),
        ({"func": "f(Tensor! s, Tensor x) -> ()", "scratch": ["s"]}, "f.out", "it has no output"),
        ({"func": "f(Tensor! o, Tensor x) -> Tensor", "overwrites": ["o"]}, "f.functional", "returns values beside"),
        # kernels
        ({"func": "f(Tensor x) -> Tensor", "registered": "a.cpp"}, "f.out", "registered by hand"),
        (
            {"func": "f(Tensor x) -> Tensor", "dispatch": {"CPU": {"kernel": "cpp", "allocates": True}}},
            "f.out",
            "a kernel that allocates its results can't fill others",
        ),
        (
            {"func": "f(Tensor x) -> Tensor", "dispatch": {"CompositeImplicitAutograd": "cpp"}},
            "f.out",
            "implicit composite",
        ),
        # types
        ({"func": "f(Tensor x) -> Tensor[]"}, "f.out", "'out' is not a plain Tensor, so it can't be an out= buffer"),
        ({"func": "f(Tensor x) -> (Tensor, Tensor?)"}, "f.out", "'out1' is not a plain Tensor"),
        ({"func": "f(Tensor x) -> int"}, "f.out", "'out' is not a plain Tensor"),
        ({"func": "f(Tensor!? o, Tensor x) -> ()", "overwrites": ["o"]}, "f.functional", "made for the result"),
        ({"func": "f(int n) -> Tensor"}, "f_", "its first argument is not a plain Tensor"),
        ({"func": "f(*, Tensor x) -> Tensor"}, "f_", "its first argument is not a plain Tensor"),
        ({"func": "f(Tensor x) -> (Tensor, Tensor)"}, "f_", "it has 2 outputs, and an in-place form returns one tensor"),
        ({"func": "f(...) -> Tensor"}, "f.out", "takes or returns `...`"),
        # tensor contracts
        ({"func": "f(Tensor x) -> Tensor"}, "f.out", "output 'out' has no contract"),
        ({"func": "f(Tensor! o, Tensor x) -> ()", "overwrites": ["o"]}, "f.out", "output 'o' has no contract"),
        (
            {"func": "f(Tensor x) -> Tensor", "tensors": {"x": "float [n]", "return": "int64 [?k<=n]"}},
            "f.out",
            "known only after the kernel has run",
        ),
        (
            {"func": "f(Tensor! o, Tensor x) -> ()", "overwrites": ["o"],
             "tensors": {"x": "float [n]", "o": "x.dtype [m]"}},
            "f.functional",
            "'m'",
        ),
        (
            {"func": "f(Tensor! o, Tensor x) -> ()", "overwrites": ["o"],
             "tensors": {"x": "o.dtype [n]", "o": "float [n]"}},
            "f.functional",
            "'o",
        ),
        # what stands in for the first argument
        ({"func": "f(Tensor x) -> Tensor", "tensors": {"x": "float [n]", "return": "x.dtype [2*n]"}}, "f_", "the shape"),
        ({"func": "f(Tensor x) -> Tensor", "tensors": {"x": "float [n]", "return": "float32 [n]"}}, "f_", "the dtype"),
        ({"func": "f(Tensor x) -> Tensor", "tensors": {"return": "float32 [1]"}}, "f_", "'x' has no contract"),
        (
            {"func": "f(Tensor x, Tensor y) -> Tensor",
             "tensors": {"x": "float [n]", "y": "float [n]", "return": "y.dtype [n]"}},
            "f_",
            "the dtype",
        ),
        (
            {"func": "f(Tensor x) -> Tensor", "tensors": {"x": "float [n]", "return": "x.dtype [n] on cpu"}},
            "f_",
            "on the device",
        ),
    ],
)  # fmt: skip
def test_a_form_that_cannot_be_derived_says_why_at_its_place(op, name, words, build):
    library, found = build({**op, "autogen": [name]})
    (refusal,) = (diagnostic for diagnostic in found if diagnostic.code is codes.IMPOSSIBLE_VARIANT)
    assert refusal.message.startswith(f"`{name}` can't be derived from this op: ")
    assert words in refusal.message
    assert refusal.help
    start, end = refusal.location.span
    assert name in refusal.location.source.text[start:end]
    assert not any(op.is_derived for op in library.ops)


@pytest.mark.parametrize(
    "tensors",
    [
        SQUARE,
        {"x": "float32 [n]", "return": "float32 [n]"},
        {"x": "float [n]", "y": "x.dtype [n]", "return": "y.dtype [n]"},
        {"x": "y.dtype [n]", "y": "float [n]", "return": "y.dtype [n]"},
        {"x": "float [n] on cpu", "return": "x.dtype [n] on cpu"},
        {"x": "float [n]", "return": "x.dtype [n] on x"},
    ],
)
def test_an_output_that_always_equals_the_first_argument_can_replace_it(tensors, derive):
    op = {"func": "f(Tensor x, Tensor y) -> Tensor", "tensors": {"y": "x.dtype [n]", **tensors}}
    assert derive(op, "f_").contract is Contract.INPLACE


def test_a_declared_op_comes_before_a_derived_one_of_the_same_name(build):
    declared = {**ADD, "func": "norm.out(Tensor x, Tensor y, *, Tensor(a!) out) -> Tensor(a!)"}
    library, found = build({**NORM, "autogen": ["norm.out"]}, declared)
    (taken,) = found
    assert taken.code is codes.TAKEN_VARIANT
    assert "norm.out" in taken.location.source.text[slice(*taken.location.span)]
    assert [op.qualified_name for op in library.ops] == ["mylib::norm", "mylib::norm.out"]


def test_a_form_is_derived_once(build):
    other = {**ADD, "func": "norm.x_out(Tensor x, Tensor y, *, Tensor(a!) out) -> Tensor(a!)", "autogen": ["norm_.x"]}
    _, found = build({**NORM, "func": NORM["func"].replace("norm(", "norm.x("), "autogen": ["norm_.x"]}, other)
    assert [diagnostic.code for diagnostic in found] == [codes.TAKEN_VARIANT]


def test_a_mistake_of_the_declared_op_is_said_once(build):
    broken = {**NORM, "tensors": {**NORM["tensors"], "weight": "x.dtype [2*n"}, "autogen": ["norm.out", "norm_"]}
    _, found = build(broken)
    assert len(found) == 1
    assert has_errors(found)


@pytest.mark.parametrize("code", [codes.IMPOSSIBLE_VARIANT, codes.TAKEN_VARIANT], ids=lambda code: code.id)
def test_the_examples_of_the_pages_hold(code, tmp_path):
    for example, has_it in ((code.bad, True), (code.good, False)):
        (tmp_path / "ops.yaml").write_text(example.text, "utf-8")
        loaded = load_library(tmp_path / "ops.yaml")
        found = [*loaded.diagnostics, *build_library(loaded.library).diagnostics]
        assert [diagnostic.code for diagnostic in found] == ([code] if has_it else [])


def test_a_family_begins_with_its_declared_op(build):
    library, _ = build({**ADD, "autogen": ["add", "add_"]})
    (family,) = library.families.values()
    assert [op.qualified_name for op in family] == ["mylib::add.out", "mylib::add", "mylib::add_"]
