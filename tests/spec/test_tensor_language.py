"""The text language of ``tensors``, ``dtypes`` and ``checks``: texts in, nodes out."""

from dataclasses import fields, is_dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opgen.source import Source, Span, Text
from opgen.spec.expression import (
    Binary,
    Call,
    Comparison,
    Conditional,
    Constant,
    Item,
    Logical,
    Membership,
    Name,
    Negative,
    Not,
    Size,
)
from opgen.spec.language import parse_condition, parse_dtype, parse_tensor_form
from opgen.spec.language.errors import MISTAKES
from opgen.spec.language.mistake import CARET
from opgen.spec.tensor_spec import (
    DeviceSpec,
    DimAny,
    DimBroadcast,
    DimDynamic,
    DimPack,
    DimRest,
    DimSize,
    DtypeName,
    DtypeOf,
    DtypeOr,
    DtypePromote,
    DtypeUnion,
    LayoutAligned,
    LayoutLike,
    LayoutStrides,
    LayoutWord,
    NoTensor,
    SpecIf,
    TensorSpec,
    ValueOffsets,
    ValuePermutation,
    ValueRange,
)
from opgen.targets.expressions import render_written

PARSERS = {"form": parse_tensor_form, "dtype": parse_dtype, "condition": parse_condition}


def read(start, text):
    node, diagnostics = PARSERS[start](Text.of(text))
    assert not diagnostics, diagnostics
    return node


def spec(text):
    return read("form", text)


def dim(text):
    (only,) = spec(f"float [{text}]").shapes[0]
    return only


N, M, ONE = Name("n"), Name("m"), Constant(1)


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("float32", DtypeName("float32")),
        ("x.dtype", DtypeOf("x")),
        ("float16|bfloat16", DtypeUnion((DtypeName("float16"), DtypeName("bfloat16")))),
        ("x.dtype|fp8", DtypeUnion((DtypeOf("x"), DtypeName("fp8")))),
        ("promote(x, y)", DtypePromote(("x", "y"))),
        ("out_dtype or x.dtype", DtypeOr((DtypeName("out_dtype"), DtypeOf("x")))),
        ("a or b or c|d", DtypeOr((DtypeName("a"), DtypeName("b"), DtypeUnion((DtypeName("c"), DtypeName("d")))))),
    ],
)
def test_a_dtype_is_read(text, node):
    assert read("dtype", text) == node
    assert spec(f"{text} [n]").dtype == node


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("n", DimSize(N)),
        ("_", DimAny()),
        ("...", DimRest()),
        ("*batch", DimPack("batch")),
        ("* batch", DimPack("batch")),
        ("*broadcast", DimPack("broadcast")),
        ("*broadcast(a, b)", DimBroadcast(("a", "b"))),
        ("?k", DimDynamic("k")),
        ("?k<=n", DimDynamic("k", N)),
        ("?k <= n*m", DimDynamic("k", Binary("*", N, M))),
        ("_n", DimSize(Name("_n"))),
        ("8", DimSize(Constant(8))),
    ],
)
def test_a_dim_is_read(text, node):
    assert dim(text) == node


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("2*n + m", Binary("+", Binary("*", Constant(2), N), M)),
        ("n - m - 1", Binary("-", Binary("-", N, M), ONE)),
        ("n//2*m", Binary("*", Binary("//", N, Constant(2)), M)),
        ("n % (m + 1)", Binary("%", N, Binary("+", M, ONE))),
        ("-n", Negative(N)),
        ("-2", Constant(-2)),
        ("- 2*n", Binary("*", Constant(-2), N)),
        ("ceil(2*n/m)", Call("ceil", (Binary("/", Binary("*", Constant(2), N), M),))),
        ("min(n, m, 1)", Call("min", (N, M, ONE))),
        ("prod(batch)", Call("prod", (Name("batch"),))),
        ("pad[0]", Item("pad", 0)),
        ("pad[-1]", Item("pad", -1)),
        ("x.size(-1)", Size("x", None, -1)),
        ("xs[0].size(1)", Size("xs", 0, 1)),
        ("(m if flag else 1)", Conditional(Name("flag"), M, ONE)),
        ("(m if not flag and n == 1 else 1)", Conditional(
            Logical("and", (Not(Name("flag")), Comparison(("==",), (N, ONE)))), M, ONE
        )),
    ],
)  # fmt: skip
def test_a_size_is_read_and_printing_it_changes_nothing(text, node):
    assert dim(text) == DimSize(node)
    printed = render_written(node)
    again = dim(f"({printed})" if isinstance(node, Conditional) else printed)
    assert again == DimSize(node)


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("flag", Name("flag")),
        ("n == 1", Comparison(("==",), (N, ONE))),
        ("0 < m <= n", Comparison(("<", "<="), (Constant(0), M, N))),
        ("not n == 1", Not(Comparison(("==",), (N, ONE)))),
        ("a or b and c", Logical("or", (Name("a"), Logical("and", (Name("b"), Name("c")))))),
        ("(a or b) and c", Logical("and", (Logical("or", (Name("a"), Name("b"))), Name("c")))),
        ("a or b or c", Logical("or", (Name("a"), Name("b"), Name("c")))),
        ("mode in ('sum', 'mean')", Membership(Name("mode"), (Constant("sum"), Constant("mean")))),
        ("n in (1,)", Membership(N, (ONE,))),
        ("n not in (1, -2)", Membership(N, (ONE, Constant(-2)), negated=True)),
        ("d in (None, float32)", Membership(Name("d"), (Constant(None), Name("float32")))),
        ("given(a) == given(b)", Comparison(("==",), (Call("given", (Name("a"),)), Call("given", (Name("b"),))))),
        ("0 <= p < 0.5", Comparison(("<=", "<"), (Constant(0), Name("p"), Constant(0.5)))),
        ("eps > 1e-5", Comparison((">",), (Name("eps"), Constant(1e-5)))),
        ("flag == True", Comparison(("==",), (Name("flag"), Constant(value=True)))),
        ('mode != "sum"', Comparison(("!=",), (Name("mode"), Constant("sum")))),
        ("len(xs) > 0", Comparison((">",), (Call("len", (Name("xs"),)), Constant(0)))),
    ],
)
def test_a_condition_is_read_and_printing_it_changes_nothing(text, node):
    assert read("condition", text) == node
    assert read("condition", render_written(node)) == node


