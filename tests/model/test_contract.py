import itertools

import pytest

from opgen.model.contract import Contract, derive_contract
from opgen.schema.parser import parse_schema


def contract_of(text):
    schema = parse_schema(text).schema
    assert schema is not None, text
    return derive_contract(schema)


@pytest.mark.parametrize(
    ("text", "contract"),
    [
        ("f(Tensor x) -> Tensor", Contract.FUNCTIONAL),
        ("f(int n) -> ()", Contract.FUNCTIONAL),
        ("f(Tensor(a) x) -> Tensor", Contract.FUNCTIONAL),
        ("f(Tensor(a!)[](b) xs) -> Tensor", Contract.FUNCTIONAL),
        ("f((Tensor(a!), int) pair) -> Tensor", Contract.FUNCTIONAL),
        ("f(Tensor(a!) x, Tensor y) -> Tensor(a!)", Contract.INPLACE),
        ("add(Tensor(self!) self) -> Tensor(self!)", Contract.INPLACE),
        ("f(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", Contract.OUT),
        ("f(*, Tensor(a!) out) -> Tensor(a!)", Contract.OUT),
        ("f(*, Tensor(a!) p, int n, Tensor(b!) q) -> (Tensor(a!), Tensor(b!))", Contract.OUT),
        ("f(Tensor(a!) x) -> ()", Contract.MUTABLE),
        ("f(Tensor! x) -> Tensor", Contract.MUTABLE),
        ("f(Tensor x, *, Tensor(a!) out) -> ()", Contract.MUTABLE),
        ("f(Tensor(a!)[] xs, Tensor(b!)? y) -> int", Contract.MUTABLE),
        ("f(Tensor(a) x) -> Tensor(a)", Contract.VIEW),
        ("f(Tensor(a) x) -> Tensor(b)", Contract.IRREGULAR),
        ("f(Tensor x) -> Tensor(a)", Contract.IRREGULAR),
        ("f(Tensor x) -> Tensor!", Contract.IRREGULAR),
        ("f(Tensor! x) -> Tensor!", Contract.IRREGULAR),
        ("f(Tensor(a!) x) -> Tensor(a)", Contract.IRREGULAR),
        ("f(Tensor(a|b!) x) -> Tensor(b!)", Contract.IRREGULAR),
        ("f(Tensor(a|b!) x) -> Tensor(b|a!)", Contract.INPLACE),
        ("f(Tensor(a!)? x) -> Tensor(a!)?", Contract.IRREGULAR),
        ("f(Tensor y, Tensor(a!) x) -> Tensor(a!)", Contract.IRREGULAR),
        ("f(Tensor(a!) x, Tensor(b!) y) -> Tensor(a!)", Contract.IRREGULAR),
        ("f(Tensor(a!) x) -> (Tensor(a!), Tensor)", Contract.IRREGULAR),
        ("f(*, Tensor(a!) p, Tensor(b!) q) -> (Tensor(b!), Tensor(a!))", Contract.IRREGULAR),
        ("f(*, Tensor(a!) p, Tensor(b!) q) -> Tensor(a!)", Contract.IRREGULAR),
    ],
)
def test_position_and_marks_decide_the_contract(text, contract):
    assert contract_of(text) is contract


MARKS = ("Tensor", "Tensor(a!)", "Tensor(b!)", "Tensor(a)", "Tensor!", "Tensor(a!)?", "Tensor(a!)[]")
RETURNS = ("()", *MARKS[:5], *(f"({first}, {second})" for first, second in itertools.product(MARKS[:3], repeat=2)))
SCHEMAS = [
    f"f({first} x, {star}{second} y) -> {returns}"
    for first, star, second, returns in itertools.product(MARKS, ("", "*, "), MARKS, RETURNS)
] + [f"f(*, {first} x, {second} y) -> {returns}" for first, second, returns in itertools.product(MARKS, MARKS, RETURNS)]


@pytest.mark.torch
@pytest.mark.parametrize(
    ("contract", "validate"), [(Contract.INPLACE, "_validate_inplace_schema"), (Contract.OUT, "_validate_out_schema")]
)
def test_in_place_and_out_are_what_pytorch_lets_have_the_tag(contract, validate):
    library = pytest.importorskip("torch.library")
    if not hasattr(library, validate):
        pytest.skip("this release of torch has no tags for contracts")
    for text in SCHEMAS:
        try:
            getattr(library, validate)(text)
        except ValueError:
            accepted = False
        else:
            accepted = True
        assert accepted == (contract_of(text) is contract), text


@pytest.mark.torch
def test_functional_is_what_pytorch_differentiates():
    torch = pytest.importorskip("torch")
    utils = pytest.importorskip("torch._library.utils")
    for text in SCHEMAS:
        schema = torch._C.parse_schema(text, allow_typevars=False)
        if any(result.alias_info is not None and result.alias_info.is_write for result in schema.returns):
            continue  # PyTorch looks at the arguments only: it takes a written return of nothing for functional
        functional = contract_of(text) is Contract.FUNCTIONAL and bool(schema.returns)
        assert utils.is_functional_schema(schema) == functional, text
