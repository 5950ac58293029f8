"""What may stand in ``ops.yaml`` and what is said about everything else."""

import pytest

HEAD = "opgen: 1\nnamespace: mylib\n"
OP = HEAD + "ops:\n  - func: f(Tensor x, SymInt n) -> Tensor\n"  # the next line is the fifth

LIBRARY_CASES = {
    "no version and no namespace": ("ops: []\n", ["1:1 OPG135 'namespace'", "1:1 OPG135 'opgen' 'opgen: 1'"]),
    "a list": ("- a\n", ["1:1 OPG136 expected a mapping of keys, found a list"]),
    "a text": ("ops\n", ["1:1 OPG136 'ops' mapping"]),
    "a newer version": ("opgen: 2\nnamespace: a\n", ["1:8 OPG141 version newer"]),
    "a version between quotes": ("opgen: '1'\nnamespace: a\n", ["1:8 OPG137 integer leave quotes"]),
    "a namespace of PyTorch": ("opgen: 1\nnamespace: aten\n", ["2:12 OPG138 'aten' PyTorch's"]),
    "a namespace of C++": ("opgen: 1\nnamespace: std\n", ["2:12 OPG138 'std' C++"]),
    "a keyword of C++ as namespace": ("opgen: 1\nnamespace: union\n", ["2:12 OPG138 'union' keyword"]),
    "a keyword of Python as namespace": ("opgen: 1\nnamespace: lambda\n", ["2:12 OPG138 'lambda' keyword"]),
    "a namespace with a hyphen": ("opgen: 1\nnamespace: my-lib\n", ["2:12 OPG137 'my-lib' letters"]),
    "a package with a keyword": (HEAD + "package: my.import\n", ["3:10 OPG138 'import'"]),
    "a package that hides torch": (HEAD + "package: torch.ops\n", ["3:10 OPG138 hide"]),
    "a package with a hyphen": (HEAD + "package: my-lib\n", ["3:10 OPG137 dotted"]),
    "an old torch": (HEAD + 'torch: ">=2.9"\n', ["3:8 OPG141 2.9 2.10"]),
    "another torch": (HEAD + 'torch: ">=3.0"\n', ["3:8 OPG141 3.0"]),
    "a torch without >=": (HEAD + "torch: 2.10\n", ["3:8 OPG136 '2.10' \">=2.10\""]),
    "another ABI": (HEAD + "abi: stabel\n", ["3:6 OPG137 stable classic did 'stable'?"]),
    "another place for schemas": (HEAD + "define_in: C++\n", ["3:12 OPG137 python both cpp"]),
    "a misspelt key": (
        HEAD + "defualts: {autograd: nothing}\n",
        ["3:1 OPG134 did 'defaults'?", "3:22 OPG137 'nothing'"],
    ),
    "a key with a hyphen": (HEAD + "opaque-types: [a.B]\n", ["3:1 OPG134 did 'opaque_types'?"]),
    "an unknown key": (HEAD + "cuda_archs: [90]\n", ["3:1 OPG134 namespace package torch opaque_types"]),
    "a key of an op": (HEAD + "autograd: none\n", ["3:1 OPG134 'defaults'"]),
    "a schema at the top": (HEAD + "func: f() -> ()\n", ["3:1 OPG134 belongs op"]),
    "a schema as a default": (HEAD + "defaults: {func: f() -> ()}\n", ["3:12 OPG134 'func' each"]),
    "a wrong default": (HEAD + "defaults: {alias_safe: maybe}\n", ["3:24 OPG137 true false"]),
    "ops as a mapping": (HEAD + "ops: {func: f() -> ()}\n", ["3:6 OPG136 list mapping"]),
    "an op as a text": (HEAD + "ops:\n  - f(Tensor x) -> Tensor\n", ["4:5 OPG136 '- func: '"]),
    "an op without a schema": (HEAD + "ops:\n  - doc: a\n", ["4:5 OPG135 'func'"]),
    "a schema without a text": (HEAD + "ops:\n  - func:\n", ["4:10 OPG136 nothing"]),
    "a dtype that isn't one": (HEAD + "dtypes: {a: float16 bfloat16}\n", ["3:21 OPG15"]),
    "the name of a dtype": (HEAD + "dtypes: {a b: float16}\n", ["3:10 OPG137 name"]),
    "a set with the name of a dtype": (HEAD + "dtypes: {float: float16}\n", ["3:10 OPG138 'float' already"]),
    "a class twice": (HEAD + "opaque_types: [a.B, a.B]\n", ["3:21 OPG142 'a.B'"]),
    "a null": (HEAD + "package:\n", ["3:9 OPG136 nothing"]),
    "a merge key of the library": ("base: {a: b}\n" + HEAD, ["1:1 OPG134 'base'"]),
}