@pytest.mark.parametrize(
    ("text", "layouts", "device", "values"),
    [
        ("", (), None, None),
        ("contiguous", (LayoutWord("contiguous"),), None, None),
        ("any on any", (LayoutWord("any"),), DeviceSpec(("any",)), None),
        ("channels_last aligned(16)", (LayoutWord("channels_last"), LayoutAligned(16)), None, None),
        ("strides[_, 1]", (LayoutStrides((None, ONE)),), None, None),
        ("strides[..., n, 1]", (LayoutStrides((N, ONE), 0),), None, None),
        ("strides[1, ...]", (LayoutStrides((ONE,), 1),), None, None),
        ("strides(x)", (LayoutLike("x"),), None, None),
        ("on x|cpu", (), DeviceSpec(("x", "cpu")), None),
        ("on device or cpu", (), DeviceSpec(("device", "cpu"), "or"), None),
        ("in range(-1, n + 1)", (), None, ValueRange(Constant(-1), Binary("+", N, ONE))),
        ("offsets(n)", (), None, ValueOffsets(N)),
        ("on cpu permutation", (), DeviceSpec(("cpu",)), ValuePermutation()),
    ],
)
def test_what_follows_the_dims_is_read(text, layouts, device, values):
    assert spec(f"float [n, m] {text}") == TensorSpec(
        DtypeName("float"), ((DimSize(N), DimSize(M)),), layouts, device, values
    )


def test_forms_by_condition_nest_to_the_right():
    one, two = spec("float32 [1]"), spec("float32 [*batch, 1]")
    tree = spec("None if given(scale) else float32 [*batch, 1] if per_token else float32 [1]")
    assert tree == SpecIf(NoTensor(), Call("given", (Name("scale"),)), SpecIf(two, Name("per_token"), one))


def test_alternatives_of_shape_are_read():
    assert spec("float [1, n]|[]").shapes == ((DimSize(ONE), DimSize(N)), ())


KEYWORDS = ["in", "if", "else", "on", "or", "and", "not", "range", "offsets", "permutation", "strides", "aligned"]
KEYWORDS += ["contiguous", "channels_last", "any", "dtype", "size", "given", "ceil", "promote", "broadcast", "return"]


@pytest.mark.parametrize("word", KEYWORDS)
def test_a_keyword_is_a_legal_name_of_a_dim_and_a_tensor(word):
    assert dim(word) == DimSize(Name(word))
    assert dim(f"2*{word}") == DimSize(Binary("*", Constant(2), Name(word)))
    assert dim(f"*{word}") == DimPack(word)
    assert dim(f"?{word}") == DimDynamic(word)
    assert spec(f"{word}.dtype [{word}] on {word}").dtype == DtypeOf(word)


