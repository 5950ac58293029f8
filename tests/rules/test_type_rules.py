import pytest


@pytest.mark.parametrize(
    ("argument", "code"),
    [
        ("int n=1.5", "OPG400"),
        ("int n=1e3", "OPG400"),
        ('int n="s"', "OPG400"),
        ("int n=True", "OPG400"),
        ("int n=float32", None),  # a syntax error of PyTorch, too
        ("int? n=1.5", "OPG400"),
        ("int n=strided", "OPG400"),
        ("bool b=1", "OPG400"),
        ("bool? b=0", "OPG400"),
        ("str s=1", "OPG400"),
        ("float? x=1", "OPG400"),
        ("Tensor? x=1", "OPG400"),
        ("int[2]? x=1", "OPG400"),
        ("Layout x=Mean", "OPG400"),
        ("ScalarType x=strided", "OPG400"),
        ("int n=None", "OPG401"),
        ("float x=None", "OPG401"),
        ("Tensor x=None", "OPG401"),
        ("int n=0x10", "OPG402"),
        ("int n=1E5", "OPG402"),
        ("float? x=1E5", "OPG402"),
        ("complex x=12", "OPG402"),
        ("complex x=1.5", "OPG402"),
        ("int[2] x=[1]", "OPG403"),
        ("float[3] x=[1, 2]", "OPG403"),
    ],
)
def test_a_default_that_is_not_what_it_says_is_an_error(argument, code, lint_op):
    found = lint_op(f"'f(Tensor t, {argument}) -> Tensor'", head="abi: classic")
    ours = {one for one in found if one.startswith("OPG4")}
    assert ours == ({code} if code else set())


@pytest.mark.parametrize(
    "argument",
    [
        "int n=-1",
        "int n=Mean",
        "int? n=None",
        "SymInt n=0",
        "float x=2",
        "float x=1e-6",
        "float? x=1.0",
        "float[] x=[1]",
        "float[2] x=1",
        "bool b=True",
        "bool[2] b=[True, False]",
        'str s="a"',
        "Scalar x=1",
        "Scalar x=True",
        "Scalar? x=1.5",
        "complex x=3j",
        "ScalarType d=float32",
        "ScalarType d=float",
        "ScalarType? d=None",
        "Layout l=strided",
        "MemoryFormat m=contiguous_format",
        'Device d="cuda:0"',
        'Device? d="cpu"',
        "int[2] x=1",
        "int[2] x=[1, 2]",
        "int[2] x=[]",
        "int[1] x=[-2, -1]",
        "int[]? x=None",
        "Tensor? x=None",
        "Generator? g=None",
    ],
)
def test_a_default_of_the_declared_type_is_left_alone(argument, lint_op):
    found = lint_op(f"'f(Tensor t, *, {argument}) -> Tensor'", head="abi: classic")
    assert not {one for one in found if one < "OPG500"}


@pytest.mark.parametrize(
    ("argument", "remedy"),
    [
        ("int n=1e3", "`1000`"),
        ("int n=1E5", "`100000`"),
        ("int n=0x10", "`16`"),
        ("float? x=1", "`1.0`"),
        ("bool b=1", "`True`"),
        ("int n=None", "`int? n=None`"),
    ],
)
def test_the_help_of_a_default_is_what_to_write(argument, remedy, lint_op):
    found = lint_op(f"f(Tensor t, {argument}) -> Tensor")
    assert any(remedy in text for code, text in found.items() if code.startswith("OPG4"))


@pytest.mark.parametrize(
    ("argument", "is_size"),
    [
        ("int num_samples", True),
        ("int max_seq_len", True),
        ("int[] shape", True),
        ("int? output_size=None", True),
        ("int num_heads", False),
        ("int block_size", False),
        ("int dim", False),
        ("int num_bits", False),
        ("int hidden_size", False),
        ("int patch_size", False),
        ("int world_size", False),
        ("SymInt num_samples", False),
        ("float size", False),
    ],
)
def test_a_name_tells_a_size_where_no_contract_does(argument, is_size, lint_op):
    func = f"f(Tensor x, {argument}) -> Tensor"
    assert ("OPG405" in lint_op(func)) == is_size
    assert "OPG405" not in lint_op(func, "fake: mylib.fakes:f")
    assert "OPG405" not in lint_op(func.replace("Tensor x", "Tensor(a!) x").replace("-> Tensor", "-> ()"))


def test_the_contract_tells_a_size_whatever_its_name(lint_op):
    tensors = 'tensors: {x: "float [n]", return: "x.dtype [(k + 1) * n]"}'
    assert "SymInt k" in lint_op("f(Tensor x, int k, int size) -> Tensor", tensors)["OPG405"]


@pytest.mark.parametrize(
    "type_",
    ["Scalar", "complex", "Storage", "Stream", "Dict(str, Tensor)", "(int, int)", "Scalar[]", "Any?", "SymBool"],
)
def test_types_without_a_form_on_the_stable_abi_are_refused_there_only(type_, lint_op):
    func = f"f(Tensor x, {type_} y) -> ()"
    assert "'y'" in lint_op(func, "side_effects: true")["OPG406"]
    assert "OPG406" not in lint_op(func, "side_effects: true", head="abi: classic")
    assert "OPG406" not in lint_op(func, "side_effects: true", "abi: classic")


@pytest.mark.parametrize("type_", ["bool[]", "bool[2]", "bool[]?", "bool[][]"])
def test_a_list_of_booleans_is_taken_but_not_returned_on_the_stable_abi(type_, lint_op):
    finding = lint_op(f"f(Tensor x, {type_} y) -> {type_}", "fake: none")["OPG406"]
    assert "return 0 has the type bool[]" in finding
    assert "OPG406" not in lint_op(f"f(Tensor x, {type_} y) -> {type_}", "fake: none", head="abi: classic")


def test_generators_came_to_the_stable_abi_with_torch_2_13(lint_op):
    func = "f(Tensor x, Generator? g=None) -> Tensor"
    assert "OPG406" in lint_op(func)
    assert "OPG406" not in lint_op(func, head='torch: ">=2.13"')


@pytest.mark.parametrize("abi", ["stable", "classic"])
def test_a_result_of_the_type_none_is_one_mistake(lint_op, abi):
    assert set(lint_op("ping(Tensor(a!) x) -> None", head=f"abi: {abi}")) == {"OPG407"}


@pytest.mark.parametrize(
    ("result", "is_mended"), [("None", True), ("None!", False), ("None(a)", False), ("(None, int)", False)]
)
def test_a_result_of_the_type_none_is_mended_where_it_says_nothing_else(lint_file, result, is_mended):
    found = lint_file(f"opgen: 1\nnamespace: mylib\nops:\n  - func: ping(Tensor(a!) x) -> {result}\n")
    (finding,) = (one for one in found if one.code.id == "OPG407")
    assert (finding.fix is not None) == is_mended
