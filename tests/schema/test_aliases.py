"""Alias sets and writes, as PyTorch's parser stores them."""

from __future__ import annotations

import pytest

from opgen.schema.aliases import alias_sets, aliased_arguments, before_sets, dropped_annotations, is_written
from opgen.schema.nodes import Argument
from opgen.schema.parser import parse_schema

WRITES = [
    ("Tensor x", False, set()),
    ("Tensor(a) x", False, {"a"}),
    ("Tensor(a!) x", True, {"a"}),
    ("Tensor! x", True, set()),
    ("Tensor(a!)? x", True, {"a"}),
    ("Tensor(a!)[] x", True, {"a"}),
    ("Tensor(a!)?[] x", True, {"a"}),
    ("Tensor[](a!) x", True, {"a"}),
    ("Tensor(a!)[](b) x", False, {"a", "b"}),
    ("Tensor(a)[](b!) x", True, {"a", "b"}),
    ("Tensor(a!)[2] x", True, {"a"}),
    ("Tensor[2]! x", True, set()),
    ("Tensor(a! -> a|b) x", True, {"a", "b"}),
    ("Tensor(*) x", False, {"*"}),
    ("int(a!) x", True, {"a"}),
    ("(Tensor(a!), int) x", False, set()),
    ("(Tensor(a!), int)[](b!) x", True, {"b"}),
    ("Dict(str, Tensor(a!)) x", False, set()),
    ("Dict(str, Tensor)(a!) x", True, {"a"}),
    ("Future(Tensor(a!)) x", False, set()),
]


def argument(text: str) -> Argument:
    return parse_schema(f"f({text}) -> ()").schema.arguments[0]


@pytest.mark.parametrize(("text", "written", "sets"), WRITES)
def test_writes_and_sets(text, written, sets):
    assert is_written(argument(text)) is written
    assert alias_sets(argument(text)) == sets


@pytest.mark.torch
@pytest.mark.parametrize(("text", "written"), [row[:2] for row in WRITES])
def test_pytorch_sees_the_same_writes(text, written):
    torch = pytest.importorskip("torch")
    info = torch._C.parse_schema(f"f({text}) -> ()", allow_typevars=False).arguments[0].alias_info
    assert (info is not None and info.is_write) is written


def test_annotations_inside_tuples_and_generic_types_are_dropped():
    dropped = list(dropped_annotations(argument("(Tensor(a!), Dict(str, Tensor(b)[](c)))[](d)? x").type))
    assert [one.before for one in dropped] == [("a",), ("c",), ("b",)]
    assert not list(dropped_annotations(argument("Tensor(a!)[](b)? x").type))


def test_before_sets_leave_out_what_comes_after():
    assert before_sets(argument("Tensor(a -> b)[](c) x")) == {"a", "c"}


def test_results_find_the_arguments_they_share_memory_with():
    schema = parse_schema(
        "f(Tensor(a) x, Tensor(b|c)[] ys, Tensor(*) z) -> (Tensor(a), Tensor(c|a), Tensor(*), Tensor!)"
    ).schema
    names = [[one.name for one in aliased_arguments(schema, result)] for result in schema.returns]
    assert names == [["x"], ["x", "ys"], [], []]
