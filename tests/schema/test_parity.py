"""The verdict is PyTorch's own, and the canonical form means the same to it."""

from __future__ import annotations

import os
from collections.abc import Iterable

import pytest
from hypothesis import HealthCheck, given, settings, strategies
from hypothesis.extra.lark import from_lark
from lark import Lark

from opgen.schema.checks import TypeNames
from opgen.schema.lark_parser import NoLexer, grammar_text
from opgen.schema.parser import Reader, parse_schema
from opgen.schema.printer import print_schema

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch

MUTATIONS = int(os.environ.get("OPGEN_SCHEMA_MUTATIONS", "4000"))

# Corners that neither real schemas nor their mutations reach often.
CORNERS = [
    "aten::f(t x) -> t", " aten::f(t x) -> t", "prim::f(double x) -> ()", "aten::f(T x) -> ()", "aten::f(_t x) -> ()",
    "aten::f(int.x y) -> ()", "aten::f(Tensor.x y) -> ()", "aten::f(a.None y) -> ()", "aten::f(t x=1) -> ()", "aten::f(t? x=1) -> ()",
    "f(None.x y) -> ()", "f(complex x=1) -> ()", "f(complex x=12) -> ()", "f(complex x=-5) -> ()", "f(complex x=.5) -> ()",
    "f(complex x=0x1) -> ()", "f(complex[2] x=True) -> ()", "f(complex[0] x=True) -> ()", "f(int[0] x=None) -> ()",
    "f(str[0] x=1) -> ()", "f(int[4294967295] x=1) -> ()", "f(int[4294967296] x=1) -> ()", "f(int[2147483648] x) -> ()",
    "f(int[2j] x) -> ()", "f(int[.5] x) -> ()", "f(int[5e400] x) -> ()", "f(int[0x10] x) -> ()", "f(int x=0xep1) -> ()",
    "f(float x=1e-310) -> ()", "f(float x=0x1p-1074) -> ()", "f(float x=0x1p-1075) -> ()", "f(float x=0x1.8p-1074) -> ()",
    "f(float x=2.2250738585072012e-308) -> ()", "f(float x=2.2250738585072013e-308) -> ()", "f(float x=0e-999999) -> ()",
    "f(float x=0x1p99999) -> ()", "f(float x=0x0p99999) -> ()", "f(float[] x=[1, True]) -> ()", "f(float[] x=[float]) -> ()",
    "f(bool[] x=[float]) -> ()", "f(ScalarType[] x=[float16, 1]) -> ()", "f(ScalarType[2] x=float16) -> ()",
    "f(ScalarType[]? x=float16) -> ()", "f(ScalarType?[] x=[float16]) -> ()", "f(ScalarType??? x=float16) -> ()",
    "f(Layout[] x=[strided]) -> ()", "f(int[][] x=[]) -> ()", "f(Device x='cuda:00') -> ()", "f(Device x='cuda:256') -> ()",
    "f(Device x='cuda:2147483648') -> ()", "f(Device x='cuda:') -> ()", "f(Device x='') -> ()", "f(Device? x='gpu') -> ()",
    "f(Dict(Any, int) x) -> ()", "f(Dict(None, int) x) -> ()", "f(Dict(int?, int) x) -> ()", "f(Dict(SymInt, int) x) -> ()",
    "f(Any? x=1) -> ()", "f(None[]? x) -> ()", "f(None?[] x) -> ()", "f((None)? x) -> ()", "f(Union(int, NoneType) x=1) -> ()",
    "f(Union(int, float) x=1) -> ()", "f(Union(int, float)? x=1) -> ()", "f(Union(int, int?) x=1) -> ()", "f(Union(int, SymInt) x) -> ()",
    "f(Union(Any, int) x) -> ()", "f(Union(Any, None) x) -> ()", "f(Union(int[], SymInt[]) x) -> ()", "f(Union(Scalar, int) x) -> ()", "f(Scalar?? x) -> ()", "f(Scalar????[] x) -> ()", "f(Union(int, float, complex)??? x) -> ()",
    "f(Union(int, float, complex, None) x=1) -> ()", "f(Union((int, int), (int, Scalar)) x) -> ()", "f(Union(Future(int), Future(Any)) x) -> ()",
    "f(Union(ScalarType, None) x=half) -> ()", "f(Union((int, None), (int, int)) x) -> ()", "f(Tensor(*|*||) x) -> ()",
    "f(Tensor(a|*!->*|) x) -> ()", "f(() x) -> ()", "f() -> ()\n\\\n", "f() -> ()\n  \\\n", "  f() -> ()\n\\\n", "  f() -> ()\n  \\\n",
    "\\\nf() -> ()", "f() -> ()\n\n#x\n  ", "f() -> ()#x\n  # y\n\\\n#z", "f() -> ()\n\\\n\n", "f() ->\t ()", "f()->(())", "f()\t->()",
    "f(str x='\\400') -> ()", "f(str x='\\12') -> ()", "f(str x='a\\\nb') -> ()", "f(str x=''''a''') -> ()", "f(str x='''a'''') -> ()",
    'f(str x="""a, b""") -> ()', "f(str x='a, b', str y=')') -> ()", "f(int x, ..., *) -> ()", "f(*, ...) -> ()",
    "f(int x=1, int[] y, int[2] z, *, int w) -> ()", "f(int x=1, Tensor?[] y) -> ()", "f(int x=1, (int, int) y) -> ()",
    "f(int x) -> Tensor Tensor", "f(Future Future) -> ()", "f(int # type: y\n x) -> ()", "f(int #type: y\n x) -> ()", "f(int x=0x) -> ()",
    "f(Tensor x\x1c) -> ()", "f(Tensor x\u00a0) -> ()", "f(Tensor é) -> ()", "f(str x='é') -> ()", "f(int x=٣) -> ()",
]  # fmt: skip