OP_CASES = {
    "a write beside the schema": ("mutates_args: x", ["5:5 OPG134 Tensor(a!)"]),
    "a key under another name": ("meta: [a]", ["5:5 OPG134 the key 'fake'", "5:11 OPG136 'fake' text"]),
    "a key beside the one that is meant": ("fake: none\n    meta: [a]", ["6:5 OPG134 the key 'fake'"]),
    "a derived contract": ("kind: out", ["5:5 OPG134 derived"]),
    "a word of native_functions.yaml": ("variants: function, method", ["5:5 OPG134 torch.ops"]),
    "a backend of its own": ("CompositeImplicitAutograd: f", ["5:5 OPG134 'dispatch' CompositeImplicitAutograd"]),
    "a key of tests": ("tolerance: {float32: [0, 0]}", ["5:5 OPG134 'tests'"]),
    "a key of the library": ("namespace: a", ["5:5 OPG134 top"]),
    "a key of a kernel": ("symbol: a::b", ["5:5 OPG134 kernel 'dispatch'"]),
    "a misspelt key whose value is wrong too": ("alias_save: 1", ["5:5 OPG134 'alias_safe'?", "5:17 OPG137 true"]),
    "a quoted bool": ('side_effects: "true"', ["5:19 OPG137 quotes"]),
    "another bool": ("side_effects: True", ["5:19 OPG137 'true'"]),
    "a text for a list": ("overwrites: out", ["5:17 OPG136 list [out]"]),
    "a mapping for a list": ("overwrites: {out: 1}", ["5:17 OPG136 list mapping"]),
    "a list for a text": ("doc: [a]", ["5:10 OPG136 text list"]),
    "a list in a list": ("scratch: [[a], b]", ["5:15 OPG136 name list"]),
    "a name twice": ("scratch: [a, b, a]", ["5:21 OPG142 'a'"]),
    "no name": ("may_overlap: [a-b]", ["5:19 OPG137 'a-b'"]),
    "an op that is no name": ("autogen: [f out]", ["5:15 OPG137 name.overload"]),
    "a tag that is no name": ("tags: [torch.Tag.core]", ["5:12 OPG137"]),
    "autograd by a number": ("autograd: 0", ["5:15 OPG137 none composite formulas"]),
    "autograd as a list": ("autograd: [x]", ["5:15 OPG136"]),
    "formulas of no names": ("autograd: {x y: grad}", ["5:16 OPG137 'x"]),
    "a formula that is missing": ("autograd: {x: }", ["5:19 OPG136 nothing"]),
    "differentiability by a name": ("output_differentiability: [y]", ["5:32 OPG137 true"]),
    "autocast by a dtype": ("autocast: half", ["5:15 OPG137 lower_precision"]),
    "a kernel as a text": ("dispatch: cpp", ["5:15 OPG136 {CPU:"]),
    "another kind of kernel": ("dispatch: {CPU: c++}", ["5:21 OPG137 cpp"]),
    "the function of a kernel": ("dispatch: {CPU: my_kernel}", ["5:21 OPG137 symbol:"]),
    "another dispatch key": ("dispatch: {GPU: cuda}", ["5:16 OPG137 'CUDA'?"]),
    "a dispatch key that is misspelt": ("dispatch: {Cuda: cuda}", ["5:16 OPG137 CUDA"]),
    "two dispatch keys at once": ('dispatch: {"CPU, CUDA": cpp}', ["5:16 OPG137 one"]),
    "a kernel for meta tensors": ("dispatch: {Meta: cpp}", ["5:16 OPG137 'fake'"]),
    "a kernel without a kind": ("dispatch: {CPU: {symbol: f}}", ["5:22 OPG135 'kernel'"]),
    "a key of a kernel that is misspelt": ("dispatch: {CPU: {kernel: cpp, symbl: f}}", ["5:35 OPG134 'symbol'?"]),
    "a symbol that is none": ("dispatch: {CPU: {kernel: cpp, symbol: f()}}", ["5:43 OPG137 a::f"]),
    "a contract as a list": ("tensors: [x]", ["5:14 OPG136 mapping"]),
    "a contract of a list": ("tensors: {x: [n, d]}", ["5:18 OPG136 text list"]),
    "a contract of nothing named": ('tensors: {x.y: "any [n]"}', ["5:15 OPG137 return.0"]),
    "two contracts": ('tensors: {x: "float n", return: "any [n/2]"}', ["5:25 OPG15", "5:44 OPG15"]),
    "a check as a text": ("checks: n > 0", ["5:13 OPG136 list"]),
    "a check that a comma cuts in two": (
        "checks: [max(a, b, c) < 2, d <]",
        ["5:19 OPG15 comma", "5:35 OPG15 comparison"],
    ),
    "a kernel under a key that takes none": ("dispatch: {Meta: f_meta}", ["5:16 OPG137 'fake'"]),
    "nothing behind a key": ("reference:", ["5:15 OPG136 nothing as in 'reference:"]),
    "a shape that is a list": ("tensors: {x: [n, d]}", ["5:18 OPG136 list DTYPE between quotes"]),
    "a check as a list": ("checks: [[n > 0]]", ["5:14 OPG136 condition"]),
    "a check without its message": ("checks: [{n > 0: }]", ["5:22 OPG136 nothing"]),
    "tests as a list": ("tests: [a]", ["5:12 OPG136 sizes, skip"]),
    "tests of another kind": ("tests: {dtypes: [a]}", ["5:13 OPG134 tolerance"]),
    "a size as a number": ("tests: {sizes: {n: 16}}", ["5:24 OPG136 [16]"]),
    "a size that is no number": ("tests: {sizes: {n: [1.5]}}", ["5:25 OPG137 integer"]),
    "a tolerance of one number": ("tests: {tolerance: {float32: 0.1}}", ["5:34 OPG136 rtol"]),
    "a tolerance of three numbers": ("tests: {tolerance: {float32: [0, 0, 0]}}", ["5:34 OPG136 rtol"]),
    "a tolerance of a text": ("tests: {tolerance: {float32: [a, 0]}}", ["5:35 OPG137 number"]),
    "a negative tolerance": ("tests: {tolerance: {float32: [-1, 0]}}", ["5:34 OPG136 negative"]),
    "a tolerance that is endless": ("tests: {tolerance: {float32: [inf, 0]}}", ["5:35 OPG137 number"]),
    "samples that are no function": ("tests: {samples: my_samples}", ["5:22 OPG137 module:function"]),
    "a tolerance of no dtype": ("tests: {tolerance: {bf16: [0, 0]}}", ["5:25 OPG137 'bf16' 'bfloat16'"]),
    "a source file elsewhere": ("registered: ../csrc/a.cpp", ["5:17 OPG137 inside '../csrc/a.cpp'"]),
    "a reason that is a list": ("tests: {xfail: {test_fake: [a]}}", ["5:32 OPG136 text"]),
    "a test that isn't there": ("tests: {xfail: {my_check: a}}", ["5:21 OPG137 'my_check' test_fake,"]),
    "a misspelt test": ("tests: {xfail: {test_refrence: a}}", ["5:21 OPG137 mean 'test_reference'?"]),
}