@pytest.mark.parametrize("word", [word for word in KEYWORDS if word != "not"])
def test_a_keyword_is_a_legal_name_in_a_condition(word):
    assert read("condition", f"{word} == 1 and 2 < {word}") == Logical(
        "and", (Comparison(("==",), (Name(word), ONE)), Comparison(("<",), (Constant(2), Name(word))))
    )


@pytest.mark.parametrize("word", ["index", "order", "anything", "strides_of", "None_", "range2", "_x"])
def test_a_name_may_begin_like_a_keyword(word):
    assert dim(word) == DimSize(Name(word))
    assert read("condition", f"{word} in ('a',)") == Membership(Name(word), (Constant("a"),))


def nodes(node):
    """Yield every node of a tree, itself first."""
    if isinstance(node, tuple) and not isinstance(node, Span):
        for part in node:
            yield from nodes(part)
    elif is_dataclass(node):
        yield node
        for each in fields(node):
            yield from nodes(getattr(node, each.name))


def test_every_node_knows_where_it_stands():
    text = "x.dtype|fp8 [*batch, (2*n if given(y) else pad[0]), ?k<=m] strides[_, ..., n] on cpu in range(0, n + 1)"
    found = {text[node.span.start : node.span.end] for node in nodes(spec(text))}
    assert found == {
        *("x.dtype|fp8", "x.dtype", "fp8", "*batch", "(2*n if given(y) else pad[0])", "2*n if given(y) else pad[0]"),
        *("2*n", "2", "n", "given(y)", "y", "pad[0]", "?k<=m", "m", "strides[_, ..., n]", "on cpu"),
        *("in range(0, n + 1)", "0", "n + 1", "1", text),
    }


MISTAKE_EXAMPLES = [(mistake, example) for mistake in MISTAKES.table for example in mistake.examples]


@pytest.mark.parametrize(("mistake", "example"), MISTAKE_EXAMPLES, ids=[example for _, example in MISTAKE_EXAMPLES])
def test_a_broken_text_is_explained_at_the_right_place(mistake, example):
    text = example.replace(CARET, "")
    node, (found,) = PARSERS[mistake.start](Text.of(text))
    assert node is None
    assert found.code is mistake.code
    assert found.message.startswith(f"expected {mistake.expected}, found ")
    assert found.location.span.start == example.index(CARET)
    assert found.help == mistake.help


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x.dtype|int8 contiguous [n]", "expected dims in brackets after the dtype, found 'contiguous'"),
        ("float [*batch, k*(n + 1) m]", "expected ',' or ']' after a dim, found 'm'"),
        ("float [n, 2*m", "expected ',' or ']' after a dim, found the end"),
        ("float [n] strides[1, 2*n] stride", "expected a layout, a device, a value fact or the end, found 'stride'"),
        ("float [(n if c == 1 else)]", "expected a condition, found ')'"),
        ("float [(n + 2*m ]", "expected an operator, ')' or 'if', found ']'"),
        ("float [n] offsets n", "expected '(', found 'n'"),
        ("promote(x; y) [n]", "the character ';' means nothing here"),
        ("promote(x y) [n]", "expected ')' or ',', found 'y'"),
        ("promote(8) [n]", "expected a name, found '8'"),
        ("float or 8 [n]", "expected a name, found '8'"),
        ("float [n] if given(a) b [m]", "expected an operator or 'else', found 'b'"),
    ],
)
def test_other_texts_that_break_off_are_explained_too(text, message):
    _, (found,) = parse_tensor_form(Text.of(text))
    assert found.message == message


@pytest.mark.parametrize(
    ("start", "example", "code", "remedy"),
    [
        ("form", "‸torch.float32 [n]", "OPG150", "write `float32`"),
        ("dtype", "‸torch.half", "OPG150", "write `float16`"),
        ("form", "float16|‸torch.bfloat16 [n]", "OPG150", "write `bfloat16`"),
        ("condition", "d in (‸torch.float32,)", "OPG150", "write `float32`"),
        ("form", "int64 [n] ‸range(0, 4)", "OPG150", "write `in range(0, 4)`"),
        ("form", "int64 [n] contiguous on cpu ‸range(0, n)", "OPG150", "write `in range(0, n)`"),
        ("form", "float32 ‸(n)", "OPG150", "write `float32 [n]`"),
        ("form", "float32‸(2, *batch) contiguous", "OPG150", "write `float32 [2, *batch]`"),
        ("form", "None if c else fp8 ‸(...)", "OPG150", "write `fp8 [...]`"),
        ("condition", "k in ‸[1, 2]", "OPG152", "write `k in (1, 2)`"),
        ("condition", "n == 1 and k not in ‸[1]", "OPG152", "write `k not in (1,)`"),
        ("condition", "eps ‸is None", "OPG152", "write `not given(eps)`"),
        ("condition", "n == 1 and eps ‸is not None", "OPG152", "write `given(eps)`"),
        ("form", "float [n] if eps ‸is None else float [1]", "OPG152", "write `not given(eps)`"),
    ],
)
def test_what_python_or_pytorch_would_write_is_repaired(start, example, code, remedy):
    node, (found,) = PARSERS[start](Text.of(example.replace(CARET, "")))
    assert node is None
    assert (found.code.id, found.help, found.location.span.start) == (code, remedy, example.index(CARET))