def verdict(text: str) -> bool | None:
    """Whether PyTorch takes a schema; ``None`` where that depends on classes that the process has registered."""
    try:
        torch._C.parse_schema(text, allow_typevars=False)
    except Exception as error:  # noqa: BLE001 - it has five kinds
        return None if "Unknown custom class" in str(error) else False
    return True


def disagreements(texts: Iterable[str]) -> list[str]:
    def differs(text: str) -> bool:
        theirs = verdict(text)
        return theirs is not None and theirs is not (parse_schema(text).schema is not None)

    return [text for text in texts if differs(text)]


def meaning(text: str) -> object:
    """What PyTorch makes of a schema, alias sets by the order in which they occur and numbers to the last bit."""
    schema = torch._C.parse_schema(text, allow_typevars=False)
    numbers: dict[str, int] = {}

    def sets(info) -> object:
        return info and (
            info.is_write,
            sorted(numbers.setdefault(one, len(numbers)) for one in sorted(info.before_set)),
        )

    def exact(value: object) -> object:
        if isinstance(value, list):
            return [exact(one) for one in value]
        return (type(value), value.hex() if isinstance(value, float) else repr(value))

    def default(argument) -> object:
        try:
            return argument.has_default_value() and exact(argument.default_value)
        except UnicodeDecodeError:
            return "bytes that are no text"

    def part(value) -> object:
        types = (str(value.type), str(value.real_type), value.N)
        return (value.name, types, default(value), value.kwarg_only, sets(value.alias_info))

    printed = str(schema)
    dots = ("...) ->" in printed, printed.endswith(("...", "...)")))
    return schema.name, schema.overload_name, list(map(part, schema.arguments)), list(map(part, schema.returns)), dots


def changed(texts: Iterable[str]) -> list[tuple[str, str]]:
    """Schemas whose canonical form is no fixed point or means something else to PyTorch."""
    found = []
    for text in texts:
        schema = parse_schema(text).schema
        if schema is None:
            continue
        canonical = print_schema(schema)
        again = parse_schema(canonical).schema
        is_fixed = again is not None and print_schema(again) == canonical
        if not is_fixed or (verdict(text) and (not verdict(canonical) or meaning(text) != meaning(canonical))):
            found.append((text, canonical))
    return found


def test_corners_have_the_same_verdict_and_meaning():
    assert not disagreements(CORNERS)
    assert not changed(CORNERS)
    accepted = sum(parse_schema(text).schema is not None for text in CORNERS)
    assert 40 < accepted < len(CORNERS) - 40


def test_pytorchs_own_functions_are_read_and_printed_back(native_schemas):
    assert len(native_schemas) > 2000
    assert all(parse_schema(text).schema is not None for text in native_schemas)
    assert not changed(native_schemas)


def test_live_schemas_have_the_same_verdict_and_meaning(live_schemas):
    assert len(live_schemas) > 3000
    assert not disagreements(live_schemas)
    assert not changed(live_schemas)


def test_mutated_schemas_have_the_same_verdict_and_meaning(live_schemas, native_schemas, mutations):
    texts = list(mutations([*live_schemas, *native_schemas, *CORNERS * 20], MUTATIONS))
    assert not disagreements(texts)
    assert not changed(texts)


@pytest.mark.corpus
def test_other_libraries_have_the_same_verdict_and_meaning(corpus_schemas, mutations):
    assert len(corpus_schemas) > 100
    assert not disagreements(corpus_schemas)
    assert not changed(corpus_schemas)
    assert not disagreements(mutations(corpus_schemas, MUTATIONS, seed=1))


def test_the_short_cut_for_regular_schemas_reads_what_the_parser_reads(live_schemas, native_schemas, mutations):
    reader = Reader(TypeNames())
    taken = 0
    for text in [*native_schemas, *mutations([*live_schemas, *native_schemas], 2000, seed=2)]:
        short = reader.read(text)
        full = reader.read_in_full(text)
        assert short == full, text
        assert every_span(short.schema) == every_span(full.schema), text
        taken += short.schema is not None
    assert taken > len(native_schemas)


def every_span(node: object) -> list[object]:
    """All spans of a tree, in order."""
    if hasattr(node, "__dataclass_fields__"):
        parts = [every_span(getattr(node, name)) for name in node.__dataclass_fields__]
        return [(type(node).__name__, getattr(node, "span", None), getattr(node, "name_span", None)), *parts]
    return [every_span(part) for part in node] if isinstance(node, tuple) else []


WORDS = strategies.sampled_from(
    [" x ", " y ", " int ", " float ", " ScalarType ", " str ", " SymInt ", " float16 ", " Mean ", " t ", " a "]
)
NUMBERS = strategies.sampled_from(
    [" 1 ", " 2.5 ", " 0 ", " 1e5 ", " 1E5 ", " 2j ", " 0x1f ", " 99999999999999999999 ", " 12 "]
)
STRINGS = strategies.sampled_from([' "a" ', " 'cpu' ", ' "\\n" ', ' "\\x41" ', ' """,""" '])
FROM_GRAMMAR = from_lark(
    Lark(grammar_text(), parser="lalr", lexer=NoLexer, start="schema"),
    start="schema",
    explicit={
        "IDENT": WORDS,
        "NUMBER": NUMBERS,
        "STRING": STRINGS,
        "NEWLINE": strategies.just("\n"),
        "LIST_OPEN": strategies.just("("),
    },
)


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(FROM_GRAMMAR)
def test_whatever_the_grammar_makes_has_the_same_verdict_and_meaning(text):
    assert not disagreements([text])
    assert not changed([text])
