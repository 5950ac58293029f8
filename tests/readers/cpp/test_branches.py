import pytest

from opgen.readers.registrations import Condition

BLOCK = "TORCH_LIBRARY(lib, m) {{\n{}\n}}\n"


def conditions(found):
    return {
        one.schema.value.partition("(")[0]: [condition.text for condition in one.conditions]
        for one in found.definitions
    }


def test_all_branches_are_read_with_their_conditions(read):
    found = read(
        BLOCK.format("""
#ifdef A
  m.def("a() -> ()");
  #if B > 1
    m.def("ab() -> ()");
  #elif C
    m.def("ac() -> ()");
  #else
    m.def("a_() -> ()");
  #endif
#else
  m.def("e() -> ()");
#endif
  m.def("always() -> ()");
#ifndef A
  m.def("n() -> ()");
#endif""")
    )
    assert conditions(found) == {
        "a": ["#ifdef A"],
        "ab": ["#ifdef A", "#if B > 1"],
        "ac": ["#ifdef A", "#elif C"],
        "a_": ["#ifdef A", "#else of #if B > 1"],
        "e": ["#else of #ifdef A"],
        "always": [],
        "n": ["#ifndef A"],
    }
    assert [one.location.start.line for one in found.definitions] == [4, 6, 8, 10, 13, 15, 17]


@pytest.mark.parametrize(
    "statement",
    [
        'm.def(\n#ifdef A\n  "a() -> ()"\n#else\n  "b() -> ()"\n#endif\n  );',
        'm.def(\n#ifdef A\n  "a() -> ()", &f);\n#else\n  "b() -> ()", &g);\n#endif',
        '#ifdef A\nif (x) {\n  m.def("a() -> ()");\n#else\n{\n  m.def("b() -> ()");\n#endif\n}',
    ],
)
def test_a_branch_may_split_a_statement(read, statement):
    found = read(BLOCK.format(statement))
    assert conditions(found) == {"a": ["#ifdef A"], "b": ["#else of #ifdef A"]}
    assert not found.unread
    first, second = (one.conditions[0] for one in found.definitions)
    assert first.excludes(second)
    assert not first.excludes(first)


def test_a_branch_may_choose_the_block(read):
    found = read(
        '#if STABLE\nSTABLE_TORCH_LIBRARY(lib, m) {\n#else\nTORCH_LIBRARY(lib, m) {\n#endif\n  m.def("a() -> ()");\n}\n'
    )
    assert [(one.abi, [condition.text for condition in one.conditions]) for one in found.definitions] == [
        ("stable", ["#if STABLE"]),
        ("classic", ["#else of #if STABLE"]),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('#if 0\n  m.def("dead() -> ()");\n#else\n  m.def("a() -> ()");\n#endif', {"a": []}),
        ('#if 1\n  m.def("a() -> ()");\n#else\n  m.def("dead() -> ()");\n#endif', {"a": []}),
        ('#if A // don\'t\n  m.def("a() -> ()");\n#endif', {"a": ["#if A"]}),
        ('#if A && \\\n    B\n  m.def("a() -> ()");\n#endif', {"a": ["#if A && B"]}),
        ('#ifdef A\n  m.def("a() -> ()");', {"a": ["#ifdef A"]}),
        ('#endif\n#else\n  m.def("a() -> ()");', {"a": []}),
    ],
)
def test_dead_branches_are_skipped_and_odd_directives_survived(read, text, expected):
    assert conditions(read(BLOCK.format(text))) == expected


def test_an_include_guard_is_no_condition(read):
    found = read("#ifndef LIB_H\n#define LIB_H\n" + BLOCK.format('m.def("a() -> ()");') + "#endif\n")
    assert conditions(found) == {"a": []}


def test_a_function_is_found_in_either_branch(read):
    text = (
        "#ifdef A\nvoid f(bool a) {\n#else\nvoid f(bool b) {\n#endif\n}\n#ifdef A\n#else\nvoid g(bool c) {}\n#endif\n"
    )
    found = read(text + 'TORCH_LIBRARY_IMPL(lib, CPU, m) { m.impl("f", &f); m.impl("g", &g); }')
    assert [one.function.parameters[0].name for one in found.implementations] == ["a", "c"]


def test_conditions_of_opposite_macros_exclude_each_other(read):
    found = read(BLOCK.format('#ifdef A\nm.def("a() -> ()");\n#endif\n#ifndef A\nm.def("b() -> ()");\n#endif'))
    (first,), (second,) = (one.conditions for one in found.definitions)
    assert isinstance(first, Condition)
    assert first.excludes(second)