@pytest.mark.parametrize(("text", "expected"), LIBRARY_CASES.values(), ids=LIBRARY_CASES.keys())
def test_a_mistake_of_the_library_is_told_at_its_place(text, expected, load, found):
    found(load(text).diagnostics, expected)


@pytest.mark.parametrize(("line", "expected"), OP_CASES.values(), ids=OP_CASES.keys())
def test_a_mistake_of_an_op_is_told_at_its_place_and_names_the_op(line, expected, load, found):
    result = load(f"{OP}    {line}\n")

    found(result.diagnostics, expected)
    assert {diagnostic.op for diagnostic in result.diagnostics} == {"mylib::f"}


def test_an_op_with_a_wrong_schema_is_checked_in_its_other_keys_and_the_other_ops_are_read(load):
    result = load(OP + "  - func: g.out(Tensor x,) -> Tensor\n    autocast: half\n    tags: a\n  - func: h() -> ()\n")

    assert [(found.op, found.code.id) for found in result.diagnostics if found.code.id >= "OPG120"] == [
        ("mylib::g.out", "OPG137"),
        ("mylib::g.out", "OPG136"),
    ]
    assert {found.op for found in result.diagnostics} == {"mylib::g.out"}
    assert [op.schema.name.name for op in result.library.ops] == ["f", "h"]


