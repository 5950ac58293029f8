"""Rules over C++ sources: other faces of the mistakes on their pages, and what they must leave alone."""

import pytest

from opgen.diagnostics import Severity
from opgen.readers.cpp import read_cpp
from opgen.rules.registrations.registry import judge_registrations
from opgen.source import Source


def found(*texts, path="csrc/ops.cpp"):
    """Return the findings of sources that are no hints, as ``name:line``; the first is called ``path``."""
    sources = [Source(path if index == 0 else f"csrc/ops{index}.cpp", text) for index, text in enumerate(texts)]
    findings = judge_registrations(read_cpp(sources, {}))
    return [
        f"{one.code.name}:{one.location.start.line}"
        for one in findings
        if one.severity is not Severity.INFO and one.code.name != "fake-missing"
    ]


def op(schema, function, *, key="CPU", head="", stable=False):
    """Return a source with one kernel, ``f``, which stands in line 2, and the schema of ``op`` in line 4."""
    macro, given = ("STABLE_TORCH_LIBRARY", "TORCH_BOX(&f)") if stable else ("TORCH_LIBRARY", "&f")
    name = schema.partition("(")[0]
    return (
        f'{head}\n{function}\n{macro}(mylib, m) {{\n  m.def("{schema}");\n}}\n'
        f'{macro}_IMPL(mylib, {key}, m) {{\n  m.impl("{name}", {given});\n}}\n'
    )


def taking(parameter, schema_type, **options):
    """Return a source whose kernel takes one argument beside a tensor."""
    return op(f"op(Tensor(a!) x, {schema_type} n) -> ()", f"void f(at::Tensor& x, {parameter} n) {{}}", **options)


@pytest.mark.parametrize(
    ("parameter", "schema_type"),
    [
        ("int32_t", "int"),
        ("size_t", "int"),
        ("unsigned", "SymInt"),
        ("const float", "float"),
        ("int64_t", "float"),
        ("double", "int"),
        ("bool", "int"),
        ("std::string&", "str"),
        ("char *", "str"),
        ("at::Tensor", "Tensor?"),
        ("const std::optional<at::Tensor>&", "Tensor"),
        ("std::optional<int64_t>", "int"),
        ("int64_t", "int?"),
        ("at::IntArrayRef", "Tensor[]"),
        ("at::TensorList", "Tensor?[]"),
        ("const std::vector<double>&", "int[]"),
        ("at::Scalar", "float"),
        ("at::ScalarType", "int"),
        ("const c10::SymInt&", "SymInt"),
        ("const c10::SymIntArrayRef&", "SymInt[]"),
    ],
)
def test_a_parameter_of_another_type_is_found(parameter, schema_type):
    assert found(taking(parameter, schema_type)) == ["kernel-signature:2"]


@pytest.mark.parametrize(
    ("parameter", "schema_type"),
    [
        ("int64_t", "int"),
        ("const int64_t", "SymInt"),
        ("c10::SymInt", "SymInt"),
        ("long", "int"),
        ("double", "float"),
        ("const std::string&", "str"),
        ("std::string_view", "str"),
        ("at::Tensor", "Tensor"),
        ("at::Tensor&&", "Tensor"),
        ("const torch::Tensor &", "Tensor"),
        ("c10::optional<at::Tensor>", "Tensor?"),
        ("const std::optional<std::vector<int64_t>>&", "int[]?"),
        ("at::OptionalIntArrayRef", "int[]?"),
        ("c10::ArrayRef<double>", "float[]"),
        ("std::array<bool, 3>", "bool[3]"),
        ("const c10::List<std::optional<at::Tensor>>&", "Tensor?[]"),
        ("const at::Scalar&", "Scalar"),
        ("std::optional<at::Generator>", "Generator?"),
        ("std::optional<at::ScalarType>", "ScalarType?"),
        ("const c10::intrusive_ptr<State>&", "__torch__.torch.classes.mylib.State"),
        ("Unknown", "int"),
        ("fptr_t", "int"),
    ],
)
def test_a_parameter_that_fits_or_is_not_known_is_left_alone(parameter, schema_type):
    assert found(taking(parameter, schema_type, head="using fptr_t = int64_t;")) == []


def test_an_alias_of_a_type_that_does_not_fit_is_found():
    assert found(taking("fptr_t", "float", head="using fptr_t = int64_t;")) == ["kernel-signature:2"]


def returning(returns, result):
    """Return a source with a kernel that writes its argument where it returns nothing."""
    mark = "(a!)" if returns == "()" else ""
    return op(f"op(Tensor{mark} x) -> {returns}", f"{result} f(const at::Tensor& x) {{ throw 1; }}")


