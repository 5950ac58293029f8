"""The text language of `pointwise` and `reduce`: texts in, trees out, and the same texts again."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from opgen.source import Span, Text
from opgen.spec import kernel_expression as ke
from opgen.spec.expression import Constant, Name
from opgen.spec.kernel_language import parse_kernel_expression
from opgen.spec.kernel_language.errors import MISTAKES
from opgen.spec.kernel_language.parser import KERNELS
from opgen.spec.kernel_written import render
from opgen.spec.language.grammar import parse
from opgen.spec.language.lark_parser import tables
from opgen.spec.language.mistake import CARET

LARK = Lark(KERNELS.file.read_text(encoding="utf-8"), parser="lalr", start=["expression"], propagate_positions=True)
X, Y, ONE, TWO = Name("x"), Name("y"), Constant(1), Constant(2)


def read(text):
    node, found = parse_kernel_expression(Text.of(text))
    assert not found, found
    return node


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("x", X),
        ("1", ONE),
        ("0.5", Constant(0.5)),
        ("1e-06", Constant(1e-6)),
        ("True", Constant(value=True)),
        ("x + y * 2", ke.Binary("+", X, ke.Binary("*", Y, TWO))),
        ("x - y - 1", ke.Binary("-", ke.Binary("-", X, Y), ONE)),
        ("x - (y - 1)", ke.Binary("-", X, ke.Binary("-", Y, ONE))),
        ("-x ** 2", ke.Unary("-", ke.Binary("**", X, TWO))),
        ("(-x) ** 2", ke.Binary("**", ke.Unary("-", X), TWO)),
        ("x ** -y", ke.Binary("**", X, ke.Unary("-", Y))),
        ("x ** y ** 2", ke.Binary("**", X, ke.Binary("**", Y, TWO))),
        ("x | y ^ 1 & 2", ke.Binary("|", X, ke.Binary("^", Y, ke.Binary("&", ONE, TWO)))),
        ("x << 1 + y", ke.Binary("<<", X, ke.Binary("+", ONE, Y))),
        ("~x // y % 2", ke.Binary("%", ke.Binary("//", ke.Unary("~", X), Y), TWO)),
        ("1 < x <= y", ke.Comparison(("<", "<="), (ONE, X, Y))),
        ("not x < y", ke.Unary("not", ke.Comparison(("<",), (X, Y)))),
        ("x or y and not x", ke.Logical("or", (X, ke.Logical("and", (Y, ke.Unary("not", X)))))),
        ("(x or y) and x", ke.Logical("and", (ke.Logical("or", (X, Y)), X))),
        ("x if y else 1 if x else 2", ke.Conditional(Y, X, ke.Conditional(X, ONE, TWO))),
        ("(x if y else 1) if x else 2", ke.Conditional(X, ke.Conditional(Y, X, ONE), TWO)),
        ("x[..., 1:y]", ke.Slice("x", ONE, Y)),
        ("x[..., :y + 1]", ke.Slice("x", None, ke.Binary("+", Y, ONE))),
        ("x[..., 1:]", ke.Slice("x", ONE, None)),
        ("exp(-x)", ke.Call("exp", (ke.Unary("-", X),))),
        ("sum(x * y, *batch, n)", ke.Call("sum", (ke.Binary("*", X, Y), ke.Pack("batch"), Name("n")))),
        ("var(x, n, correction=0)", ke.Call("var", (X, Name("n"), ke.Keyword("correction", Constant(0))))),
    ],
)  # fmt: skip
def test_an_expression_is_read_and_printing_it_changes_nothing(text, node):
    assert read(text) == node
    assert render(node) == text


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("((x))+(y)", "x + y"),
        ("x\n  *y", "x * y"),
        ("(x*y)+1.50", "x * y + 1.5"),
        ("- - x", "--x"),
        ("exp( x , )", "exp(x)"),
        ("(x if y else 1)", "x if y else 1"),
    ],
)
def test_blanks_and_superfluous_parentheses_go(text, printed):
    assert render(read(text)) == printed
    assert read(printed) == read(text)


def test_a_name_may_be_spelt_like_a_keyword_of_other_languages():
    assert read("max + index + in_ + lambda_ + ifx") is not None


@pytest.mark.parametrize(
    ("mistake", "example"),
    [(mistake, example) for mistake in MISTAKES.table for example in mistake.examples],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_broken_text_is_explained_where_it_breaks(mistake, example):
    node, (found,) = parse_kernel_expression(Text.of(example.replace(CARET, "")))
    assert node is None
    assert (found.code, found.help, found.location.span.start) == (mistake.code, mistake.help, example.index(CARET))
    assert found.message.startswith(f"expected {mistake.expected}, found ")


@pytest.mark.parametrize("character", sorted(MISTAKES.characters))
def test_a_character_that_means_nothing_has_a_remedy(character):
    node, (found,) = parse_kernel_expression(Text.of(f"x {character}"))
    assert node is None
    assert (found.location.span, found.help) == (Span(2, 3), MISTAKES.characters[character])


# --- properties -------------------------------------------------------------------------------------------------------
def _nodes(inner):
    pairs = st.tuples(inner, inner)
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        st.builds(ke.Unary, st.sampled_from("-~"), inner.filter(lambda node: not isinstance(node, Constant))),
        st.builds(ke.Unary, st.just("not"), inner),
        st.builds(
            ke.Binary, st.sampled_from(["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"]), inner, inner
        ),
        pairs.map(lambda both: ke.Comparison(("<",), both)),
        st.tuples(inner, inner, inner).map(lambda three: ke.Comparison(("==", ">="), three)),
        st.builds(ke.Logical, st.sampled_from(["and", "or"]), several),
        st.builds(ke.Conditional, inner, inner, inner),
        st.builds(ke.Call, st.sampled_from(["exp", "where", "sum"]), several),
        st.builds(ke.Slice, st.just("x"), st.none() | inner, st.none() | inner),
    )


LEAVES = st.sampled_from([X, Y, ONE, Constant(2.5), Constant(1e30), Constant(value=False)])
TREES = st.recursive(LEAVES, _nodes, max_leaves=12)


@settings(max_examples=300, deadline=None)
@given(TREES)
def test_what_is_printed_is_read_as_it_was(tree):
    assert read(render(tree)) == tree


class Recorder:
    """Makes of each node what Lark's tree holds of it."""

    def __getattr__(self, name):
        return lambda span, children: (name, *span, *map(shown, children))