@pytest.mark.parametrize("character", sorted(MISTAKES.characters))
def test_a_character_without_meaning_is_named(character):
    node, (found,) = parse_condition(Text.of(f"n {character} 1"))
    assert node is None
    assert (found.location.span, found.help) == (Span(2, 3), MISTAKES.characters[character])


@pytest.mark.parametrize(
    ("start", "text", "code", "place", "words"),
    [
        ("form", "float [floor(n)]", "OPG153", "floor(n)", "no function 'floor'"),
        ("form", "float [cell(n/2)]", "OPG153", "cell(n/2)", "did you mean 'ceil'?"),
        ("form", "float [min(n)]", "OPG153", "min(n)", "two arguments or more, found 1"),
        ("form", "float [prod(2)]", "OPG153", "2", "takes a name"),
        ("form", "float [prod(a, b)]", "OPG153", "prod(a, b)", "one argument, found 2"),
        ("form", "maximum(x, y) [n]", "OPG153", "maximum(x, y)", "'promote(x, y)' does"),
        ("form", "float [*product(a, b)]", "OPG153", "*product(a, b)", "'*broadcast(a, b)' is"),
        ("form", "float [ceil(n)]", "OPG154", "ceil(n)", "`ceil(a/b)`"),
        ("form", "float [min(n/2, m)]", "OPG154", "min(n/2, m)", "only inside 'ceil'"),
        ("condition", "n in (8, m + 1)", "OPG155", "m + 1", "expected a constant"),
        ("form", "float [1234567890123456789]", "OPG156", "1234567890123456789", "19 digits"),
        ("form", "float [n] strides[..., 1, ...]", "OPG150", "strides[..., 1, ...]", "at most once"),
        ("form", "float [n] contigous", "OPG150", "contigous", "did you mean 'contiguous'?"),
        ("condition", "n == 1 nd m", "OPG152", "nd", "did you mean 'and'?"),
    ],
)
def test_what_the_grammar_lets_through_is_refused(start, text, code, place, words):
    node, (found,) = PARSERS[start](Text.of(text))
    assert node is None
    assert found.code.id == code
    assert text[found.location.span.start : found.location.span.end] == place
    assert words in f"{found.message} {found.help}"


def test_all_mistakes_of_a_readable_text_are_found_at_once():
    _, found = parse_tensor_form(Text.of("float [floor(n), min(m), ceil(n)]"))
    assert [each.code.id for each in found] == ["OPG153", "OPG153", "OPG154"]


@pytest.mark.parametrize("text", ["-" * 300 + "n == 1", "not " * 300 + "n == 1", "1" + " + 1" * 300 + " == n"])
def test_a_text_nested_too_deeply_is_refused(text):
    _, (found,) = parse_condition(Text.of(text))
    assert found.code.id == "OPG156"


def test_parentheses_do_not_nest_anything():
    assert read("condition", "(" * 5000 + "n == 1" + ")" * 5000) == Comparison(("==",), (N, ONE))


def test_a_mistake_is_found_in_the_file_that_the_text_stands_in():
    source = Source("ops.yaml", 'x: "float [n m]"\n')
    _, (found,) = parse_tensor_form(Text("float [n m]", source, base=4))
    assert (found.location.start, found.location.source) == ((1, 14), source)


SIGNS = ["...", "<=", "==", "//", *"[](),|*?_.<+-/%$=ü"]
WORDS = st.sampled_from([*KEYWORDS, *SIGNS, "n", "x", "None", "True", "8", "0.5", "'a'", "\n"])


@given(st.lists(WORDS, max_size=12).map(" ".join), st.sampled_from(sorted(PARSERS)))
def test_any_text_is_read_or_explained(text, start):
    node, diagnostics = PARSERS[start](Text.of(text))
    assert (node is None) is bool(diagnostics)
    for found in diagnostics:
        assert 0 <= found.location.span.start <= found.location.span.end <= len(text)
        assert found.message
        assert found.help
