"""Schemas to read: PyTorch's own, those of other libraries, and broken ones made from them."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\"[^\"]*\"|->|\.\.\.|\s+|.", re.DOTALL)
_SPICE = """
( ) [ ] { } , . : :: ; ! ? * ** | |= = == - -> ... + / # @ $ ' " \\ ~ ` ' ''' '' \"\"\" "" # #x # type: \\\n
Tensor Tensor! Tensor(a!) Tensor(a) (a!) (a|b) (*) (a->*) Tensor? Tensor[] Tensor[](a!) int SymInt float bool str Scalar
ScalarType Layout Device Generator Dict( Union( Future( Await( RRef( Any None NoneType True False complex SymBool Storage
int[2] int[] int[]? float[] bool[3] complex[] [] [2] [0] [4294967297] [.5] [1e1] ? ?? in is not is-not default __x out x y _
1 0 -1 1.5 .5 1. 1e5 1E5 1e400 1e-400 0x10 0x1p3 0x 2j 12 9223372036854775807 9223372036854775808 "a" 'b' "\\n" "\\x41" "\\101"
"cpu" "cuda:1" "cuda:01" float32 half long strided Mean contiguous_format inf nan =None =1 =[] =[1] =[1,2.5] =True =-1 =1.
double int64_t t __torch__.torch.classes.a.B __torch__ torch.Tensor aten:: ns:: .out .2 é
""".split(" ")  # noqa: SIM905 - a word list reads better so
_LINE_PIECES = tuple(piece for chunk in _SPICE for piece in chunk.split("\n"))
_PIECES = (*_LINE_PIECES, " ", "\n", "\t", "\r", "\f", "\0", "\n ", "#x\n")
_HUGE_LIST = re.compile(r"\[\s*[0-9]{7}")  # with a default, PyTorch fills a list of that length
_TIMES = (1, 1, 1, 2, 3)


def _mutations(schemas: Sequence[str], count: int, seed: int = 0) -> Iterator[str]:
    """Yield about ``count`` texts, each one to three edits away from some schema."""
    generator = random.Random(seed)  # noqa: S311 - reproducible, not secret
    for _ in range(count):
        tokens = _TOKEN.findall(generator.choice(schemas))
        for _ in range(generator.choice(_TIMES)):
            _edit(generator, tokens, schemas)
        text = "".join(tokens)
        if not _HUGE_LIST.search(text):
            yield text


def _edit(generator: random.Random, tokens: list[str], schemas: Sequence[str]) -> None:
    place = generator.randrange(len(tokens) + 1)
    match generator.randrange(6):
        case 0:
            tokens.insert(place, generator.choice(_PIECES))
        case 1 if place < len(tokens):
            tokens[place] = generator.choice(_PIECES)
        case 2:
            del tokens[place : place + generator.randint(1, 3)]
        case 3 if place < len(tokens):
            other = generator.randrange(len(tokens))
            tokens[place], tokens[other] = tokens[other], tokens[place]
        case 4:
            piece = _TOKEN.findall(generator.choice(schemas))
            start = generator.randrange(len(piece) + 1)
            tokens[place : place + generator.randint(0, 3)] = piece[start : start + generator.randint(1, 6)]
        case 5 if place < len(tokens):
            word = tokens[place]
            cut = generator.randrange(len(word) + 1)
            tokens[place] = word[:cut] + generator.choice(["", " ", chr(generator.randrange(1, 127))]) + word[cut + 1 :]


@pytest.fixture(scope="session")
def mutations() -> Callable[..., Iterator[str]]:
    return _mutations


@pytest.fixture(scope="session")
def live_schemas() -> list[str]:
    """Every schema that is registered in this process, as PyTorch prints it."""
    torch = pytest.importorskip("torch")
    return sorted({str(schema) for schema in torch._C._jit_get_all_schemas()})


@pytest.fixture(scope="session")
def native_schemas() -> list[str]:
    """The ``func`` entries of PyTorch's own native_functions.yaml."""
    torchgen = pytest.importorskip("torchgen")
    path = Path(torchgen.__file__).parent / "packaged/ATen/native/native_functions.yaml"
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.removeprefix("- func: ") for line in lines if line.startswith("- func: ")]


@pytest.fixture(scope="session")
def corpus_schemas() -> list[str]:
    """Schemas of other libraries: every ``schema`` in the *.jsonl files of OPGEN_CORPUS, a folder."""
    folder = os.environ.get("OPGEN_CORPUS")
    if not folder:
        pytest.skip("set OPGEN_CORPUS to a folder of *.jsonl files with schemas")
    paths = sorted({*Path(folder).glob("*.jsonl"), *Path(folder).parent.glob("schema_cases.jsonl")})
    rows = [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    return [row["schema"] for row in rows if "schema" in row]
