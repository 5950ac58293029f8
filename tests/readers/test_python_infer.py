"""The schemas that the reader infers, compared with ``torch.library.infer_schema``."""

import itertools

import pytest

from opgen.readers.python import read_python
from opgen.source import Source

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

PREAMBLE = """\
import collections.abc
import math
import typing
from collections.abc import Sequence
from typing import List, Optional, Tuple, Union
import torch
from torch import Tensor, device, dtype, types
from torch.types import Number
Tensors = list[Tensor]
MaybeTensor = Optional[torch.Tensor]
EPS = 1e-6
"""

ANNOTATIONS = """\
Tensor|torch.Tensor|MaybeTensor|Tensors|int|float|bool|str|complex|bytes|object|types.Number|Number|dtype|torch.dtype
device|torch.device|torch.SymInt|torch.Size|torch.types._int|torch.types._dtype|torch.types.Device|None|list|tuple|dict[str, int]
Optional[Tensor]|Tensor \\| None|None \\| Tensor|Union[Tensor, None]|Union[Tensor, int]|Union[int, float, bool]|int \\| float \\| bool
int \\| float|Optional[Number]|Optional[int]|int \\| None|Optional[str]|Optional[dtype]|Optional[device]
list[Tensor]|List[Tensor]|Sequence[Tensor]|typing.Sequence[Tensor]|collections.abc.Sequence[int]|list[int]|List[float]
list[bool]|list[str]|list[Number]|list[dtype]|list[list[int]]|list[Optional[Tensor]]|List[Tensor \\| None]|list[Optional[int]]
Optional[list[int]]|list[int] \\| None|Optional[List[float]]|Optional[Sequence[bool]]|Optional[list[Tensor]]|list[Tensor] \\| None
Optional[list[Number]]|Optional[list[Optional[Tensor]]]|Tuple[int, int]|tuple[int, ...]|tuple[Tensor, Tensor]|Tuple[Tensor]
'Tensor'|'torch.Tensor'|'Optional[Tensor]'|'list[Tensor]'|'Tensor \\| None'|list['Tensor']|List['Tensor']|Optional['Tensor']
Optional[list['Tensor']]|'MaybeTensor'|tuple[()]|tuple['Tensor', int]|list['Tensor \\| None']|set[int]|typing.Annotated[Tensor, 1]
"""
TYPES = [
    annotation.replace("\\", "")
    for annotation in ANNOTATIONS.replace("\\|", "\\\0").replace("\n", "|").split("|")
    if annotation
]
TYPES = [annotation.replace("\0", "|") for annotation in TYPES]

DEFAULTS = [
    "None", "True", "0", "-1", "2**10", "1 << 4", "3 * 4", "1.5", "1e-6", "-0.0", "EPS", "1 / 3", "float('inf')", "math.inf", "math.pi", "'text'",
    "'it''s'", "'a' 'b'", "torch.float32", "torch.half", "torch.int", "torch.device('cuda')", "torch.device('cpu')", "()", "[1]",
    "torch.strided", "torch.contiguous_format", "1j", "b'x'",
]  # fmt: skip

RESULTS = [*TYPES, "tuple[Tensor]", "Tuple[Tensor, int]", "tuple[int, float, bool, Number]", "tuple[list[Tensor], Tensor]",
           "tuple[Tensor, Tensor | None]", "tuple[Tensor, ...]", "tuple[str]", "List['Tensor']"]  # fmt: skip


def theirs(text: str, mutates: object, tags: str = "()") -> str | None:
    names: dict[str, object] = {}
    try:
        exec(compile(text, "<generated>", "exec", dont_inherit=True), names)  # noqa: S102 - sources of our own
    except (TypeError, NameError):  # ``"Tensor" | None`` is no annotation at all
        return None
    try:
        return "f" + torch.library.infer_schema(names["f"], mutates_args=mutates, tags=eval(tags, {"torch": torch}))  # noqa: S307 - as above
    except (ValueError, AssertionError):
        return None


def ours(text: str, mutates: object, tags: str = "()") -> str | None:
    head, definition = text.split("def f", 1)
    decorated = f'{head}@torch.library.custom_op("t::f", mutates_args={mutates!r}, tags={tags})\ndef f{definition}'
    found = read_python([Source("ops.py", decorated)])
    assert len(found.definitions) == 1
    definition = found.definitions[0]
    assert definition.is_name_only == bool(definition.uninferable or found.unread)
    return None if definition.is_name_only else definition.schema.value


