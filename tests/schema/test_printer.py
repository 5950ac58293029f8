"""The canonical form: a fixed point that says what was written."""

from __future__ import annotations

from pathlib import Path

import pytest

from opgen.schema.nodes import FunctionSchema
from opgen.schema.parser import parse_schema
from opgen.schema.printer import print_schema, print_type

IDENTITY = Path(__file__).with_name("identity.txt").read_text(encoding="utf-8").splitlines()

CANONICAL = [
    ("  f( Tensor  x ,int   y )->(Tensor)\n", "f(Tensor x, int y) -> Tensor"),
    ("ns : : f . a(Tensor x) -> Tensor", "ns::f.a(Tensor x) -> Tensor"),
    ("f(Tensor x, # the input\n  int y\n) -> Tensor # the result", "f(Tensor x, int y) -> Tensor"),
    ("f(Tensor! x, Tensor!? y, Tensor![] z) -> ()", "f(Tensor(a!) x, Tensor(b!)? y, Tensor(c!)[] z) -> ()"),
    ("f(Tensor(a!) x, Tensor! y, Tensor(b) z) -> Tensor!", "f(Tensor(a!) x, Tensor(c!) y, Tensor(b) z) -> Tensor(d!)"),
    ("f(Tensor[]! x, (Tensor!, int) y) -> ()", "f(Tensor[](a!) x, (Tensor(b!), int) y) -> ()"),
    ("f(Tensor(a|a|b) x, Tensor(a -> a) y, Tensor(*||*) z) -> ()", "f(Tensor(a|b) x, Tensor(a) y, Tensor(*) z) -> ()"),
    ("f(*, *, int x, *) -> ()", "f(*, int x) -> ()"),
    ("f(int x, *) -> ()", "f(int x) -> ()"),
    ("f(Tensor?? x, int?[]??? y) -> ()", "f(Tensor? x, int?[]? y) -> ()"),
    ("f(int[2.5] x, int[1e1] y, int[4294967295] z) -> ()", "f(int[2] x, int[1] y, int[4294967295] z) -> ()"),
    ("f(int[99999999999] x) -> ()", "f(int[1215752191] x) -> ()"),
    ("f(int a=1E5, int b=0x10, int c=1e3, Scalar d=007) -> ()", "f(int a=1, int b=0, int c=1000.0, Scalar d=7) -> ()"),
    (
        "f(float a=1, float b=0x10, float c=1E5, float d=.5) -> ()",
        "f(float a=1.0, float b=16.0, float c=100000.0, float d=0.5) -> ()",
    ),
    ("f(complex a=12, complex? b=12, Scalar c=3j) -> ()", "f(complex a=1.0j, complex? b=12, Scalar c=3.0j) -> ()"),
    ("f(float x=1e-0005, float y=1e+22) -> ()", "f(float x=1e-5, float y=1e22) -> ()"),
    (
        "f(str x='a', str y='''b\n\"''', str z='\\101\\303\\251') -> ()",
        'f(str x="a", str y="b\\n\\"", str z="Aé") -> ()',
    ),
    ("f(str x='\\351') -> ()", 'f(str x="\\351") -> ()'),
]


def parsed(text: str) -> FunctionSchema:
    result = parse_schema(text)
    assert result.schema is not None, result.errors
    return result.schema


@pytest.mark.parametrize("text", IDENTITY)
def test_a_canonical_schema_is_printed_as_it_stands(text):
    assert print_schema(parsed(text)) == text


@pytest.mark.parametrize(("text", "canonical"), CANONICAL)
def test_other_spellings_are_printed_canonically(text, canonical):
    assert print_schema(parsed(text)) == canonical
    assert print_schema(parsed(canonical)) == canonical


def test_more_bare_writes_than_letters_get_numbered_names():
    arguments = ", ".join(f"Tensor! x{number}" for number in range(28))
    canonical = print_schema(parsed(f"f({arguments}) -> ()"))
    assert "Tensor(z!) x25, Tensor(a0!) x26, Tensor(a1!) x27" in canonical


def test_a_type_alone_keeps_a_bare_write():
    argument = parsed("f(Tensor![]? x=None) -> ()").arguments[0]
    assert print_type(argument.type) == "Tensor![]?"
