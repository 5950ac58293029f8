"""Numbers and types of random shape, against PyTorch: what it can build and what it reads."""

from __future__ import annotations

import random

import pytest

from opgen.schema.parser import parse_schema

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

BASE = [
    "Tensor",
    "str",
    "float",
    "int",
    "int",
    "bool",
    "complex",
    "Scalar",
    "None",
    "None",
    "Any",
    "Device",
    "SymInt",
    "Capsule",
]
DIGITS = ["0", "00", "1", "5", "17", "255", "4503599627370497", "9223372036854775808", "999999999999999999999999"]
EXPONENTS = ["", "e5", "E5", "e-5", "e+308", "e-308", "e-310", "e-323", "e-324", "e-400", "e400"]
HEXADECIMAL = ["", ".8", ".", ".00000000000000001", "p3", "p-1022", "p-1074", "p-1075", "p-1080", "p1023", "p2000"]


def random_type(generator: random.Random, depth: int) -> str:
    def inner() -> str:
        return random_type(generator, depth - 1)

    def several(least: int, most: int) -> str:
        return ", ".join(inner() for _ in range(generator.randint(least, most)))

    if depth == 0:
        return generator.choice(BASE)
    shapes = [
        lambda: generator.choice(BASE),
        lambda: f"{inner()}[]",
        lambda: f"{inner()}?",
        lambda: f"({several(0, 2)})",
        lambda: f"Union({several(1, 3)})",
        lambda: f"{generator.choice(['Future', 'Await', 'RRef'])}({inner()})",
        lambda: f"Dict({several(2, 2)})",
    ]
    return generator.choices(shapes, weights=[6, 3, 3, 2, 6, 1, 1])[0]()


def pytorch_reads(text: str) -> object:
    """The schema as PyTorch makes it, or ``None``."""
    try:
        return torch._C.parse_schema(text, allow_typevars=False)
    except Exception:  # noqa: BLE001 - it has five kinds
        return None


def test_types_of_random_shape_can_be_built_or_not():
    generator = random.Random(3)  # noqa: S311 - reproducible, not secret
    built = 0
    for _ in range(1500):
        text = (
            f"f({random_type(generator, 3)} x=1) -> ()"
            if generator.random() < 0.2
            else f"f({random_type(generator, 3)} x) -> ()"
        )
        ours = parse_schema(text).schema is not None
        assert ours is (pytorch_reads(text) is not None), text
        built += ours
    assert 150 < built < 1450


@pytest.mark.parametrize("kind", ["float", "int", "Scalar?", "complex"])
def test_numbers_are_read_to_the_last_bit(kind):
    decimals = [f"{whole}{part}{exponent}" for whole in DIGITS for part in ("", ".", ".5") for exponent in EXPONENTS]
    hexadecimals = [f"0x{whole}{rest}" for whole in ("0", "1", "1f", "ABCDEF0123456789") for rest in HEXADECIMAL]
    for number in [*decimals, *hexadecimals]:
        text = f"f({kind} x=-{number}) -> ()"
        schema, theirs = parse_schema(text).schema, pytorch_reads(text)
        assert (schema is None) is (theirs is None), text
        if schema is not None:
            ours, value = schema.arguments[0].default.value, theirs.arguments[0].default_value
            assert (type(ours), repr(ours)) == (type(value), repr(value)), text