@pytest.mark.parametrize(
    ("returns", "result"),
    [
        ("Tensor", "void"),
        ("()", "at::Tensor"),
        ("(Tensor, Tensor)", "at::Tensor"),
        ("(Tensor, int)", "std::tuple<at::Tensor, at::Tensor>"),
        ("float", "float"),
        ("Tensor[]", "at::Tensor"),
    ],
)
def test_a_result_of_another_type_is_found(returns, result):
    assert found(returning(returns, result)) == ["kernel-signature:2"]


@pytest.mark.parametrize(
    ("returns", "result"),
    [
        ("()", "void"),
        ("Tensor", "auto"),
        ("(Tensor, int)", "std::tuple<at::Tensor, int64_t>"),
        ("Tensor[]", "std::vector<at::Tensor>"),
        ("float", "double"),
        ("(Tensor, Tensor?)", "std::tuple<at::Tensor, std::optional<at::Tensor>>"),
    ],
)
def test_a_result_that_fits_is_left_alone(returns, result):
    assert found(returning(returns, result)) == []


@pytest.mark.parametrize(
    ("parameters", "lines"),
    [
        ("at::Tensor& x", 1),
        ("at::Tensor& x, int64_t n, int64_t k", 1),
        ("c10::DispatchKeySet ks, at::Tensor& x, int64_t n", 0),
    ],
)
def test_parameters_are_counted(parameters, lines):
    assert found(op("op(Tensor(a!) x, int n) -> ()", f"void f({parameters}) {{}}")) == ["kernel-signature:2"] * lines


def test_a_boxed_kernel_of_the_stable_abi_is_compared_as_well():
    wrong = "void f(torch::stable::Tensor x, float n) {}"
    assert found(op("op(Tensor(a!) x, float n) -> ()", wrong, stable=True)) == ["kernel-signature:2"]
    right = "void f(const torch::stable::Tensor& x, double n) {}"
    assert found(op("op(Tensor(a!) x, float n) -> ()", right, stable=True)) == []


def test_a_kernel_is_compared_with_the_schema_of_its_own_branch():
    text = """
#ifdef V2
void f(at::Tensor& x, int64_t n) {}
#else
void f(at::Tensor& x) {}
#endif
TORCH_LIBRARY(mylib, m) {
#ifdef V2
  m.def("op(Tensor(a!) x, int n) -> ()");
#else
  m.def("op(Tensor(a!) x) -> ()");
#endif
}
TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("op", &f); }
"""
    assert found(text) == ["two-definitions:11"]


@pytest.mark.parametrize(
    "body",
    [
        "x.add_(1); return x.sum();",
        "x.view({-1}).zero_(); return x.sum();",
        "auto y = x.view({-1}); y.fill_(1); return x.sum();",
        "auto& y = x; y.copy_(x); return x.sum();",
        "float* p = x.mutable_data_ptr<float>(); TORCH_CHECK(x.is_contiguous()); return x.sum();",
        "TORCH_CHECK(x.is_contiguous()); fill(x.view(-1).mutable_data_ptr<float>()); return x.sum();",
    ],
)
def test_a_write_is_found_in_every_spelling(body):
    source = op("op(Tensor x) -> Tensor", f"at::Tensor f(const at::Tensor& x) {{ {body} }}")
    assert found(source) == ["cpp-undeclared-write:4"]


@pytest.mark.parametrize(
    "body",
    [
        "auto y = x.clone(); y.add_(1); return y;",
        "at::Tensor y = x.contiguous(); y.zero_(); return y.clone();",
        "x.clone().add_(1); return x.sum();",
        "// x.add_(1);\n return x.sum();",
        "auto y = at::empty_like(x); y.copy_(x); return y;",
        "helper(x); return at::empty_like(x);",
        "auto y = x; y = x.clone(); return y;",
        "return n ? x.sum() : x.mean();",
        "auto g = [&] { return x; }; return x.sum();",
        "return x[0].clone();",
        'TORCH_CHECK(false, "not in this build"); return x;',
        'throw std::runtime_error("no"); return at::Tensor();',
    ],
)
def test_what_writes_no_argument_and_returns_a_fresh_tensor_is_left_alone(body):
    function = f"at::Tensor f(const at::Tensor& x, int64_t n) {{ {body} }}"
    assert found(op("op(Tensor x, int n) -> Tensor", function)) == []


