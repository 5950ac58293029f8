import json

import pytest

from opgen.model.tags import KNOWN_TAGS


def two_ops(functional, out):
    return f"opgen: 1\nnamespace: mylib\nops:\n  - func: {functional}\n  - func: {out}\n"


@pytest.mark.parametrize(
    ("functional", "out", "word"),
    [
        ("f(Tensor x) -> Tensor", "f_out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", "`f.out`"),
        ("f(Tensor x, int n) -> Tensor", "f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", "lacks the input 'n'"),
        ("f(Tensor x, int n) -> Tensor", "f.out(Tensor x, float n, *, Tensor(a!) out) -> Tensor(a!)", "another type"),
        (
            "f(Tensor x, int n=1) -> Tensor",
            "f.out(Tensor x, int n=2, *, Tensor(a!) out) -> Tensor(a!)",
            "another default",
        ),
        ("f(Tensor x) -> Tensor", "f.out(Tensor x, int n=2, *, Tensor(a!) out) -> Tensor(a!)", "another input, 'n'"),
        ("f(Tensor x, int n) -> Tensor", "f.out(int n, Tensor x, *, Tensor(a!) out) -> Tensor(a!)", "another order"),
        ("f(Tensor x) -> (Tensor, Tensor)", "f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", "1 out for 2 results"),
        ("f(Tensor x) -> Tensor", "f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", None),
        ("f.int(Tensor x) -> Tensor", "f.int_out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", None),
        ("g(Tensor x, int n) -> Tensor", "f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", None),
    ],
)
def test_an_out_form_that_pytorch_will_not_find_is_a_warning(functional, out, word, lint_file):
    found = [d for d in lint_file(two_ops(functional, out)) if d.code.id == "OPG510"]
    if word is None:
        assert not found
    else:
        (diagnostic,) = found
        assert word in diagnostic.message
        assert diagnostic.location.start.line == 5
        assert diagnostic.notes[0].location.start.line == 4


@pytest.mark.parametrize(
    ("func", "keys", "has_it"),
    [
        ("f(int n) -> Tensor", ("dispatch: {CPU: cpp}",), True),
        ("f(int n) -> Tensor", (), False),
        ("f(int n, Device? device=None) -> Tensor", ("dispatch: {CPU: cpp, CUDA: cuda}",), False),
        ("f(Tensor[] xs) -> Tensor", ("dispatch: {CPU: cpp, CUDA: cuda}",), False),
    ],
)
def test_a_kernel_needs_something_to_be_chosen_by(func, keys, has_it, lint_op):
    assert ("OPG507" in lint_op(func, *keys)) == has_it


@pytest.mark.parametrize(
    ("func", "key", "code", "has_it"),
    [
        ("f(Tensor(a!) x) -> ()", "fake: m:f", "OPG501", True),
        ("f(Tensor(a!) x) -> ()", "fake: none", "OPG501", False),
        ("f(Tensor(a!) x) -> Tensor", "fake: m:f", "OPG501", False),
        ("f(Tensor x) -> Tensor", "fake: none", "OPG500", False),
        ("f(Tensor x) -> Tensor", "autograd: none", "OPG500", True),
        ("f(Tensor(a!) x) -> ()", "autocast: promote", "OPG506", True),
        ("f(Tensor x) -> Tensor", "autocast: promote", "OPG506", False),
    ],
)
def test_registrations_fit_the_contract(func, key, code, has_it, lint_op):
    assert (code in lint_op(func, key)) == has_it


@pytest.mark.parametrize(
    ("x", "policy", "has_it"),
    [
        ("float32 [n]", "lower_precision", True),
        ("float32|float64 [n]", "lower_precision", True),
        ("float8_e5m2 [n]", "promote", True),
        ("float16|bfloat16 [n]", "float32", True),
        ("float [n]", "lower_precision", False),
        ("bfloat16|float32 [n]", "lower_precision", False),
        ("float64 [n]", "lower_precision", False),
        ("int64 [n]", "lower_precision", False),
        ("float32 [n]", "float32", False),
        ("float16 [n]", "promote", False),
        ("float32 [n]", "none", False),
    ],
)
def test_autocast_casts_to_a_dtype_that_the_contract_allows(x, policy, has_it, lint_op):
    tensors = f'tensors: {{x: "{x}", return: "x.dtype [n]"}}'
    assert ("OPG547" in lint_op("f(Tensor x) -> Tensor", tensors, f"autocast: {policy}")) == has_it