def shown(node):
    if isinstance(node, Tree):
        return (str(node.data), node.meta.start_pos, node.meta.end_pos, *map(shown, node.children))
    return (node.type, str(node)) if isinstance(node, Token) or hasattr(node, "type") else node


def by_lark(text):
    try:
        return shown(LARK.parse(text, start="expression"))
    except UnexpectedInput:
        return None


def by_tables(text):
    part = parse(KERNELS, text, "expression", Recorder())
    return part and shown(part.value)


PIECES = st.sampled_from(
    "x n exp if else and or not True None 0 12 1.5 1. .5 2e3 'a' + - * ** / // % & | ^ ~ << >> == != < <= = ( ) [ ] , . ... : ? é".split()  # noqa: SIM905 - words
)
TEXTS = st.lists(st.tuples(PIECES, st.sampled_from(["", " ", "\n"])), max_size=10).map(
    lambda pieces: "".join(map("".join, pieces))
)


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_any_text_is_read_as_lark_reads_it_or_explained(text):
    assert by_tables(text) == by_lark(text)
    node, found = parse_kernel_expression(Text.of(text))
    assert (node is None) == bool(found)
    assert all(each.message and each.help for each in found)


def test_the_tables_are_those_of_the_grammar():
    if os.environ.get("OPGEN_UPDATE_GOLDEN"):
        KERNELS.tables.write_text(tables(KERNELS), encoding="utf-8")
    assert KERNELS.tables.read_text(encoding="utf-8") == tables(KERNELS)