def signature(parameters: str, result: str = "Tensor", preamble: str = PREAMBLE) -> str:
    return f"{preamble}def f({parameters}) -> {result}: pass\n"


def same(text: str, mutates: object = (), tags: str = "()") -> None:
    assert ours(text, mutates, tags) == theirs(text, mutates, tags)


@pytest.mark.parametrize("annotation", TYPES)
@pytest.mark.parametrize(
    "preamble", [PREAMBLE, "from __future__ import annotations\n" + PREAMBLE], ids=["now", "later"]
)
def test_a_parameter_has_the_type_that_torch_infers(annotation, preamble):
    same(signature(f"x: {annotation}", preamble=preamble))


@pytest.mark.parametrize("annotation", RESULTS)
@pytest.mark.parametrize(
    "preamble", [PREAMBLE, "from __future__ import annotations\n" + PREAMBLE], ids=["now", "later"]
)
def test_a_result_has_the_type_that_torch_infers(annotation, preamble):
    same(signature("x: Tensor", annotation, preamble))


@pytest.mark.parametrize("default", DEFAULTS)
def test_a_default_is_written_as_torch_does(default):
    same(signature(f"x: int = {default}"))


@pytest.mark.parametrize(
    ("parameters", "mutates"),
    [
        ("x: Tensor, y: int, z: list[Tensor], w: Tensor | None = None", mutates)
        for mutates in [
            (),
            ("x",),
            ["z", "x"],
            {"w"},
            "unknown",
            "",
            "x",
            ("y",),
            ("nothing",),
            ("x", "nothing"),
            {"x": 1},
        ]
    ]
    + [
        ("", ()),
        ("x, y: Tensor", ()),
        ("x: Tensor, /", ()),
        ("*x: Tensor", ()),
        ("x: Tensor, **more: int", ()),
        ("*, x: Tensor, y: int = 1", ("x",)),
        ("x: Tensor, *, y: Tensor, z: Tensor", ("z",)),
        ("x: Tensor, y: int = 0, *, out: Tensor", "unknown"),
    ],
)
def test_parameters_and_what_they_write_read_as_in_torch(parameters, mutates):
    same(signature(parameters), mutates)


@pytest.mark.parametrize(
    ("parameters", "result", "mutates"),
    [
        ("x: Tensor, y: Tensor", "Tensor", ("x",)),
        ("x: Tensor, y: Tensor", "None", ("x",)),
        ("x: Tensor, y: Tensor", "Tensor", ("y",)),
        ("x: list[Tensor]", "Tensor", ("x",)),
        ("*, x: Tensor", "Tensor", ("x",)),
        ("x: Tensor, *, out: Tensor", "Tensor", ("out",)),
        ("x: Tensor, *, a: Tensor, b: Tensor", "tuple[Tensor, Tensor]", ("a", "b")),
        ("x: Tensor, *, a: Tensor, b: Tensor", "Tensor", ("a", "b")),
        ("x: Tensor, out: Tensor", "Tensor", ("out",)),
        ("x: Tensor, *, out: Tensor | None", "Tensor", ("out",)),
        ("x: Tensor", "Tensor", ()),
        ("x: Tensor", "Tensor", "unknown"),
    ],
)
@pytest.mark.parametrize(
    "tags", ["torch.Tag.inplace", "(torch.Tag.out,)", "[torch.Tag.inplace, torch.Tag.out]", "torch.Tag.pointwise"]
)
def test_tags_change_results_as_in_torch(parameters, result, mutates, tags):
    if not hasattr(torch.Tag, "out"):
        pytest.skip("this torch has no Tag.out")
    same(signature(parameters, result), mutates, tags)


def test_a_function_without_a_result_type_is_refused_as_by_torch():
    same(f"{PREAMBLE}def f(x: Tensor): pass\n")


def test_pairs_of_types_read_as_in_torch():
    for one, other in itertools.islice(itertools.product(TYPES[::3], TYPES[::5]), 150):
        same(signature(f"a: {one}, *, b: {other}"), ("a",))