@pytest.mark.parametrize(
    ("func", "key", "define_in", "words"),
    [
        ("f(Tensor x) -> Tensor", "dispatch: {CPU: python}", "both", "its kernels are in Python"),
        ("f_(Tensor(a!) x) -> Tensor(a!)", "registered: csrc/ops.cpp", "both", "registered by hand"),
        ("f(Tensor x) -> Tensor", "registered: csrc/ops.cpp", "both", None),
        ("f(Device device) -> Tensor", "dispatch: {CPU: cpp}", "both", "chosen by a device"),
        ("f(Device device) -> Tensor", "dispatch: {CompositeExplicitAutograd: cpp}", "both", None),
        ("f(Tensor x) -> Tensor", "dispatch: {CPU: cpp, CUDA: python}", "both", None),
        ("f(Tensor x) -> Tensor", "dispatch: {CPU: python}", "python", None),
    ],
)
def test_what_a_process_without_python_lacks_is_said(func, key, define_in, words, lint_op):
    found = lint_op(func, key, head=f"define_in: {define_in}").get("OPG543")
    assert found is None if words is None else words in found


@pytest.mark.parametrize(
    ("func", "abi", "define_in", "has_it"),
    [
        ("f_(Tensor(a!) x) -> Tensor(a!)", "stable", "cpp", True),
        ("f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", "stable", "cpp", True),
        ("f_(Tensor(a!) x) -> Tensor(a!)", "classic", "cpp", False),
        ("f(Tensor(a!) x) -> ()", "stable", "cpp", False),
        ("f_(Tensor(a!) x) -> Tensor(a!)", "stable", "both", False),
        ("f_(Tensor(a!) x) -> Tensor(a!)", "stable", "python", False),
    ],
)
def test_tags_keep_definitions_out_of_a_binary_alone_on_the_stable_abi(func, abi, define_in, has_it, lint_op):
    found = lint_op(func, f"abi: {abi}", head=f"define_in: {define_in}").get("OPG508")
    assert (found is not None) == has_it
    assert found is None or "`define_in: both`" in found


def test_a_gradient_for_a_number_is_no_misspelling(lint_op):
    found = lint_op("f(Tensor x, float eps) -> Tensor", "autograd: {eps: grad}")
    assert "is no tensor" in found["OPG503"]
    assert "is no argument" in lint_op("f(Tensor x) -> Tensor", "autograd: {y: grad}")["OPG503"]


def test_a_schema_alone_is_a_complete_declaration(lint_file):
    found = lint_file("opgen: 1\nnamespace: mylib\nops:\n  - func: f(Tensor x) -> Tensor\n")
    assert {diagnostic.severity.value for diagnostic in found} == {"info"}


def test_tags_are_spelled_as_torch_spells_them(lint_op):
    torch = pytest.importorskip("torch")
    members = set(torch.Tag.__members__)
    assert members - KNOWN_TAGS <= {"out_variant"}
    assert "did you mean 'pointwise'?" in lint_op("f(Tensor x) -> Tensor", "tags: [pointwize]")["OPG509"]


@pytest.mark.parametrize(
    ("name", "overload"),
    [("name", ""), ("_dir", ""), ("__name__", ""), ("__and__", ""), ("f", "op"), ("f", "overloads"), ("f", "name")],
)
def test_names_that_torch_ops_uses_itself_are_the_ones_that_fail_there(name, overload, lint_op):
    torch = pytest.importorskip("torch")
    text = f"{name}.{overload}" if overload else name
    fails = "OPG304" in lint_op(f"{text}(Tensor x) -> Tensor")
    library = torch.library.Library(f"opgen_name_{name}_{overload}", "DEF")
    try:
        library.define(f"{text}(Tensor x) -> Tensor")
        found = getattr(getattr(torch.ops, library.ns), name)
        works = isinstance(getattr(found, overload or "default"), torch._ops.OpOverload)
    except AttributeError:
        works = False
    assert fails == (not works)


def test_what_cannot_be_generated_yet_brings_no_other_finding(lint_op):
    tensors = """tensors: {x: "float [n] on cpu if k else float [n]", return: "float32 [n]"}"""
    assert not lint_op("f(Tensor x, int num_rows, bool k) -> Tensor", tensors, "autograd: none")
    tensors = """tensors: {x: "float [n]", return: "float32 [n]"}"""
    assert not lint_op("f(Tensor x, int num_rows) -> Tensor[]", tensors, "autograd: none")