def test_a_part_that_is_wrong_is_left_out_and_the_key_counts_as_unread(load):
    (op,) = load(OP + '    tensors: {x: "any [n]", return: "any"}\n    tags: [core]\n').library.ops

    assert [entry.key.value for entry in op.tensors] == ["x"]
    assert op.unread == {"tensors"}
    assert set(op.keys) == {"func", "tensors", "tags"}


def test_keys_of_an_op_win_against_defaults_and_only_its_own_keys_count_as_written(load):
    (op,) = load(
        HEAD + "defaults: {autograd: error, vmap: a:b}\nops:\n  - func: f() -> ()\n    autograd: none\n"
    ).library.ops

    assert (op.autograd.value, op.vmap.value) == ("none", "a:b")
    assert set(op.keys) == {"func", "autograd"}


def test_a_schema_that_a_comment_cuts_short_says_so(load):
    result = load(HEAD + 'ops:\n  - func: f(str a="x # y") -> ()\n')
    notes = [note for found in result.diagnostics for note in found.notes]

    assert result.diagnostics
    assert [note.message for note in notes] == ["' #' begins a comment in YAML; put the schema between single quotes"]
    assert notes[0].location.start == (4, 22)


@pytest.mark.parametrize(
    ("entry", "place"),
    [
        ("func: f(Tensr x) -> Tensor", (4, 13)),
        ("func: 'f(Tensr x) -> Tensor'", (4, 14)),
        ('func: "f(\\x54ensr x) -> Tensor"', (4, 14)),
        ("func: >\n      f(\n        Tensr x) -> Tensor", (6, 9)),
        ("func: |\n      f(int y,\n        Tensr x) -> Tensor", (6, 9)),
        ("func: f(int y,\n      Tensr x) -> Tensor", (5, 7)),
    ],
)
def test_a_mistake_in_a_schema_has_its_place_in_every_style_of_text(entry, place, load):
    result = load(f"{HEAD}ops:\n  - {entry}\n")

    assert [found.location.start for found in result.diagnostics] == [place]


def test_an_op_may_name_its_own_namespace(load):
    result = load(HEAD + "ops:\n  - func: f() -> ()\n  - func: other::f() -> ()\n    tags: a\n")

    assert [found.op for found in result.diagnostics] == ["other::f"]
    assert len(result.library.ops) == 2


def test_opaque_types_are_known_to_schemas_of_the_library(load):
    text = HEAD + "{}ops:\n  - func: f(mylib.Plan x) -> ()\n"

    assert load(text.format("")).diagnostics
    assert not load(text.format("opaque_types: [mylib.Plan]\n")).diagnostics
