import time

import pytest

from opgen.readers.cpp import read_cpp
from opgen.source import Source

BLOCK = 'TORCH_LIBRARY(lib, m) {\n\tm.def("f(Tensor x) -> Tensor", &f);\n}\n'
FUNCTION = "at::Tensor f(const at::Tensor& x) { return x; }\n"


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff#include <x>\n" + FUNCTION + BLOCK,
        (FUNCTION + BLOCK).replace("\n", "\r\n"),
        "// größer \U0001f600\n" + FUNCTION + BLOCK,
        b"// caf\xe9 \xff\n".decode("utf-8", "surrogateescape") + FUNCTION + BLOCK,
        "\0\x0c" + FUNCTION + BLOCK,
        "const int n = 1'000'000; char c = '{'; char d = '\\''; char e = '\"';\n" + FUNCTION + BLOCK,
        "SOME_MACRO(x)\nANOTHER { weird } stuff\n" + FUNCTION + BLOCK,
        'asm("#if"); auto s = "/*"; auto r = R"(TORCH_LIBRARY(no, m) {)";\n' + FUNCTION + BLOCK,
        "#error don't\n#include <a/*.h>\n" + FUNCTION + BLOCK,
        '#define URL "http://x"\n#define QUOTE \'"\'\n' + FUNCTION + BLOCK,
        "__global__ void k(float* p) { p[0] = 1; }\nvoid g() { k<<<1, 2>>>(nullptr); }\n" + FUNCTION + BLOCK,
    ],
)
def test_what_stands_around_changes_nothing(text):
    (definition,) = read_cpp([Source("ops.cpp", text)], {}).definitions
    line = text[: text.index("m.def")].count("\n") + 1
    assert definition.location.start == (line, 2)
    assert definition.schema.locate().start == (line, 9)
    assert [one.name for one in definition.function.parameters] == ["x"]


def test_a_block_that_is_never_closed_is_read_to_the_end(read):
    assert len(read('TORCH_LIBRARY(lib, m) { m.def("f() -> ()"); m.def("g() -> ()");').definitions) == 2


def test_sources_without_registrations_are_kept_but_not_read():
    found = read_cpp([Source("a.cpp", "int main() {}"), Source("b.cpp", "")], {})
    assert not found.definitions
    assert list(found.sources) == ["a.cpp", "b.cpp"]


MANY = 20_000


@pytest.mark.parametrize(
    "junk",
    [
        "#if A\n" * MANY,
        "m.def(" * MANY,
        'm.def("f() -> ()"' + ("(" * MANY) + (")" * MANY) + ");",
        "TORCH_LIBRARY(" * MANY,
        "{" * MANY,
        "/*" * MANY,
        'R"(' * MANY,
        "#" * MANY,
        "a<" * MANY + "(",
        "a<<<" * MANY,
        "'" * MANY,
        "\\\n" * MANY,
        "".join(f"#define M{i} M{i + 1} M{i + 1}\n" for i in range(99)) + "m.def(M0);",
        "m.def(" + " + ".join(['"f"'] * 500) + ");",
        'm.def("f() -> ()")' + '.def("f() -> ()")' * 500 + ";",
        "TORCH_LIBRARY(a, m) {" * MANY,
        "TORCH_LIBRARY(" * MANY + ")" * MANY,
        "m.def(" * MANY + ")" * MANY,
        "namespace a { " * MANY,
        "void f(torch::Library& m) {" * (MANY // 10),
        "x" + " #" * MANY,
        'const std::string s0 = "f";\n'
        + "".join(f"const std::string s{i + 1} = s{i} + s{i};\n" for i in range(99))
        + "m.def(s99);",
    ],
)
def test_hostile_texts_come_to_an_end(junk):
    start = time.process_time()
    read_cpp([Source("ops.cpp", f"void f() {{}}\nTORCH_LIBRARY(lib, m) {{\n{junk}\n}}\nvoid g() {{ {junk}")], {})
    assert time.process_time() - start < 10


def test_branches_beyond_the_bound_are_said_to_be_unread(read):
    branches = "".join(f'#elif B == {i}\nm.def("f{i}() -> ()");\n' for i in range(100))
    found = read(f"TORCH_LIBRARY(lib, m) {{\n#if A\n{branches}#endif\n}}\n")
    assert len(found.definitions) > 10
    assert [unread.reason for unread in found.unread] == ["there are more branches of one #if than are read"]


def seconds(count):
    functions = "".join(
        f"#ifdef A{i % 7}\nstatic at::Tensor f{i}(const at::Tensor& x) {{\n  if (x.numel()) {{ return x; }}\n  return x;\n}}\n#endif\n"
        for i in range(count)
    )
    statements = "".join(f'  m.def("op{i}(Tensor x) -> Tensor", &f{i});\n' for i in range(count))
    source = Source("ops.cpp", f"{functions}TORCH_LIBRARY(lib, m) {{\n{statements}}}\n")
    start = time.process_time()
    assert len(read_cpp([source], {}).definitions) == count
    return time.process_time() - start


def test_time_grows_with_the_size_of_a_file_only():
    seconds(10)
    small, large = min(seconds(200), seconds(200)), seconds(2000)
    assert large < 30 * small