def test_outputs_without_an_entry_are_named_by_the_key_that_they_would_have(lint_op):
    tensors = """tensors: {x: "float [n]"}"""
    assert "no entry for 'return.0' and 'y'" in lint_op("f(Tensor x) -> (Tensor, Tensor y)", tensors)["OPG500"]
    assert "no entry for 'return';" in lint_op("f(Tensor x, Tensor(a!) out) -> Tensor", tensors)["OPG500"]
    assert "describes 'n', which is no" in lint_op("f(Tensor x) -> int n", tensors)["OPG500"]
    assert "describes 'n' and 'xs', which are no" in lint_op("f(Tensor x) -> (int n, Tensor[] xs)", tensors)["OPG500"]


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("x * by", None),
        ("torch.where(x > by, x, -x)", None),
        ("sum(x[i] * j for i, j in enumerate(range(len(x))))", None),
        ("(lambda y: y * by)(x)", None),
        ("(y := x + by) * y", None),
        ("(x,\n  by)", None),
        ("references:scale", None),
        ("tests.references:scale", None),
        ("x * bye", "names 'bye', which is neither an argument nor `torch` nor a builtin; did you mean 'by'?"),
        ("np.abs(x)", "names 'np'"),
        ("torch.add(x,\n  é + by)", "names 'é'"),
        ("x *", "no Python expression"),
        ("x = 1", "no Python expression"),
        pytest.param("(" * 1000 + "x" + ")" * 1000, "reference", id="many brackets"),
        pytest.param("-" * 100000 + "x", "reference", id="many signs"),
    ],
)
def test_a_reference_is_an_expression_over_the_arguments(lint_op, reference, words):
    found = lint_op("scale(Tensor x, float by) -> Tensor", f"reference: {json.dumps(reference, ensure_ascii=False)}")
    assert ("OPG513" in found) == (words is not None)
    assert (words or "") in found.get("OPG513", "")


def test_an_unknown_name_of_a_reference_is_shown_where_it_stands(lint_file):
    lines = ["opgen: 1", "namespace: mylib", "ops:", "  - func: f(Tensor x) -> Tensor"]
    text = "\n".join([*lines, "    reference: |", "      torch.exp(", "        'é' + zz)", ""])
    (diagnostic,) = (each for each in lint_file(text) if each.code.id == "OPG513")
    assert diagnostic.location.source.text[slice(*diagnostic.location.span)] == "zz"


GATE = "gate(Tensor! out, Tensor x) -> ()"
GATE_KEYS = ('tensors: {x: "float [n]", out: "x.dtype [n]"}', "overwrites: [out]")


def test_a_formula_of_an_op_that_fills_its_arguments_asks_for_its_functional_form(lint_op):
    found = lint_op(GATE, *GATE_KEYS, "autograd: {x: grad}")
    assert "derive the functional form, `autogen: [gate.functional]`" in found["OPG502"]
    assert not lint_op(GATE, *GATE_KEYS, "autogen: [gate.functional]", "autograd: {x: grad}")
    assert (
        "which is what the op computes"
        in lint_op(GATE, *GATE_KEYS, "autogen: [gate.functional]", "autograd: {x: grad, out: grad}")["OPG503"]
    )


def test_integers_have_no_gradient_but_may_be_said_to_count_as_numbers(lint_op):
    op = ("take(Tensor x, Tensor at) -> Tensor", 'tensors: {x: "float [n]", at: "int64 [m]", return: "x.dtype [m]"}')
    assert "no dtype with gradients" in lint_op(*op, "autograd: {x: grad, at: grad}")["OPG503"]
    assert not lint_op(*op, "autograd: {x: grad, at: non_differentiable}")
    assert not lint_op(*op, "autograd: {x: grad}")


@pytest.mark.parametrize(
    ("autograd", "has_it"),
    [("{x: grad}", True), ("{x: grad, y: not_implemented}", False), ("{x: grad, z: grad}", False), ("none", False)],
)
def test_a_tensor_without_a_formula_is_a_finding_unless_a_name_is_misspelt(autograd, has_it, lint_op):
    found = lint_op("f(Tensor x, Tensor y) -> Tensor", "fake: none", f"autograd: {autograd}")
    assert ("OPG541" in found) == has_it


@pytest.mark.parametrize(
    ("autograd", "dispatch", "has_it"),
    [
        ("composite", "{CPU: python}", True),
        ("composite", "{CompositeExplicitAutograd: python}", True),
        ("composite", "{CompositeImplicitAutograd: python}", False),
        ("error", "{CompositeImplicitAutograd: python}", True),
        ("error", "{CPU: python}", False),
    ],
)
def test_composite_is_a_word_about_the_kernel(autograd, dispatch, has_it, lint_op):
    found = lint_op("f(Tensor x) -> Tensor", "fake: none", f"autograd: {autograd}", f"dispatch: {dispatch}")
    assert ("OPG542" in found) == has_it


def test_a_composite_kernel_states_how_its_op_is_differentiated(lint_op):
    assert "OPG504" not in lint_op("f(Tensor x) -> Tensor", "dispatch: {CompositeImplicitAutograd: python}")
