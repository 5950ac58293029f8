"""What the parser makes of a schema, and where each part stands."""

from __future__ import annotations

import dataclasses

import pytest

from opgen.schema.nodes import (
    Annotation,
    Argument,
    BaseType,
    ConstantDefault,
    ListDefault,
    ListType,
    NameDefault,
    NumberDefault,
    OptionalType,
    StringDefault,
)
from opgen.schema.parser import check_schema, parse_schema
from opgen.source import Source, Span, Text


def argument(text: str) -> Argument:
    result = parse_schema(f"f({text}) -> ()")
    assert result.schema is not None, result.errors
    return result.schema.arguments[0]


TYPES = [
    ("Tensor x", BaseType("Tensor")),
    ("Tensor! x", BaseType("Tensor", Annotation((), None, is_write=True))),
    ("Tensor(a) x", BaseType("Tensor", Annotation(("a",), None, is_write=False))),
    ("Tensor(a! -> b|*) x", BaseType("Tensor", Annotation(("a",), ("b", "*"), is_write=True))),
    ("int[2]? x", OptionalType(ListType(BaseType("int"), 2))),
    ("int?[] x", ListType(OptionalType(BaseType("int")))),
    ("int[4294967297] x", ListType(BaseType("int"), 1)),
    ("int[4294967295] x", ListType(BaseType("int"), -1)),
]

DEFAULTS = [
    ("int x=-5", NumberDefault("-5", -5)),
    ("int x=- 5", NumberDefault("-5", -5)),
    ("int x=1E5", NumberDefault("1E5", 1)),
    ("int x=0x10", NumberDefault("0x10", 0)),
    ("int x=0x1e", NumberDefault("0x1e", 30.0)),
    ("float x=1E5", NumberDefault("1E5", 1e5)),
    ("float x=0x1p3", NumberDefault("0x1p3", 8.0)),
    ("float? x=1E5", NumberDefault("1E5", 1)),
    ("complex x=15", NumberDefault("15", 1j)),
    ("int x=2j", NumberDefault("2j", 2j)),
    ("int x=None", ConstantDefault(None)),
    ("int x=True", ConstantDefault(value=True)),
    ("bool x='a\\'\\n'", StringDefault("a'\n")),
    ("ScalarType x=half", NameDefault("half", 5)),
    ("ScalarType? x=float8_e4m3fn", NameDefault("float8_e4m3fn", 24)),
    ("int x=Mean", NameDefault("Mean", 1)),
    ("int[2] x=7", NumberDefault("7", 7)),
    ("int[2] x=[7]", ListDefault((NumberDefault("7", 7),))),
    ("float[] x=[1, -2.5]", ListDefault((NumberDefault("1", 1.0), NumberDefault("-2.5", -2.5)))),
    ("Device x='cuda:1'", StringDefault("cuda:1")),
]


@pytest.mark.parametrize(("text", "type_"), TYPES)
def test_types_are_read(text, type_):
    assert argument(text).type == type_


@pytest.mark.parametrize(("text", "default"), DEFAULTS)
def test_defaults_are_what_pytorch_makes_of_them(text, default):
    found = argument(text).default
    assert found == default
    assert type(getattr(found, "value", None)) is type(getattr(default, "value", None))


def test_arguments_after_a_star_are_keyword_only():
    schema = parse_schema("f(int a, *, int b, *, int c) -> ()").schema
    assert [one.kwarg_only for one in schema.arguments] == [False, True, True]


@pytest.mark.parametrize("layout", ["{}", "\n {}", "{}  # odd\n", "# odd\n{}"])
def test_spans_mark_the_parts_of_the_text(layout):
    text = layout.format("ns::f.b(Tensor(a!)? xs=None, *, int[2] n = [1, 2]) -> (Tensor(a!), int y)")
    schema = parse_schema(text).schema
    xs, n = schema.arguments
    first, second = schema.returns

    def marked(node):
        return text[slice(*node.span)]

    assert marked(schema) == text.replace("# odd", "").strip()
    assert marked(schema.name) == "ns::f.b"
    assert text[slice(*schema.returns_span)] == "(Tensor(a!), int y)"
    assert [marked(xs), text[slice(*xs.name_span)], marked(xs.default)] == ["Tensor(a!)? xs=None", "xs", "None"]
    assert [marked(xs.type), marked(xs.type.element.annotation)] == ["Tensor(a!)?", "(a!)"]
    assert [marked(n.type), marked(n.type.element), marked(n.default)] == ["int[2]", "int", "[1, 2]"]
    assert [marked(item) for item in n.default.items] == ["1", "2"]
    assert [marked(first), marked(second), text[slice(*second.name_span)]] == ["Tensor(a!)", "int y", "y"]


def test_repeated_arguments_stand_where_they_are_written():
    text = "f(Tensor(a) x, Tensor(a) longer, int x=1, int longer=1) -> (Tensor, Tensor)"
    schema = parse_schema(text).schema
    parts = [text[slice(*part.span)] for part in (*schema.arguments, *schema.returns)]
    assert parts == ["Tensor(a) x", "Tensor(a) longer", "int x=1", "int longer=1", "Tensor", "Tensor"]
    assert [text[slice(*one.name_span)] for one in schema.arguments] == ["x", "longer", "x", "longer"]
    assert [text[slice(*one.default.span)] for one in schema.arguments[2:]] == ["1", "1"]
    assert [text[slice(*one.type.annotation.span)] for one in schema.arguments[:2]] == ["(a)", "(a)"]


def test_spellings_of_one_schema_are_equal():
    one, other = parse_schema("f(Tensor x)->Tensor").schema, parse_schema("f( Tensor x ) -> (Tensor)").schema
    assert one == other
    assert hash(one) == hash(other)
    assert dataclasses.replace(one, is_vararg=True) != other


def test_mistakes_are_placed_in_the_file():
    source = Source("ops.yaml", "- func: f(int64_t n) -> Tensor\n")
    schema, found = check_schema(Text("f(int64_t n) -> Tensor", source, base=8))
    assert schema is None
    assert [(one.code.id, one.location.start, one.location.span) for one in found] == [
        ("OPG101", (1, 11), Span(10, 17))
    ]


def test_opaque_types_are_known_where_they_are_declared():
    text = "f(mylib.Plan plan, mylib.Plan[]? more=None) -> mylib.Plan"
    assert parse_schema(text).schema is None
    assert parse_schema(text, frozenset({"mylib.Plan"})).schema is not None
