"""Rules over C++ sources: other faces of the mistakes on their pages, and what they must leave alone."""

import pytest

from opgen.diagnostics import Severity
from opgen.readers.cpp import read_cpp
from opgen.rules.registrations.cpp.target import release_of
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
        ('TORCH_LIBRARY(mylib, m) { m.def("f(Tensor(a!) x) -> ()"); }',) * 2 + ([],),  # of two builds
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
        ("auto n = x.numel(); return at::empty({n, x.stride(0)}, x.options());", 1),
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
        ("at::IntArrayRef shape = std::vector<int64_t>{n, 1};", True),
        ("at::IntArrayRef shape(std::vector<int64_t>({n, 1}));", True),
        ("at::IntArrayRef shape = x.sizes().vec();", True),
        ("auto shape = x.sizes().vec();", False),
        ("std::vector<int64_t> shape = x.sizes().vec();", False),
        ("std::vector<int64_t> own{n}; at::IntArrayRef shape = own;", False),
        ("at::IntArrayRef shape(own.data(), own.size());", False),
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


def stable(line, target="0x020a000000000000", define="#define TORCH_TARGET_VERSION {}"):
    """Return a library on the stable ABI that says in line 1 what it is built for; ``line`` is line 3."""
    return (
        f"{define.format(target)}\nvoid f(torch::stable::Tensor& x) {{\n{line}\n}}\n"
        'STABLE_TORCH_LIBRARY(mylib, m) {\n  m.def("f(Tensor(a!) x) -> ()");\n}\n'
    )


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("go(s.nativeHandle());", ["newer-than-target:3"]),
        ("torch_stream_native_handle(s, &handle);", ["newer-than-target:3"]),
        ("if (x.has_storage()) go(x);", ["newer-than-target:3"]),
        ("torch::stable::Generator g = make();", ["newer-than-target:3"]),
        ("int32_t tag = torch_tag_view_copy();", ["newer-than-target:3"]),
        ("// s.nativeHandle()", []),
        ('go("torch_has_storage");', []),
        ("my_torch_has_storage(x);", []),
        ("#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_13_0\ngo(s.nativeHandle());\n#endif", []),
        ("#ifdef WITH_STREAMS\ngo(s.nativeHandle());\n#endif", ["newer-than-target:4"]),
        ("torch_call_dispatcher(name, overload, stack, TORCH_ABI_VERSION);", []),
    ],
)
def test_what_the_target_has_not_is_found(line, names):
    assert found(stable(line)) == names


@pytest.mark.parametrize(
    ("target", "define", "is_found"),
    [
        ("0x020d000000000000", "#define TORCH_TARGET_VERSION {}", False),
        ("0x020c000000000000ULL", "#define TORCH_TARGET_VERSION {}", True),
        ("TORCH_VERSION_2_11_0", "#define TORCH_TARGET_VERSION {}", True),
        ("TORCH_VERSION_2_14_0", "#define TORCH_TARGET_VERSION {}", False),
        ("0x020A000000000000", "// built by -DTORCH_TARGET_VERSION={}", True),
        ("", "", False),
    ],
)
def test_a_target_is_read_wherever_it_is_stated(target, define, is_found):
    assert found(stable("go(s.nativeHandle());", target, define)) == ["newer-than-target:3"] * is_found


def test_types_of_a_schema_are_those_of_the_target():
    text = stable("").replace("Tensor(a!) x", "Tensor(a!) x, Generator? g=None")
    assert found(text) == ["stable-abi-type:6"]
    assert found(text.replace("0x020a", "0x020d")) == []


def test_tags_of_a_definition_are_those_of_the_target():
    text = stable("").replace('()"', '()", {at::Tag::pt2_compliant_tag}')
    assert found(text) == ["newer-than-target:6"]
    assert found(text.replace("0x020a", "0x020c")) == []


