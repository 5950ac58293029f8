import re

from hypothesis import given
from hypothesis import strategies as st

from opgen.readers.cpp import read_cpp
from opgen.source import Source, Span

plain = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=20)
SIMPLE = {"\n": r"\n", "\t": r"\t", '"': r"\"", "\\": r"\\", "\a": r"\a"}


def escaped(character, style):
    """Write a character in one of the ways of C++."""
    if character in SIMPLE and style != 1:
        return SIMPLE[character]
    if style == 1 and ord(character) < 0o1000:
        return f"\\{ord(character):03o}"
    if style == 2:
        return f"\\U{ord(character):08x}"
    return character if character.isprintable() else f"\\U{ord(character):08x}"


@st.composite
def literals(draw):
    """A text, its spellings character by character, and the literals in C++ that hold it."""
    value = draw(plain)
    if draw(st.booleans()) and '"' not in value:
        return value, list(value), f'R"x({value})x"'
    spelled = [escaped(character, draw(st.integers(0, 2))) for character in value]
    return value, spelled, f'"{"".join(spelled)}"'


@given(
    st.lists(literals(), min_size=1, max_size=4), st.sampled_from([" ", "\n", ' /* "x" */ ', ' // "y"\n', "\t\\\n "])
)
def test_literals_round_trip_and_know_their_places(parts, between):
    parts = [("f", ["f"], '"f"'), *parts, ("(", ["("], '"("')]
    text = f"TORCH_LIBRARY(lib, m) {{ m.def({between.join(part[2] for part in parts)}); }}"
    (definition,) = read_cpp([Source("ops.cpp", text)], {}).definitions
    schema = definition.schema
    assert schema.value == "".join(part[0] for part in parts)
    spelled = [one for part in parts for one in part[1]]
    for index, spelling in enumerate(spelled):
        start = schema.locate(Span(index, index + 1)).span.start
        assert text[start : start + len(spelling)] == spelling


@given(st.text(st.sampled_from("\"\\'()R/*#{}\n m.def;x"), max_size=40))
def test_no_text_breaks_the_reader(junk):
    read_cpp([Source("ops.cpp", f'TORCH_LIBRARY(lib, m) {{ {junk} m.def("f() -> ()"); }} void f() {{}} {junk}')], {})


def test_a_part_of_a_schema_is_located_in_the_right_line():
    text = 'TORCH_LIBRARY(lib, m) {\n  m.def(\n    "f(Tensor x, "\n    "int größe) -> ()");\n}\n'
    (definition,) = read_cpp([Source("ops.cpp", text)], {}).definitions
    match = re.search("größe", definition.schema.value)
    location = definition.schema.locate(Span(*match.span()))
    assert (location.start, location.end) == ((4, 10), (4, 15))
