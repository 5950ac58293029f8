"""Which values Python callers may pass for a type, asked of PyTorch: an op of each type is called."""

import pytest

from opgen.breaking.types import python_takes
from opgen.schema.nodes import Type
from opgen.schema.parser import parse_schema

torch = pytest.importorskip("torch")

VALUES = {
    "int": [1],
    "SymInt": [1],
    "float": [1.5],
    "bool": [True],
    "complex": [1.5j],
    "Scalar": [1, 1.5, 1.5j, True],
    "ScalarType": [torch.float16],
    "Layout": [torch.strided],
    "MemoryFormat": [torch.channels_last],
    "str": ["x"],
    "Device": [torch.device("cpu")],
    "Tensor": [torch.ones(1)],
    "int[]": [[1, 2]],
    "int[2]": [[1, 2], 1],
    "SymInt[]": [[1, 2]],
    "float[]": [[1.5]],
    "bool[]": [[True]],
    "Tensor[]": [[torch.ones(1)]],
    "Tensor?[]": [[torch.ones(1), None]],
}
VALUES |= {f"{name}?": [*values, None] for name, values in VALUES.items() if "[" not in name}
LOSSY = {
    ("int", "bool"),
    ("SymInt", "bool"),
    ("float", "bool"),
    ("complex", "bool"),
    ("Scalar", "bool"),
    ("bool", "int"),
}


def type_of(name: str) -> Type:
    return parse_schema(f"f({name} x) -> ()").schema.arguments[0].type


@pytest.fixture(scope="module")
def takes():
    """Return a function that says whether an op with an argument of a type takes a value."""
    library = torch.library.Library("opgen_test_types", "FRAGMENT")
    ops = {}
    for index, name in enumerate(VALUES):
        library.define(f"f{index}({name} x) -> ()")
        library.impl(f"f{index}", lambda _: None, "CompositeExplicitAutograd")
        ops[name] = getattr(torch.ops.opgen_test_types, f"f{index}")

    def call(name, value):
        try:
            ops[name](value)
        except (RuntimeError, TypeError):
            return False
        return True

    yield call
    library._destroy()


@pytest.mark.parametrize("old", VALUES)
def test_a_type_that_takes_another_takes_its_values(old, takes):
    for new in VALUES:
        if python_takes(type_of(old), type_of(new)):
            assert [value for value in VALUES[old] if not takes(new, value)] == [], f"{old} -> {new}"


REFUSED = [
    *[("int?", "int"), ("float", "int"), ("str", "int"), ("complex", "float"), ("Scalar", "float"), ("Scalar", "int")],
    *[("int[2]", "int[]"), ("int[]", "int"), ("ScalarType", "SymInt"), ("Layout", "ScalarType"), ("Device", "str")],
]


@pytest.mark.parametrize(("old", "new"), REFUSED)
def test_a_type_that_does_not_take_another_refuses_a_value(old, new, takes):
    assert not python_takes(type_of(old), type_of(new))
    assert not all(takes(new, value) for value in VALUES[old])
