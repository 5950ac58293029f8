"""EXPORT reports something exactly where PyTorch calls two schemas incompatible, in either direction.

Asked are ``is_backward_compatible_with`` and ``check_forward_compatible_with`` of ``torch._C.FunctionSchema``. The
differences are those of ``DIFFERENCES``, each on purpose.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opgen.breaking import Category, Surface, compare
from opgen.model.build_op import build_op
from opgen.schema.nodes import FunctionSchema
from opgen.schema.parser import parse_schema
from opgen.schema.printer import print_default, print_schema, print_type
from opgen.source import Text
from opgen.spec.library import LibrarySpec, OpSpec

torch = pytest.importorskip("torch")

LIBRARY = LibrarySpec("<text>", ("<text>",), 1, Text.of("mylib"), "mylib_ops")
PAIRS = int(os.environ.get("OPGEN_BREAKING_PAIRS", "3000"))

TABLE = [
    ("f(Tensor x) -> Tensor", "f(Tensor x) -> Tensor"),
    ("f(Tensor x) -> Tensor", "f(Tensor x, int a=1) -> Tensor"),
    ("f(Tensor x) -> Tensor", "f(Tensor x, int? a=None) -> Tensor"),
    ("f(Tensor x) -> Tensor", "f(Tensor x, int a) -> Tensor"),
    ("f(Tensor x) -> Tensor", "f(Tensor x, int[2] a=1) -> Tensor"),
    ("f(Tensor x) -> Tensor", "f(Tensor x, int[]? a=None) -> Tensor"),
    ("f(Tensor x, int a=1) -> Tensor", "f(Tensor x) -> Tensor"),
    ("f(Tensor x, int a=1) -> Tensor", "f(Tensor x, int b=2, int a=1) -> Tensor"),
    ("f(Tensor x, *, int a=1) -> Tensor", "f(Tensor x, int b=2, *, int a=1) -> Tensor"),
    ("f(Tensor x, *, int a=1) -> Tensor", "f(Tensor x, *, int a=1, int b=2) -> Tensor"),
    ("f(Tensor x, *, int a=1, int b=2) -> Tensor", "f(Tensor x, *, int b=2, int a=1) -> Tensor"),
    ("f(Tensor x, *, int a=1) -> Tensor", "f(Tensor x, int a=1) -> Tensor"),
    ("f(Tensor x, int a=1) -> Tensor", "f(Tensor x, *, int a=1) -> Tensor"),
    ("f(Tensor x, int a=1) -> Tensor", "f(Tensor x, int a=2) -> Tensor"),
    ("f(Tensor x, int a=1) -> Tensor", "f(Tensor x, int a) -> Tensor"),
    ("f(Tensor x, int a) -> Tensor", "f(Tensor x, int a=1) -> Tensor"),
    ("f(Tensor x, Scalar a=1) -> Tensor", "f(Tensor x, Scalar a=1.0) -> Tensor"),
    ("f(Tensor x, float a=1) -> Tensor", "f(Tensor x, float a=1.0) -> Tensor"),
    ("f(Tensor x, int[2] a=1) -> Tensor", "f(Tensor x, int[2] a=[1, 1]) -> Tensor"),
    ("f(Tensor x, int[2] a=1) -> Tensor", "f(Tensor x, int[2] a=[1, 2]) -> Tensor"),
    ("f(Tensor x, int[2] a) -> Tensor", "f(Tensor x, int[] a) -> Tensor"),
    ("f(Tensor x, int[2]? a) -> Tensor", "f(Tensor x, int[3]? a) -> Tensor"),
    ("f(Tensor x, int a) -> Tensor", "f(Tensor x, SymInt a) -> Tensor"),
    ("f(Tensor x, ScalarType a) -> Tensor", "f(Tensor x, int a) -> Tensor"),
    ("f(Tensor x, int a) -> Tensor", "f(Tensor x, int? a) -> Tensor"),
    ("f(Tensor x, int? a) -> Tensor", "f(Tensor x, int a) -> Tensor"),
    ("f(Tensor x, int a) -> Tensor", "f(Tensor x, Scalar a) -> Tensor"),
    ("f(Tensor x, int a) -> Tensor", "f(Tensor x, float a) -> Tensor"),
    ("f(Tensor x, bool a) -> Tensor", "f(Tensor x, int a) -> Tensor"),
    ("f(Tensor[] x) -> Tensor", "f(Tensor?[] x) -> Tensor"),
    ("f(Tensor x) -> Tensor", "f(Tensor x) -> Tensor?"),
    ("f(Tensor x) -> Tensor?", "f(Tensor x) -> Tensor"),
    ("f(Tensor x) -> Tensor", "f(Tensor x) -> (Tensor, Tensor)"),
    ("f(Tensor x) -> Tensor", "f(Tensor x) -> ()"),
    ("f(Tensor x) -> Tensor a", "f(Tensor x) -> Tensor b"),
    ("f(Tensor x) -> Tensor", "f(Tensor x) -> Tensor b"),
    ("f(Tensor x) -> ()", "f(Tensor(a!) x) -> ()"),
    ("f(Tensor(a!) x) -> Tensor(a!)", "f(Tensor(a!) x) -> Tensor"),
    ("f(Tensor(a!) x) -> Tensor(a!)", "f(Tensor(a) x) -> Tensor(a)"),
    ("f(Tensor(a!)[] x) -> ()", "f(Tensor[](a!) x) -> ()"),
    ("f(Tensor(a) x) -> Tensor(a)", "f(Tensor(a -> *) x) -> Tensor(a)"),
    ("f(Tensor(*) x) -> ()", "f(Tensor(a) x) -> ()"),
    ("f(Tensor(a) x, Tensor(b) y) -> Tensor(a)", "f(Tensor(a) x, Tensor(b) y) -> Tensor(b)"),
    ("f(Tensor(a) x) -> Tensor(a)", "f(Tensor(a|b) x) -> Tensor(a)"),
    ("f(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", "f(Tensor x, int b=1, *, Tensor(a!) out) -> Tensor(a!)"),
    ("f(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", "f(Tensor x, *, Tensor(a!) out, int b=1) -> Tensor(a!)"),
    ("f(Tensor x, *, Tensor(a!) out) -> ()", "f(Tensor x, *, Tensor(a!) out, Tensor(b!) more) -> ()"),
    ("f(Tensor x, *, Tensor(a!)? out=None) -> ()", "f(Tensor x, Tensor(a!)? out=None) -> ()"),
    ("f(*, Tensor(a!) out) -> Tensor(a!)", "f(Tensor(a!) out) -> Tensor(a!)"),
    ("f(Tensor x, ...) -> Tensor", "f(Tensor x) -> Tensor"),
    ("f(Tensor x) -> ...", "f(Tensor x) -> Tensor"),
    ("f(Tensor x, str a='x') -> ()", "f(Tensor x, str a='y') -> ()"),
    ("f(Tensor x, Device a='cpu') -> ()", "f(Tensor x, Device a='cuda') -> ()"),
    ("f(Tensor x, Union(int, str) a) -> ()", "f(Tensor x, Union(int, str, float) a) -> ()"),
    ("f(Tensor x, Dict(str, Tensor) a) -> ()", "f(Tensor x, Dict(str, Any) a) -> ()"),
    ("f(Tensor x, (int, int) a) -> ()", "f(Tensor x, (int, Scalar) a) -> ()"),
]

DIFFERENCES = [
    # PyTorch compares the letters of alias sets; they mean nothing but what shares memory.
    ("f(Tensor(a!) x) -> Tensor(a!)", "f(Tensor(b!) x) -> Tensor(b!)", False),
    ("f(Tensor! x) -> ()", "f(Tensor(a!) x) -> ()", False),
]


def is_reported(old: str, new: str) -> bool:
    """Whether EXPORT reports something."""
    surfaces = [Surface({op.qualified_name: op}) for op in map(_op, (old, new))]
    return any(Category.EXPORT in one.categories for one in compare(*surfaces))


def _op(text: str):
    schema = parse_schema(text).schema
    assert schema is not None, text
    source = Text.of(text)
    return build_op(OpSpec(source, schema, source.locate()), LIBRARY)[0]


def is_incompatible(old: str, new: str) -> bool:
    """Whether PyTorch says no in either direction."""
    before, now = (torch._C.parse_schema(text, allow_typevars=True) for text in (old, new))
    try:
        return not (now.is_backward_compatible_with(before) and now.check_forward_compatible_with(before)[0])
    except IndexError:  # it has looked for the old written arguments behind the end of the new ones
        return True


@pytest.mark.parametrize(("old", "new"), TABLE)
def test_export_agrees_with_pytorch(old, new):
    assert is_reported(old, new) == is_incompatible(old, new)


@pytest.mark.parametrize(("old", "new", "reported"), DIFFERENCES)
def test_the_differences_are_those_that_are_documented(old, new, reported):
    assert is_reported(old, new) is reported
    assert is_incompatible(old, new) is not reported


@dataclass(frozen=True)
class Argument:
    type: str
    name: str
    default: str | None
    keyword: bool

    def __str__(self) -> str:
        return f"{self.type} {self.name}" + (f"={self.default}" if self.default is not None else "")


@dataclass
class Draft:
    """A schema in parts that can be changed one by one."""

    name: str
    arguments: list[Argument]
    returns: list[tuple[str, str]]
    dots: list[str] = field(default_factory=list)

    @staticmethod
    def of(schema: FunctionSchema) -> Draft:
        arguments = [
            Argument(print_type(a.type), a.name, None if a.default is None else print_default(a.default), a.kwarg_only)
            for a in schema.arguments
        ]
        return Draft(str(schema.name), arguments, [(print_type(r.type), r.name or "") for r in schema.returns])

    def __str__(self) -> str:
        arguments: list[str] = []
        for argument in self.arguments:
            if argument.keyword and "*" not in arguments:
                arguments.append("*")
            arguments.append(str(argument))
        returns = ", ".join(f"{type_} {name}".strip() for type_, name in self.returns)
        return f"{self.name}({', '.join([*arguments, *self.dots])}) -> ({returns})"


TYPES = (
    *(
        "Tensor",
        "Tensor?",
        "Tensor[]",
        "Tensor?[]",
        "int",
        "SymInt",
        "int?",
        "float",
        "float?",
        "bool",
        "Scalar",
        "Scalar?",
    ),
    *(
        "complex",
        "str",
        "ScalarType",
        "ScalarType?",
        "int[]",
        "int[2]",
        "SymInt[]",
        "int[3]?",
        "bool[2]",
        "Device",
        "Any",
    ),
    *("Tensor(a!)", "Tensor(b!)", "Tensor(b!)?", "Tensor(a)", "Tensor(a!)[]", "Tensor(a -> *)", "Tensor(*)"),
)
DEFAULTS = (None, None, "None", "0", "1", "1.0", "2.5", "True", "[]", "[1, 1]", "[1, 2]", "'x'", "'cpu'", "float32")


def mutate(draft: Draft, draw: random.Random) -> None:
    """Change one thing."""
    arguments, returns = draft.arguments, draft.returns
    place = draw.randrange(len(arguments)) if arguments else 0
    result = draw.randrange(len(returns)) if returns else 0

    def update(**parts: object) -> None:
        arguments[place] = replace(arguments[place], **parts)

    def add() -> None:
        at = draw.choice([len(arguments), draw.randint(0, len(arguments))])
        keyword = bool(at and arguments[at - 1].keyword) or (at == len(arguments) and draw.random() < 0.3)
        keyword = keyword and all(argument.keyword for argument in arguments[at:])
        arguments.insert(at, Argument(draw.choice(TYPES), f"new{draw.randrange(3)}", draw.choice(DEFAULTS), keyword))

    def swap() -> None:
        other = draw.randrange(len(arguments))
        one, two = arguments[place], arguments[other]
        arguments[place], arguments[other] = replace(two, keyword=one.keyword), replace(one, keyword=two.keyword)

    def star() -> None:
        arguments[:] = [replace(argument, keyword=i >= place) for i, argument in enumerate(arguments)]

    of_arguments: list[Callable[[], object]] = [
        lambda: arguments.pop(place),
        swap,
        star,
        lambda: update(name=draw.choice(["renamed", "x", "out"])),
        lambda: update(type=draw.choice(TYPES)),
        lambda: update(type=draw.choice([f"{arguments[place].type}?", arguments[place].type.removesuffix("?")])),
        lambda: update(default=draw.choice(DEFAULTS)),
    ]
    of_returns: list[Callable[[], object]] = [
        lambda: returns.pop(result),
        lambda: returns.__setitem__(result, (draw.choice(TYPES), returns[result][1])),
        lambda: returns.__setitem__(result, (returns[result][0], draw.choice(["", "values"]))),
    ]
    choices = [add, add, lambda: returns.append((draw.choice(TYPES), "")), lambda: draft.dots.append("...")]
    draw.choice([*choices, *(of_arguments * 2 if arguments else []), *(of_returns if returns else [])])()


def mutants(texts: list[str], draw: random.Random) -> Iterator[tuple[str, str]]:
    """Yield schemas and changed ones, as far as both are schemas."""
    while True:
        schema = parse_schema(draw.choice(texts)).schema
        if schema is None or len({argument.name for argument in schema.arguments}) < len(schema.arguments):
            continue
        draft = Draft.of(schema)
        for _ in range(draw.choice([1, 1, 1, 2, 3])):
            mutate(draft, draw)
        new = parse_schema(str(draft)).schema
        if new is not None and len({argument.name for argument in new.arguments}) == len(new.arguments):
            yield print_schema(schema), print_schema(new)


def _packaged() -> list[str]:
    schemas = sorted({str(schema) for schema in torch._C._jit_get_all_schemas()})
    return [text for text in schemas if parse_schema(text).schema is not None]


def test_export_agrees_with_pytorch_on_its_own_schemas_and_what_they_may_become():
    draw = random.Random(0)  # noqa: S311 - the same pairs in every run
    packaged = _packaged()
    assert len(packaged) > 2000
    pairs = mutants(packaged, draw)
    answers = set()
    for _ in range(PAIRS):
        old, new = next(pairs)
        expected = is_incompatible(old, new)
        answers.add(expected)
        assert is_reported(old, new) == expected, (old, new)
    assert answers == {True, False}


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(TYPES), st.sampled_from(DEFAULTS)), max_size=4),
    st.randoms(use_true_random=False),
)
def test_export_agrees_with_pytorch_on_generated_schemas(arguments, draw):
    draft = Draft(
        "mylib::f", [Argument(t, f"x{i}", d, keyword=False) for i, (t, d) in enumerate(arguments)], [("Tensor", "")]
    )
    old = parse_schema(str(draft)).schema
    if old is not None:
        mutate(draft, draw)
        new = parse_schema(str(draft)).schema
        if new is not None and len({argument.name for argument in new.arguments}) == len(new.arguments):
            texts = print_schema(old), print_schema(new)
            assert is_reported(*texts) == is_incompatible(*texts), texts