@pytest.mark.parametrize(
    ("value", "release"),
    [
        ("0x020a000000000000", (2, 10)),
        ("0X020C000000000000ULL", (2, 12)),
        (str(0x020D << 48), (2, 13)),
        ("TORCH_VERSION_2_14_0", (2, 14)),
        ("2.10", None),
        ("", None),
    ],
)
def test_a_target_is_a_number_in_any_base_or_a_name(value, release):
    assert release_of(value) == release


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("if (y) { auto p = y->data_ptr<float>(); }", ["unchecked-layout:2"]),
        ("if (check(y)) { auto p = y->data_ptr<float>(); }", []),
        ("auto p = y->data_ptr<float>();", ["unchecked-layout:2"]),
        ("CHECK_CONTIGUOUS(y.value()); auto p = y.value().data_ptr<float>();", []),
        ("go(y.value().data_ptr<float>(), y.value().stride(0));", []),
        (
            "if (y.has_value()) { auto z = y.value(); TORCH_CHECK(z.is_contiguous()); } auto p = y->data_ptr<float>();",
            [],
        ),
        ("if (y.has_value()) { auto z = *y; CHECK_CONTIGUOUS(z); } auto p = y->data_ptr<float>();", []),
        (
            "if (y.has_value()) { auto z = y.value(); auto n = z.numel(); } auto p = y->data_ptr<float>();",
            ["unchecked-layout:2"],
        ),
        ("at::Tensor z = w.value(); CHECK_CONTIGUOUS(z); auto p = y->data_ptr<float>();", ["unchecked-layout:2"]),
    ],
)
def test_the_layout_of_an_optional_argument_is_looked_at_through_its_value(body, names):
    assert (
        found(op("op(Tensor? y) -> Tensor", f"at::Tensor f(const std::optional<at::Tensor>& y) {{ {body} }}")) == names
    )


@pytest.mark.parametrize(
    ("argument", "parameter", "pointer", "condition"),
    [
        ("Tensor x", "const at::Tensor& x", "x.data_ptr()", "TORCH_CHECK(x.is_contiguous(),"),
        ("Tensor? x", "const std::optional<at::Tensor>& x", "x->data_ptr()", "TORCH_CHECK(!x || x->is_contiguous(),"),
    ],
)
def test_the_check_that_is_proposed_fits_the_type_of_the_argument(argument, parameter, pointer, condition):
    source = op(f"op({argument}) -> Tensor", f"at::Tensor f({parameter}) {{ auto p = {pointer}; }}")
    findings = judge_registrations(read_cpp([Source("ops.cpp", source)], {}))
    (help_,) = (one.help for one in findings if one.code.name == "unchecked-layout")
    assert condition in help_


@pytest.mark.parametrize(
    ("body", "severities"),
    [
        ("float* p = x.mutable_data_ptr<float>(); p[0] = 1;", ["error"]),
        ("auto* p = static_cast<float*>(x.mutable_data_ptr()); *p += 1;", ["error"]),
        ("float* p = x.mutable_data_ptr<float>(); go(p); if (p[0] == 1) {}", ["warning"]),
        ("go(x.mutable_data_ptr<float>());", ["warning"]),
        ("go(x.mutable_data_ptr<float>()); x.zero_();", ["error"]),
    ],
)
def test_a_pointer_that_goes_to_a_function_may_only_be_read(body, severities):
    source = op("op(Tensor x) -> Tensor", f"at::Tensor f(const at::Tensor& x) {{ CHECK(x.is_contiguous()); {body} }}")
    findings = judge_registrations(read_cpp([Source("ops.cpp", source)], {}))
    assert [one.severity.value for one in findings if one.code.name == "cpp-undeclared-write"] == severities


def test_a_fake_that_counts_a_list_reads_no_size():
    source = op(
        "op(Tensor[] xs, Tensor x) -> Tensor",
        "at::Tensor f(const std::vector<at::Tensor>& xs, const at::Tensor& x) { auto n = xs.size(); auto a = x.size(0); auto b = x.numel(); }",
        key="Meta",
    )
    findings = [
        one for one in judge_registrations(read_cpp([Source("ops.cpp", source)], {})) if one.code.id == "OPG534"
    ]
    assert ["'size' and 'numel'" in one.message for one in findings] == [True]


