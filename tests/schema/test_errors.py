"""Each mistake has its code, its place, words that name it and a remedy."""

from __future__ import annotations

import time

import pytest
import yaml

from opgen.schema import codes
from opgen.schema.mistakes import ROWS
from opgen.schema.parser import check_schema, parse_schema
from opgen.source import Text

EXAMPLES = [(example, row) for row in ROWS for example in row.examples]

# The schema with the place of the mistake in «», its code, words of message and help.
MISTAKES = [
    ("f(«int64_t» n) -> ()", "OPG101", ["int64_t", "SymInt"]),
    ("f(«double» x) -> ()", "OPG101", ["double", "float"]),
    ("f(«tensor» x) -> ()", "OPG101", ["write Tensor"]),
    ("f(«torch.Tensor» x) -> ()", "OPG101", ["write Tensor"]),
    ("f(«Tenor» x) -> ()", "OPG101", ["write Tensor"]),
    ("f(«Frobnicator» x) -> ()", "OPG101", ["Frobnicator", "common types"]),
    ("f(Tensor x) -> «void»", "OPG101", ["void", "write ()"]),
    ("f(«List[int]» axes) -> ()", "OPG101", ["List[int]", "int[]"]),
    ("f(«Optional[List[Tensor]]» x) -> ()", "OPG101", ["Tensor[]?"]),
    ("f(Tensor x, «std::vector<int64_t>» y) -> ()", "OPG101", ["[]"]),
    ("f(«const at::Tensor&» x) -> ()", "OPG101", ["write Tensor"]),
    ("f(Tensor x«:» int) -> ()", "OPG100", ["expected ')' or ',' or '='"]),
    ("f(«const Tensor&» x) -> ()", "OPG101", ["write Tensor"]),
    ("f(«x: Tensor», int y) -> ()", "OPG101", ["write Tensor x"]),
    ("f(«None?» x) -> ()", "OPG102", ["optional"]),
    ("f(«Union(int, SymInt)» x) -> ()", "OPG102", ["one type"]),
    ("f(«Dict(int[], int)» x) -> ()", "OPG102", ["key"]),
    ("f(«__torch__.foo.bar.a.B» x) -> ()", "OPG101", ["__torch__.torch.classes"]),
    ("f(Tensor «in») -> ()", "OPG103", ["'in'", "rename"]),
    ("f(Tensor src, bool «global»=False) -> Tensor", "OPG103", ["global"]),
    ("«f.default»(Tensor x) -> ()", "OPG104", ["default"]),
    ("«f.__x»(Tensor x) -> ()", "OPG104", ["__x"]),
    ("f(int x=1, «int y») -> ()", "OPG105", ["'y'", "'x'"]),
    ("f(int x=1, «int[]? y») -> ()", "OPG105", ["'y'"]),
    ("f(«int x=1», ...) -> ()", "OPG105", ["'x'", "..."]),
    ("f(«...», int x) -> ()", "OPG100", ["last"]),
    ("f(Tensor x) -> («...», int)", "OPG100", ["last"]),
    ("f(Tensor x=«1») -> ()", "OPG106", ["'x'", "Tensor?"]),
    ("f(bool deep=«true») -> ()", "OPG106", ["true", "True"]),
    ("f(float x=«inf») -> ()", "OPG106", ["inf", "None"]),
    ("f(str mode=«mean») -> ()", "OPG106", ["'mode'", 'mode="mean"']),
    ("f(ScalarType x=«flaot32») -> ()", "OPG106", ["float32"]),
    ("f(int x=«float32») -> ()", "OPG106", ["float32"]),
    ("f(Device device=«cpu») -> ()", "OPG106", ['device="cpu"']),
    ('f(Device device=«"gpu"») -> ()', "OPG106", ["cuda"]),
    ("f(int[] x=«1») -> ()", "OPG106", ["x=[1]"]),
    ("f(int[] x=[1, «2.5»]) -> ()", "OPG106", ["2.5", "int"]),
    ("f(int[]? x=«[1]») -> ()", "OPG106", ["list"]),
    ("f(str[] x=«[]») -> ()", "OPG106", ["lists"]),
    ("f(SymBool x=«True») -> ()", "OPG106", ["optional"]),
    ("f(complex x=«1») -> ()", "OPG106", ["imaginary", "1j"]),
    ("f(int[4294967295] x=«1») -> ()", "OPG106", ["negative"]),
    ("f(float x=«1e400») -> ()", "OPG107", ["'x'", "1e400"]),
    ("f(int x=«9223372036854775808») -> ()", "OPG107", ["'x'"]),
    ("f(int[«.5»] x) -> ()", "OPG107", [".5"]),
    (r'f(str x=«"\x41"») -> ()', "OPG108", [r"\x"]),
    ("f(float x=1.0«f») -> ()", "OPG100", ["'1.0f'"]),
    ("f(bool strict=Fa«=»False) -> ()", "OPG100", ["'strict'"]),
    ("f(Tensor x, int y,«)» -> ()", "OPG100", ["comma"]),
    ("f(Tensor x) -> (Tensor, Tensor,«)»", "OPG100", ["comma"]),
    ("f(Tensor x, int[] y=[1, 2,«]») -> ()", "OPG100", ["comma"]),
    ("f(Tensor x, int y)«»", "OPG100", ["->"]),
    ("f(Tensor a«!») -> ()", "OPG100", ["Tensor(a!) a"]),
    ("f(Tensor?«(»a) x) -> ()", "OPG100", ["before the '?'"]),
    ("f(Tensor x) -> Tensor«;»", "OPG100", ["';'"]),
    ("f(Tensor x, str y=«'»abc) -> ()", "OPG100", ["not closed"]),
    ("f«é»(Tensor x) -> ()", "OPG100", ["'é'"]),
    ("f(Tensor x«\\»x) -> ()", "OPG100", ["\\"]),
]