@pytest.mark.parametrize(
    "body",
    [
        "return x;",
        "return std::move(x);",
        "return x.t();",
        "return x.view({-1}).transpose(0, 1);",
        "auto y = x.narrow(0, 0, 1); return y;",
        "if (x.numel() == 0) return x; return x.clone();",
    ],
)
def test_a_returned_argument_is_found_in_every_spelling(body):
    source = op("op(Tensor x) -> Tensor", f"at::Tensor f(const at::Tensor& x) {{ {body} }}")
    assert found(source) == ["cpp-returned-argument:2"]


def test_an_argument_that_the_schema_returns_may_be_returned():
    source = op("op_(Tensor(a!) x) -> Tensor(a!)", "at::Tensor& f(at::Tensor& x) { return x; }")
    assert found(source.replace('Tensor(a!)"', 'Tensor(a!)", {at::Tag::inplace}')) == []


@pytest.mark.parametrize(
    ("tags", "names"),
    [
        ("", ["missing-tag:4"]),
        (", {at::Tag::pt2_compliant_tag}", ["missing-tag:4"]),
        (", {at::Tag::inplace}", []),
        (", {at::Tag::out}", ["contract-tag:4"]),
    ],
)
def test_tags_are_compared_with_the_contract(tags, names):
    source = op("op_(Tensor(a!) x) -> Tensor(a!)", "at::Tensor& f(at::Tensor& x) { return x; }")
    assert found(source.replace('Tensor(a!)"', f'Tensor(a!)"{tags}')) == names


@pytest.mark.parametrize(
    ("schema", "names"),
    [
        ("op_(Tensor(a!) x) -> Tensor(a!)", ["tag-in-binary:2"]),
        ("op.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", ["tag-in-binary:2"]),
        ("op(Tensor(a!) x) -> ()", []),
    ],
)
def test_a_definition_by_hand_on_the_stable_abi_gives_no_tags(schema, names):
    assert found(f'STABLE_TORCH_LIBRARY_FRAGMENT(mylib, m) {{\n  m.def("{schema}");\n}}\n') == names


def test_a_second_definition_in_one_build_is_found_and_the_same_in_two_files_is_not():
    assert found(block("a(Tensor(a!) x) -> ()", "a(Tensor(a!) x) -> ()")) == ["two-definitions:3"]
    one, other = block("a(Tensor(a!) x) -> ()"), block("a(Tensor(a!) x) -> ()")
    assert found(one, other) == []
    assert found(one, block("a(Tensor(a!) x, int n=0) -> ()")) == ["two-definitions:2"]
    assert found(block("a.one(Tensor(a!) x) -> ()", "a.two(Tensor(a!) x) -> ()")) == []


def block(*schemas):
    return "TORCH_LIBRARY_FRAGMENT(mylib, m) {\n" + "".join(f'  m.def("{one}");\n' for one in schemas) + "}\n"


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ("TORCH_LIBRARY(mylib, m) {}", "TORCH_LIBRARY(mylib, m) {}", ["two-owners-of-namespace:1"]),
        ("TORCH_LIBRARY(mylib, m) {}", "TORCH_LIBRARY_FRAGMENT(mylib, m) {}", []),
        ("TORCH_LIBRARY(mylib, m) {}", "TORCH_LIBRARY(other, m) {}", []),
        ("STABLE_TORCH_LIBRARY(mylib, m) {}", "TORCH_LIBRARY(mylib, m) {}", ["two-owners-of-namespace:1"]),
    ],
)
def test_a_namespace_has_one_owner(first, second, names):
    assert found(first, second) == names


@pytest.mark.parametrize(
    ("key", "names"),
    [
        ("CPU", ["unreachable-backend:4"]),
        ("CUDA", ["unreachable-backend:4"]),
        ("CompositeExplicitAutograd", []),
        ("BackendSelect", []),
    ],
)
def test_an_op_without_tensors_needs_a_kernel_for_every_backend(key, names):
    assert found(op("op(int n) -> Tensor", "at::Tensor f(int64_t n) { return at::empty({n}); }", key=key)) == names


