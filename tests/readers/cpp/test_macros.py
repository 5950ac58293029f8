import pytest

from opgen.readers.cpp import read_cpp
from opgen.source import Source


def test_a_projects_wrapper_is_expanded(read):
    found = read(
        "#define DISPATCH_TO_CUDA(name, function) \\\n"
        "  m.impl(name, torch::dispatch(c10::DispatchKey::CUDA, TORCH_FN(function)))\n"
        "#define BOTH(name, f) DISPATCH_TO_CUDA(name, f##_cuda); m.impl(name, torch::kCPU, f##_cpu)\n"
        'TORCH_LIBRARY_FRAGMENT(lib, m) {\n  DISPATCH_TO_CUDA("one", one);\n  BOTH("two", two);\n}\n'
    )
    assert [(one.op.value, one.keys, one.function.name, one.form) for one in found.implementations] == [
        ("lib::one", ("CUDA",), "one", "DISPATCH_TO_CUDA"),
        ("lib::two", ("CUDA",), "two_cuda", "BOTH"),
        ("lib::two", ("CPU",), "two_cpu", "BOTH"),
    ]
    assert found.implementations[0].op.locate().start == (5, 21)
    assert [one.location.start.line for one in found.implementations] == [5, 6, 6]


def test_a_macro_may_write_schemas(read):
    found = read(
        '#define OPS(bits) \\\n  m.def("pack_" #bits "bit(Tensor x) -> Tensor"); \\\n  m.def("unpack_" #bits "bit(Tensor x) -> Tensor");\n'
        "TORCH_LIBRARY(lib, m) {\n  OPS(1)\n  OPS(2)\n}\n"
    )
    assert [(one.schema.value.partition("(")[0], one.location.start.line) for one in found.definitions] == [
        ("pack_1bit", 5),
        ("unpack_1bit", 5),
        ("pack_2bit", 6),
        ("unpack_2bit", 6),
    ]


@pytest.mark.parametrize(
    ("macros", "head"),
    [
        ("#define LIBRARY(m) TORCH_LIBRARY(lib, m)", "LIBRARY(m) {"),
        ("#define NAME lib", "TORCH_LIBRARY_FRAGMENT(NAME, m) {"),
        ("#define CAT(a, b) CAT_(a, b)\n#define CAT_(a, b) a##b\n#define L l", "TORCH_LIBRARY_EXPAND(CAT(L, ib), m) {"),
        ("#define TORCH_LIBRARY_EXPAND(N, M) TORCH_LIBRARY(N, M)\n#define N lib", "TORCH_LIBRARY_EXPAND(N, m) {"),
    ],
)
def test_a_macro_may_make_the_head_of_a_block(read, macros, head):
    (definition,) = read(f'{macros}\n{head}\n  m.def("f() -> ()");\n}}\n').definitions
    assert definition.namespace == "lib"
    assert definition.location.start.column == 3


def test_a_macro_may_make_a_whole_block():
    header = "#define DISPATCH(KEY, NAME, F) TORCH_LIBRARY_IMPL(lib, KEY, m) { m.impl(NAME, TORCH_FN(F)); }\n"
    text = 'void f(bool b) {}\nDISPATCH(CPU, "one", f)\nDISPATCH(Meta, "two", f);\n'
    found = read_cpp([Source("ops.h", header), Source("ops.cpp", text)], {})
    assert [(one.op.value, one.keys, one.location.start.line) for one in found.implementations] == [
        ("lib::one", ("CPU",), 2),
        ("lib::two", ("Meta",), 3),
    ]
    assert found.implementations[0].function.parameters[0].name == "b"


def test_a_files_own_macro_goes_before_those_of_others():
    sources = [
        Source("a.h", "#define NAME other\n"),
        Source("b.cpp", '#define NAME mine\nTORCH_LIBRARY(NAME, m) { m.def("f() -> ()"); }\n'),
    ]
    assert read_cpp(sources, {}).definitions[0].namespace == "mine"
    assert read_cpp(sources, {"NAME": "defined"}).definitions[0].namespace == "defined"


@pytest.mark.parametrize(
    "macros",
    [
        "#define M(x) M(M(x))",
        "#define M(x) N(x) N(x)\n#define N(x) M(x) M(x)",
        "#define M(x) x x\n",
        "#define M(x",
        "#define M(...) __VA_ARGS__ , __VA_ARGS__",
    ],
)
def test_macros_without_an_end_come_to_one(read, macros):
    found = read(
        f'{macros}\nTORCH_LIBRARY(lib, m) {{ m.def({"M(" * 40}"f() -> ()"{")" * 40}); m.def("g() -> ()"); }}\n'
    )
    assert found.definitions[-1].schema.value == "g() -> ()"


def test_a_macro_is_not_expanded_within_itself(read):
    (implementation,) = read(
        "#define f ns::f\nTORCH_LIBRARY_IMPL(lib, CPU, m) { m.impl(NAME, &f); }", NAME='"op"'
    ).implementations
    assert (implementation.op.value, implementation.function.name) == ("lib::op", "ns::f")
