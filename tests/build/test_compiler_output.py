"""What compilers and linkers print, as they printed it."""

import pytest

from opgen.build.compiler_output import CompilerMessage, first_linker_message, read_messages

GCC_ASSERTION = """\
In file included from generated/csrc/units/cpu/add.cpp:3:
generated/csrc/units/cpu/add.cpp: In instantiation of 'struct add_argument_eps<float, double>':
generated/csrc/units/cpu/add.cpp:12:24:   required from here
generated/csrc/units/cpu/add.cpp:7:66: error: static assertion failed: ns::add: argument 'eps' is float
    7 |     static_assert(std::is_same_v<Got, Want>, "...");
generated/csrc/units/cpu/add.cpp:7:66: note: 'std::is_same_v<float, double>' evaluates to false
./kernels/cpu/add.cpp:4:9: warning: unused variable 'n' [-Wunused-variable]
./kernels/cpu/add.cpp:4:9: warning: unused variable 'n' [-Wunused-variable]
cc1plus: all warnings being treated as errors
"""
GCC_FATAL = "a b/x.cpp:1:10: fatal error: missing.h: No such file or directory\ncompilation terminated.\n"
GNU_LD = """\
/usr/bin/ld: add.o: in function `ns::add()':
add.cpp:(.text+0x5): undefined reference to `ns::helper()'
collect2: error: ld returned 1 exit status
"""
TYPES = "ns::add: argument 'eps' is float, found float"
GCC_NESTED = """\
add.cpp:7:66: error: static assertion failed: ns::add: the kernel must return Tensor
add.cpp:7:66: note: 'std::is_same_v<std::tuple<int, std::array<int, 2> >, Tensor>' evaluates to false
"""
NESTED = "ns::add: the kernel must return Tensor, found std::tuple<int, std::array<int, 2> >"
CLANG_ARITY = (
    "a.cpp:2:3: error: static assertion failed due to requirement 'sizeof(void (int)) == 0': "
    "ns::add: the kernel must be void(const Tensor& x)\n"
)
CLANG_ASSERTION = (
    "a.cpp:2:3: error: static assertion failed due to requirement 'std::is_same_v<float, double>': "
    "ns::add: argument 'eps' is float\n"
)
CLANG = "kernels/cpu/add.cpp:4:5: error: use of undeclared identifier 'foo'\n    foo();\n    ^\n1 error generated.\n"


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (
            GCC_ASSERTION,
            [
                CompilerMessage("generated/csrc/units/cpu/add.cpp", 7, 66, "error", TYPES),
                CompilerMessage("kernels/cpu/add.cpp", 4, 9, "warning", "unused variable 'n' [-Wunused-variable]"),
            ],
        ),
        (GCC_FATAL, [CompilerMessage("a b/x.cpp", 1, 10, "error", "missing.h: No such file or directory")]),
        (CLANG, [CompilerMessage("kernels/cpu/add.cpp", 4, 5, "error", "use of undeclared identifier 'foo'")]),
        (CLANG_ASSERTION, [CompilerMessage("a.cpp", 2, 3, "error", TYPES)]),
        (GCC_NESTED, [CompilerMessage("add.cpp", 7, 66, "error", NESTED)]),
        (CLANG_ARITY, [CompilerMessage("a.cpp", 2, 3, "error", "ns::add: the kernel must be void(const Tensor& x)")]),
        ("g++: internal compiler error: Killed\n", []),
    ],
    ids=[
        "gcc",
        "gcc, a missing header",
        "clang",
        "clang, an assertion",
        "gcc, a nested type",
        "clang, an assertion without types",
        "nothing with a place",
    ],
)
def test_errors_and_warnings_are_read_once_each(output, expected):
    assert read_messages(output) == expected


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (
            GNU_LD,
            "undefined reference to `ns::helper()'",
        ),
        (
            "/usr/bin/ld: b.o: multiple definition of `twice'; a.o: first defined here\n",
            "multiple definition of `twice'; a.o: first defined here",
        ),
        ("/usr/bin/ld: cannot find -ltorch_cpu\n", "cannot find -ltorch_cpu"),
        ("ld.lld: error: undefined symbol: ns::helper()\n>>> referenced by x\n", "undefined symbol: ns::helper()"),
        ("something else\n", "something else"),
        ("", "the linker gave no reason"),
    ],
)
def test_the_linkers_reason_is_found(output, expected):
    assert first_linker_message(output) == expected