@pytest.mark.parametrize(("example", "row"), EXAMPLES)
def test_each_example_of_the_table_gets_its_own_message(example, row):
    (error,) = parse_schema(example).errors
    fixed_words = [words for words in _outside_braces(row.message) if words.strip()]
    assert error.code is row.code
    assert all(words in error.message for words in fixed_words), error.message
    assert "{" not in (error.message + error.help).replace("'{'", "")
    assert error.help
    assert error.help.strip() == error.help


@pytest.mark.parametrize(("marked", "code", "words"), MISTAKES)
def test_a_mistake_is_named_where_it_stands(marked, code, words):
    text = marked.replace("«", "").replace("»", "")
    start = marked.index("«")
    (error,) = parse_schema(text).errors
    said = f"{error.message} | {error.help}"
    assert error.code.id == code, said
    assert all(word in said for word in words), said
    assert text[slice(*error.span)] == marked[start + 1 : marked.index("»")]
    assert error.span.start == start


def test_mistakes_beside_the_grammar_come_together():
    text = "f.default(int64_t a, Tensor b=1, double c, float d=1e999) -> (Tenor, int)"
    errors = parse_schema(text).errors
    assert [error.code.id for error in errors] == ["OPG104", "OPG101", "OPG106", "OPG101", "OPG107", "OPG101"]
    assert [error.span for error in errors] == sorted(error.span for error in errors)


def test_an_unreadable_default_is_no_missing_one():
    assert [error.code.id for error in parse_schema("f(int x=1, Tensor y=1) -> ()").errors] == ["OPG106"]


@pytest.mark.parametrize("text", ["f({}int{} x) -> ()", "f(int x) -> ({}int{})"])
@pytest.mark.parametrize(("left", "right"), [("(", ")"), ("", "[]"), ("", "?"), ("Dict(int, ", ")"), ("Future(", ")")])
def test_types_nested_without_end_are_refused(text, left, right):
    (error,) = parse_schema(text.format(left * 5000, right * 5000)).errors
    assert error.code.id == "OPG102"
    assert parse_schema(text.format(left * 50, right * 50)).schema is not None


@pytest.mark.parametrize(
    "text", ["f(Tensor x" + " " * 20_000, "f(int x=" + "'" * 20_001, "f(int x=" + "9" * 20_000 + ") -> ()"]
)
def test_long_texts_take_no_long_time(text):
    start = time.process_time()
    assert parse_schema(text).errors
    assert time.process_time() - start < 2


@pytest.mark.parametrize("code", codes.ALL, ids=lambda code: code.id)
def test_the_examples_of_a_code_show_it(code):
    assert code.id in _codes_of(code.bad.text)
    assert not _codes_of(code.good.text)


def test_codes_are_distinct_and_in_the_room_of_schemas():
    ids = [code.id for code in codes.ALL]
    assert len(ids) == len(set(ids)) == len({code.name for code in codes.ALL})
    assert all("OPG100" <= one <= "OPG119" for one in ids)


def _codes_of(text: str) -> list[str]:
    funcs = [entry["func"] for entry in yaml.safe_load(text)["ops"]]
    return [found.code.id for func in funcs for found in check_schema(Text.of(func))[1]]


def _outside_braces(template: str) -> list[str]:
    return [part.partition("}")[2] if "}" in part else part for part in template.split("{")]