def test_files_that_each_define_an_op_are_of_two_builds():
    def build(type_):
        return op("op(Tensor(a!) y, Tensor x) -> ()", f"void f(at::Tensor& y, {type_} x) {{ go(y, x); }}")

    assert "unlike-kernels:2" not in found(build("at::Tensor"), build("const at::Tensor&"))
    other = build("at::Tensor").replace("TORCH_LIBRARY(mylib, m)", "void none()").replace("m.def", "no.def")
    assert "unlike-kernels:2" in found(build("const at::Tensor&"), other.replace("CPU", "XPU"))


@pytest.mark.parametrize(("namespace", "times"), [("mylib", 1), ("TORCH_EXTENSION_NAME", 0)])
def test_a_namespace_that_each_binary_names_has_an_owner_in_each(namespace, times):
    block_of = f'TORCH_LIBRARY({namespace}, m) {{\n  m.def("NAME(Tensor(a!) x) -> ()");\n}}\n'
    names = found(block_of.replace("NAME", "f"), block_of.replace("NAME", "g"))
    assert names.count("two-owners-of-namespace:1") == times


@pytest.mark.parametrize(
    ("schema", "parameters", "marked"),
    [
        (
            "op(Tensor out, Tensor x) -> ()",
            "at::Tensor& out, const at::Tensor& x",
            "op(Tensor(a!) out, Tensor x) -> ()",
        ),
        ("op(Tensor x, float by) -> ()", "torch::Tensor& t, double by", "op(Tensor(a!) x, float by) -> ()"),
        (
            "op(Tensor q, Tensor x, Tensor scale) -> ()",
            "at::Tensor& q, const at::Tensor& x, at::Tensor & scale",
            "op(Tensor(a!) q, Tensor x, Tensor(b!) scale) -> ()",
        ),
        ("op(Tensor out, Tensor x) -> ()", "at::Tensor& out, at::Tensor& x", None),
        ("op(Tensor out, Tensor x) -> ()", "at::Tensor out, at::Tensor&& x", None),
    ],
)
def test_of_an_op_without_a_write_is_said_what_its_kernel_takes_to_write(schema, parameters, marked):
    text = op(schema, f"void f({parameters}) {{}}")
    (finding,) = judge_registrations(read_cpp([Source("csrc/ops.cpp", text)], {}))
    assert finding.code.name == "no-effect"
    if marked is None:
        assert finding.fix is None
    else:
        assert finding.fix.applicability == "unsafe"
        for edit in sorted(finding.fix.edits, key=lambda edit: edit.location.span, reverse=True):
            start, end = edit.location.span
            text = text[:start] + edit.replacement + text[end:]
        assert marked in text
        assert finding.help.startswith("mark what the kernel writes: `Tensor(a!) ")


def test_the_name_of_a_misspelt_op_is_told_and_mended():
    text = op("norm(Tensor x) -> Tensor", "at::Tensor f(const at::Tensor& x) { return x.clone(); }")
    text = text.replace('impl("norm"', 'impl("norn"')
    (finding,) = (
        one for one in judge_registrations(read_cpp([Source("a.cpp", text)], {})) if one.code.name == "undefined-op"
    )
    assert finding.help == "did you mean `mylib::norm`?"
    (edit,) = finding.fix.edits
    assert text[slice(*edit.location.span)] == "norn"
    assert edit.replacement == "norm"


@pytest.mark.parametrize(
    ("before", "severity"),
    [
        ("", Severity.WARNING),
        ("n += 1;", Severity.WARNING),
        ("std::abort();", None),
        ("__builtin_unreachable();", None),
        ('TORCH_CHECK(false, "no");', None),
    ],
)
def test_an_undefined_result_for_values_that_may_never_come_is_doubtful(before, severity):
    body = f"switch (n) {{ case 0: return x.clone(); default: {before} return at::Tensor(); }}"
    text = op("op(Tensor x, int n) -> Tensor", f"at::Tensor f(const at::Tensor& x, int64_t n) {{ {body} }}")
    findings = judge_registrations(read_cpp([Source("a.cpp", text)], {}))
    severities = [one.severity for one in findings if one.code.name == "undefined-result"]
    assert severities == ([severity] if severity else [])