@pytest.mark.parametrize(
    ("body", "times"),
    [
        ("return at::empty({x.size(0)}, x.options());", 1),
        ("return at::empty(x.sizes(), x.options());", 1),
        ("auto n = x.numel(); return at::empty({n, x.stride(0)}, x.options());", 2),
        ("return at::empty_symint(x.sym_sizes(), x.options());", 0),
        ("return at::empty_like(x);", 0),
        ("TORCH_CHECK(x.dim() == 2); return at::empty_symint({x.sym_size(1)}, x.options());", 0),
    ],
)
def test_a_fake_reads_no_concrete_sizes(body, times):
    source = op("op(Tensor x) -> Tensor", f"at::Tensor f(const at::Tensor& x) {{ {body} }}", key="Meta")
    assert found(source) == ["concrete-size-in-meta:2"] * times


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("go(x.data_ptr<float>());", ["unchecked-layout:2"]),
        ("go(x.data_ptr<float>(), x.stride(0));", []),
        ("CHECK_INPUT(x); go(x.data_ptr<float>());", []),
        ("auto y = x.contiguous(); go(y.data_ptr<float>());", []),
        ("TORCH_CHECK(x.is_contiguous()); go(x.data_ptr<float>());", []),
    ],
)
def test_a_pointer_needs_a_look_at_the_layout(body, names):
    assert (
        found(op("op(Tensor x, Tensor(a!) y) -> ()", f"void f(const at::Tensor& x, at::Tensor& y) {{ {body} }}"))
        == names
    )


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("k<<<1, 2>>>(n);", ["missing-device-guard:2", "default-stream:2"]),
        ("k<<<1, 2, 0, 0>>>(n);", ["missing-device-guard:2", "default-stream:2"]),
        ("const at::cuda::OptionalCUDAGuard g(x.device()); k<<<1, 2>>>(n);", ["default-stream:2"]),
        ("c10::cuda::CUDAGuard g(x.get_device()); k<<<1, 2, 0, at::cuda::getCurrentCUDAStream()>>>(n);", []),
        ("auto s = at::cuda::getCurrentCUDAStream(); k<<<1, 2, 0, s>>>(n);", ["missing-device-guard:2"]),
    ],
)
def test_a_launch_has_a_device_and_a_stream(body, names):
    source = op("op(Tensor(a!) x, int n) -> ()", f"void f(at::Tensor& x, int64_t n) {{ {body} }}", key="CUDA")
    assert sorted(found(source, path="csrc/ops.cu")) == sorted(names)


@pytest.mark.parametrize(
    ("line", "is_dangling"),
    [
        ("torch::headeronly::IntHeaderOnlyArrayRef shape = {1, n};", True),
        ("at::IntArrayRef shape{n, n};", True),
        ("c10::ArrayRef<int64_t> shape({n, n});", True),
        ("at::IntArrayRef shape = x.sizes();", False),
        ("at::IntArrayRef shape = {};", False),
        ("std::array<int64_t, 2> shape = {n, n};", False),
        ("go(at::IntArrayRef({n, n}));", False),
    ],
)
def test_a_view_of_a_braced_list_dangles(line, is_dangling):
    source = op("op(Tensor(a!) x, int n) -> ()", f"void f(at::Tensor& x, int64_t n) {{ {line} }}")
    assert found(source) == ["dangling-array-view:2"] * is_dangling


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("CHECK(y.is_contiguous()); go(y.const_data_ptr<float>(), y.numel());", ["cpp-unwritten-argument:4"]),
        ("CHECK(y.is_contiguous()); go(y.const_data_ptr<float>()); y.zero_();", []),
        ("CHECK(y.is_contiguous()); go(y.const_data_ptr<float>(), y);", []),
        ("go(y.size(0));", []),
    ],
)
def test_a_mark_of_what_is_only_read_is_found(body, names):
    assert found(op("op(Tensor(a!) y) -> ()", f"void f(at::Tensor& y) {{ {body} }}")) == names


def test_a_template_of_a_source_is_no_schema():
    assert found(block("{{ name }}(Tensor x) -> Tensor")) == []


def test_schemas_of_core_are_read_with_a_profile_of_their_own():
    yaml = pytest.importorskip("yaml")
    torchgen = pytest.importorskip("torchgen")
    path = f"{torchgen.__path__[0]}/packaged/ATen/native/native_functions.yaml"
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 - a path of another package
        functions = yaml.load(file, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    definitions = "".join(f'  m.def(R"({one["func"]})");\n' for one in functions)
    source = Source("aten.cpp", f"TORCH_LIBRARY(aten, m) {{\n{definitions}}}\n")
    errors = [one for one in judge_registrations(read_cpp([source], {})) if one.severity is Severity.ERROR]
    # True ones: these write an argument that is no part of their contract, and are taken out of functionalization by hand.
    assert {one.op.partition(".")[0] for one in errors} == {
        "aten::_amp_update_scale_",
        "aten::_batch_norm_with_update",
        "aten::_native_batch_norm_legit",
        "aten::rrelu_with_noise",
        "aten::rrelu_with_noise_",
    }
