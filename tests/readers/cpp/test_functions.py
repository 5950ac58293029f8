import pytest

from opgen.readers.cpp import read_cpp
from opgen.source import Source


@pytest.mark.parametrize(
    ("signature", "parameters", "result"),
    [
        ("at::Tensor f(const at::Tensor & x, int64_t n)", [("const at::Tensor&", "x"), ("int64_t", "n")], "at::Tensor"),
        ("static inline at::Tensor& f(at::Tensor &out)", [("at::Tensor&", "out")], "at::Tensor&"),
        ("void f(void)", [], "void"),
        ("void f(at::Tensor x = {}, bool b = true)", [("at::Tensor", "x"), ("bool", "b")], "void"),
        ("auto f(double) -> std::tuple<at::Tensor,bool>", [("double", "")], "std::tuple<at::Tensor, bool>"),
        ("template <class T>\nT f(std::optional< at::Tensor > x)", [("std::optional<at::Tensor>", "x")], "T"),
        ("LIB_API at::Tensor f([[maybe_unused]] int64_t n)", [("int64_t", "n")], "at::Tensor"),
        ('extern "C" void f(const std::vector<int64_t>& n)', [("const std::vector<int64_t>&", "n")], "void"),
        ("__host__ void f(c10::ArrayRef<at::Tensor> xs)", [("c10::ArrayRef<at::Tensor>", "xs")], "void"),
    ],
)
def test_a_signature_is_read_as_it_is_written(kernel, signature, parameters, result):
    found = kernel(f"{signature} {{ }}")
    assert [(one.type, one.name) for one in found.parameters] == parameters
    assert found.result == result


def test_a_default_and_the_places_are_kept(kernel):
    found = kernel("\nat::Tensor f(\n    at::Tensor x,\n    int64_t n = 3) {\n  return x;\n}")
    assert [one.default for one in found.parameters] == [None, "3"]
    assert [one.location.start for one in found.parameters] == [(3, 5), (4, 5)]
    assert (found.location.start, found.location.end.line) == ((2, 1), 4)
    assert found.body.value.strip("{} \n") == "return x;"
    assert found.body.locate().start == (4, 20)


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("f", "global"),
        ("a::f", "a"),
        ("a::b::f", "b"),
        ("::f", "global"),
        ("S::f", "method"),
        ("hidden", "anonymous"),
    ],
)
def test_a_name_is_looked_up_as_in_cpp(read, written, kind):
    text = """
        void f(int64_t global);
        void f(int64_t global) {}
        namespace { void hidden(int64_t anonymous) {} }
        namespace a { void f(int64_t a) {} namespace b { void f(int64_t b) {} } }
        struct S : public Base<S> {
         public:
          static void f(int64_t method) { if (method) { return; } }
        };
    """
    (one,) = read(f'{text} TORCH_LIBRARY_IMPL(lib, CPU, m) {{ m.impl("op", &{written}); }}').implementations
    assert [parameter.name for parameter in one.function.parameters] == [kind]
    assert one.function.body is not None


def test_a_block_looks_in_its_own_namespaces_first(read):
    text = "void f(bool outer) {}\nnamespace a { namespace b { void f(bool inner) {}\n%s\n}}\n%s"
    block = 'TORCH_LIBRARY_IMPL(lib, CPU, m) { m.impl("op", &f); }'
    inside, outside = read(text % (block, "")), read(text % ("", block))
    assert inside.implementations[0].function.parameters[0].name == "inner"
    assert outside.implementations[0].function.parameters[0].name == "outer"


def test_another_namespace_is_reached_only_by_using_it(read):
    text = 'namespace a { void f(bool x) {} }\n%s\nTORCH_LIBRARY_IMPL(lib, CPU, m) { m.impl("op", &f); }'
    assert read(text % "").implementations[0].function.parameters is None
    assert read(text % "using namespace a;").implementations[0].function.parameters is not None


def test_overloads_are_told_apart_by_a_cast_or_by_the_schema(read):
    found = read("""
        void f(const at::Tensor& x) {}
        void f(const at::Tensor& x, double y) {}
        TORCH_LIBRARY(lib, m) {
          m.def("one(Tensor x) -> ()");
          m.def("two(Tensor x, *, float y=2.0) -> ()", &f);
          m.impl("one", torch::kCPU, &f);
          m.impl("one", torch::kCUDA, static_cast<void (*)(const at::Tensor&, double)>(&f));
        }
    """)
    assert [len(one.function.parameters) for one in found.implementations] == [1, 2]
    assert len(found.definitions[1].function.parameters) == 2


def test_a_function_of_another_file_is_found_the_nearest_first():
    block = 'void f(bool);\nTORCH_LIBRARY_IMPL(lib, CPU, m) { m.impl("op", &f); }'
    sources = [
        Source("csrc/far/f.cpp", "void f(bool far) {}"),
        Source("csrc/cpu/f.cpp", "void f(bool near) {}"),
        Source("csrc/cpu/bindings.cpp", block),
        Source("csrc/unrelated.cpp", "int main() { return 0; }"),
    ]
    (one,) = read_cpp(sources, {}).implementations
    assert one.function.parameters[0].name == "near"
    assert one.function.location.source.path == "csrc/cpu/f.cpp"


def test_a_body_that_no_parser_takes_leaves_the_signature(kernel):
    found = kernel("at::Tensor f(const at::Tensor& x) { @@ $$ MACRO(< , { ) } >>= ; }")
    assert [one.name for one in found.parameters] == ["x"]


def test_the_same_function_of_another_branch_is_an_alternative(read):
    found = read("""
        #ifdef FAST
        void f(at::Tensor& x) { x.zero_(); }
        #else
        void f(at::Tensor& x, bool y) { TORCH_CHECK(false); }
        #endif
        TORCH_LIBRARY(lib, m) { m.def("op(Tensor! x) -> ()"); m.impl("op", torch::kCPU, &f); }
    """)
    function = found.implementations[0].function
    assert [condition.text for condition in function.conditions] == ["#ifdef FAST"]
    assert [[one.name for one in other.parameters] for other in function.alternatives] == [["x", "y"]]
    assert [condition.text for condition in function.alternatives[0].conditions] == ["#else of #ifdef FAST"]
