"""The blanks that ``opgen fmt`` sets are those of the canonical form."""

from __future__ import annotations

import random

import pytest

from opgen.build.fmt.schema_blanks import with_canonical_blanks
from opgen.schema.parser import parse_schema
from opgen.schema.printer import print_schema

_ODD = {
    ", ": [",", " ,  ", ",\t"],
    " -> ": ["->", "-> ", "  ->"],
    "(": ["( "],
    ")": [" )"],
    "=": [" = ", "= "],
    "[": [" [ "],
}


def with_odd_blanks(schema: str, generator: random.Random) -> str:
    for usual, odd in _ODD.items():
        if '"' not in schema and "'" not in schema and generator.random() < 0.7:
            schema = schema.replace(usual, generator.choice(odd))
    return schema


def test_canonical_schemas_stay_and_others_with_the_same_tokens_become_so(native_schemas):
    generator = random.Random(0)  # noqa: S311 - reproducible, not secret
    canonical = [print_schema(parse_schema(text).schema) for text in native_schemas[::3]]
    assert [text for text in canonical if with_canonical_blanks(text) != text] == []
    odd = [with_odd_blanks(text, generator) for text in canonical]
    assert sum(map(str.__ne__, odd, canonical)) > 500
    assert list(map(with_canonical_blanks, odd)) == canonical


@pytest.mark.parametrize(
    "schema",
    [
        "f(int x, *, int y, ...) -> (int, ...)",
        "f(None x, Dict(str, Tensor) y, __torch__.torch.classes.a.B z, Union(int, None) w=None) -> ((Tensor, int))",
        "aten::f(Tensor(a! -> *)[]? x, int[2] y=[-1, 2], int[3]? q=None, *, str z='a,b  c', Tensor? w=None) -> ...",
        'f(float x=-1e-05, complex y=2j, Device d="cuda:0", ScalarType t=float32, bool b=True) -> (Tensor(a) x, None)',
    ],
)
def test_every_form_of_the_language_has_its_blanks(schema):
    assert with_canonical_blanks(schema) == schema
    assert with_canonical_blanks(schema.replace(", ", ",").replace(" -> ", "->")) == schema


@pytest.mark.parametrize(
    "text", ["f(Tensor  x", "f(Tensor  x,\n int y) -> ()", "f(int  x # why\n) -> ()", "f( ) -> ()  # why", ""]
)
def test_what_is_no_schema_of_one_line_stays(text):
    assert with_canonical_blanks(text) == text


@pytest.mark.parametrize("gap", ["# c\n", " # c\n", "\t", "\n", "\\\n", " \\\n# c\n"])
def test_blanks_and_comments_may_be_as_many_as_they_like(gap):
    assert print_schema(parse_schema(f"f(Tensor x{gap * 1000}) -> ()").schema) == "f(Tensor x) -> ()"
