"""The tables by which ``tensors`` and ``checks`` are read are those that Lark makes of the grammar, and read what it reads."""

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from opgen.spec.language.grammar import TENSORS, parse
from opgen.spec.language.lark_parser import tables

STARTS = ("form", "dtype", "condition")
LARK = Lark(TENSORS.file.read_text(encoding="utf-8"), parser="lalr", start=list(STARTS), propagate_positions=True)


class Recorder:
    """Makes of each node what Lark's tree holds of it."""

    def __getattr__(self, name):
        return lambda span, children: (name, *span, *map(shown, children))


def shown(node):
    if isinstance(node, Tree):
        return (str(node.data), node.meta.start_pos, node.meta.end_pos, *map(shown, node.children))
    return (node.type, str(node)) if isinstance(node, Token) or hasattr(node, "type") else node


def by_lark(text, start):
    try:
        return shown(LARK.parse(text, start=start))
    except UnexpectedInput:
        return None


def by_tables(text, start):
    part = parse(TENSORS, text, start, Recorder())
    return part and shown(part.value)


def test_the_tables_are_those_of_the_grammar():
    if os.environ.get("OPGEN_UPDATE_GOLDEN"):
        TENSORS.tables.write_text(tables(TENSORS), encoding="utf-8")
    assert TENSORS.tables.read_text(encoding="utf-8") == tables(TENSORS)


@pytest.mark.parametrize(
    ("start", "text"),
    [
        (
            "form",
            "float16|bfloat16 [n, (2*m), ?k<=n+1, *broadcast(a, b), ...] strides[_, ..., 1] on x|cpu in range(0, n)",
        ),
        ("form", "x.dtype [(m if flag else 1)] if given(x) else None"),
        ("form", "x.dtype or promote(a, b) [(m if c else xs[0].size(-1)), in, any] contiguous aligned(16) on d or cpu"),
        ("form", "any [] | [n] offsets(n + 1) "),
        ("form", "float\n[\tn,\r\n_n, _]"),
        ("dtype", "a or b.dtype|c"),
        ("condition", "((n)) // 2 % 3 - -4 <= ceil(a / 2) < 1.5e3 and not (k in (1, 'a', None,) or b not in (True))"),
        ("condition", "size in (1) and on.size(0) == .5 and x == 1.E2"),
    ],
)
def test_a_text_is_read_as_lark_reads_it(start, text):
    read = by_tables(text, start)
    assert read is not None
    assert read == by_lark(text, start)


PIECES = st.sampled_from(
    "float x n _ __ any on in not and or if else None True range offsets size dtype strides aligned contiguous min ceil 0 12 1.5 "  # noqa: SIM905 - words
    "1. .5 2e3 'a' \"b\" + - * / // % == != < <= > >= = ( ) [ ] , . .. ... | ? é 1E5".split()
)
TEXTS = st.lists(st.tuples(PIECES, st.sampled_from(["", " ", "\n"])), max_size=9).map(
    lambda pieces: "".join(map("".join, pieces))
)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(STARTS), TEXTS)
def test_any_text_is_read_as_lark_reads_it(start, text):
    assert by_tables(text, start) == by_lark(text, start)


@settings(max_examples=200, deadline=None)
@given(TEXTS, TEXTS)
def test_any_dims_and_conditions_are_read_as_lark_reads_them(dims, condition):
    text = f"float [{dims}] if {condition} else None"
    assert by_tables(text, "form") == by_lark(text, "form")


def test_a_contract_is_read_without_lark():
    code = (
        "import sys; from opgen.source import Text; from opgen.spec.language import parse_tensor_form;"
        "assert parse_tensor_form(Text.of('float [n, 2*m] contiguous'))[0];"
        "sys.exit('lark' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
