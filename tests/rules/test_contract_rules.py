"""The rules on contracts together: nothing that fits no contract passes, nothing that fits one is refused."""

import itertools

import pytest

from opgen.diagnostics import Severity
from opgen.model.build import build_library
from opgen.model.contract import Contract
from opgen.rules import run_rules
from opgen.schema.parser import parse_schema
from opgen.source import Text
from opgen.spec.library import DispatchEntry, LibrarySpec, OpSpec

MARKS = ("Tensor", "Tensor(a!)", "Tensor(b!)", "Tensor(a)", "Tensor!", "Tensor(a!)?", "Tensor(a|b!)", "Tensor(a! -> *)")
RETURNS = ("()", *MARKS, *(f"({first}, {second})" for first, second in itertools.product(MARKS[:4], repeat=2)))


def lint(*schemas, **keys):
    """Return the ops and the findings of a library with these schemas, without reading a file."""
    ops = []
    for text in schemas:
        func = Text.of(text)
        schema = parse_schema(text).schema
        assert schema is not None, text
        ops.append(OpSpec(func, schema, func.locate(), **keys))
    spec = LibrarySpec("ops.yaml", ("ops.yaml",), 1, Text.of("mylib"), "mylib_ops", ops=tuple(ops))
    library = build_library(spec).library
    return library.ops, run_rules(library)


def codes(text, severity=Severity.ERROR, **keys):
    _, found = lint(text, **keys)
    return {diagnostic.code.id for diagnostic in found if diagnostic.severity is severity}


@pytest.mark.parametrize("star", ["", "*, "])
def test_every_irregular_schema_has_an_error_and_every_regular_one_has_none(star):
    for first, second, returns in itertools.product(MARKS, MARKS, RETURNS):
        text = f"f({first} x, {star}{second} y) -> {returns}"
        (op,), found = lint(text)
        errors = {diagnostic.code.id for diagnostic in found if diagnostic.severity is Severity.ERROR}
        if op.contract in {Contract.IRREGULAR, Contract.VIEW}:
            assert any(code.startswith("OPG2") for code in errors), text
        else:
            # A regular shape may still have marks that mean nothing, share a letter, or do nothing at all.
            assert errors <= {"OPG200", "OPG214", "OPG224"}, text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f(Tensor(a!) x, Tensor(a!) y) -> Tensor(a!)", {"OPG200", "OPG204"}),
        ("f(Tensor(a!) x, Tensor(b!) y) -> (Tensor(a!), Tensor)", {"OPG204", "OPG206"}),
        ("f.out(Tensor x, *, Tensor(a!) p, Tensor(b!) q) -> (Tensor(b!), Tensor(a!))", {"OPG210"}),
        ("f.out(Tensor x, *, Tensor(a!) p, Tensor(b!) q) -> (Tensor(a!), Tensor)", {"OPG209"}),
        ("f.out(Tensor x, Tensor(c!) cache, *, Tensor(a!) out) -> Tensor(a!)", {"OPG211"}),
        ("f(Tensor q, *, Tensor(a!)? out=None) -> Tensor(a!)?", {"OPG213"}),
        ("f(Tensor q, Tensor(k!)? k=None, Tensor(a!)? out=None) -> (Tensor(a!), Tensor, Tensor)", {"OPG213"}),
        ("f(Tensor q, Tensor(a!)? state=None) -> Tensor", set()),
        ("f(Tensor(a!)? residual, Tensor x, float eps) -> Tensor", set()),
        ("f(Tensor q, Tensor(a!)? out=None) -> ()", set()),
        ("f(Tensor q, Tensor(a!)? out_=None) -> Tensor", {"OPG213"}),
        ("f(Tensor q, Tensor(a!)? residual_out=None, Tensor(b!)? output_values=None) -> Tensor", set()),
        ("f(Tensor(a!) x, *, Tensor(b!) y) -> (Tensor(a!), Tensor(b!))", {"OPG207"}),
        ("f(Tensor(a!)[] xs) -> None", set()),
        ("f(Tensor(a) x) -> Tensor(*)", {"OPG212", "OPG224"}),
        ("f(Tensor x, int!? y) -> ()", {"OPG216"}),
        ("f(Tensor(du!) du, Tensor(dz!)? dz=None) -> ()", set()),
        ("f(...) -> ...", set()),
        ("f() -> ()", {"OPG214"}),
    ],
)
def test_each_deviation_has_a_code_of_its_own(text, expected):
    assert {code for code in codes(text) if code.startswith("OPG2")} == expected


@pytest.mark.parametrize(
    ("text", "code", "keys"),
    [
        ("f(Tensor(a!) x, int n) -> Tensor", "OPG215", {}),
        ("f(Tensor(a!) x, Tensor(b!) y) -> ()", "OPG215", {}),
        ("f(Tensor(a!) x, Tensor(b!) y) -> Tensor", "OPG215", {"overwrites": (Text.of("x"),)}),
        ("f(Tensor(a!) x, Tensor(b!) y) -> Tensor", "OPG215", {"scratch": (Text.of("x"),)}),
        ("f(Tensor x) -> ()", "OPG214", {"side_effects": True}),
        ("f(Tensor(a!) x) -> None", "OPG218", {}),
        ("f.out(Tensor x, Tensor(a!) out) -> Tensor(a!)", "OPG223", {}),
        ("f_(Tensor(a!) x) -> Tensor(a!)", "OPG222", {"tags": (Text.of("inplace"),)}),
        ("f(Tensor(a!) x, Tensor y) -> ()", "OPG221", {"overwrites": (Text.of("x"),)}),
    ],
)
def test_a_rule_is_silent_where_its_reason_does_not_hold(text, code, keys):
    assert code not in {diagnostic.code.id for diagnostic in lint(text, **keys)[1]}


def test_an_argument_has_one_role():
    names = (Text.of("out"),)
    assert "OPG221" in codes("f(Tensor(a!) out, Tensor x) -> ()", overwrites=names, scratch=names)


def test_a_role_decides_where_the_name_does_not():
    text = "f(Tensor q, Tensor(a!)? buffer=None) -> Tensor"
    assert "OPG213" not in codes(text)
    assert "OPG213" in codes(text, overwrites=(Text.of("buffer"),))


def test_a_composite_view_of_the_classic_abi_is_legal():
    composite = (DispatchEntry(Text.of("CompositeImplicitAutograd"), "cpp"),)
    assert codes("f(Tensor(a) x) -> Tensor(a)", abi="classic", dispatch=composite) == set()
    assert codes("f(Tensor(a) x) -> Tensor(a)", abi="classic") == {"OPG212"}
    assert codes("f(Tensor(a) x) -> Tensor(a)", dispatch=composite) == {"OPG212"}


def test_a_finding_points_at_the_words_that_are_wrong():
    text = "rotate_(Tensor(a!) first, Tensor(b!) second) -> Tensor(a!)"
    _, found = lint(text)
    (diagnostic,) = (diagnostic for diagnostic in found if diagnostic.code.id == "OPG204")
    assert text[slice(*diagnostic.location.span)] == "Tensor(b!)"
    assert diagnostic.op == "mylib::rotate_"


def test_the_remedy_of_a_positional_out_is_the_repaired_schema():
    _, found = lint("fuse(Tensor x, Tensor(a!) out, int n=1) -> Tensor(a!)")
    (diagnostic,) = (diagnostic for diagnostic in found if diagnostic.code.id == "OPG207")
    repaired = diagnostic.help.split("`")[3]
    assert repaired == "fuse(Tensor x, *, Tensor(a!) out, int n=1) -> Tensor(a!)"
    assert codes(repaired) == set()


def test_an_output_of_dynamic_size_alone_is_no_finding(lint_op):
    tensors = 'tensors: {x: "float [n]", return: "int64 [?kept]"}'
    assert "OPG219" in lint_op("f(Tensor(a!) x) -> Tensor", tensors)
    assert "OPG219" not in lint_op("f(Tensor x) -> Tensor", tensors)


@pytest.mark.parametrize(
    ("text", "help_"),
    [
        ("add_(Tensor(a!) x, Tensor y) -> Tensor", "write `add_(Tensor(a!) x, Tensor y) -> Tensor(a!)`, or take"),
        ("add_(Tensor(c!) x, Tensor y) -> Tensor", "write `add_(Tensor(c!) x, Tensor y) -> Tensor(c!)`, or take"),
        ("add_(Tensor! x, Tensor y) -> Tensor", "write `add_(Tensor(a!) x, Tensor y) -> Tensor(a!)`, or take"),
        ("step_(Tensor(a!) x, Tensor(b!) m) -> Tensor", "take the `_` off the name"),
        ("add(Tensor(a!) x, Tensor y) -> Tensor", None),
        ("__iadd__(Tensor(a!) x, Tensor y) -> Tensor", None),
        ("add_(Tensor(a!) x, Tensor y) -> Tensor(a!)", None),
        ("add_(Tensor(a!) x, Tensor y) -> ()", None),
        ("add_(Tensor(a!) x) -> (Tensor, Tensor)", None),
        ("add_(Tensor(a!)? x) -> Tensor", None),
        ("add_(Tensor x, Tensor(a!) y) -> Tensor", None),
        ("add_(Tensor x) -> Tensor", None),
        ("add_() -> Tensor", None),
    ],
)
def test_a_name_that_promises_the_argument_has_to_return_it(text, help_):
    found = [diagnostic for diagnostic in lint(text)[1] if diagnostic.code.id == "OPG225"]
    assert [help_ is not None and diagnostic.help.startswith(help_) for diagnostic in found] == [True] * bool(help_)


def test_a_set_of_several_arguments_is_one_finding(lint_file):
    func = "f(Tensor x, Tensor(a!) p, Tensor(a) q, Tensor(b!) r, Tensor(a!) s) -> ()"
    found = lint_file(f"opgen: 1\nnamespace: mylib\ndefaults: {{autograd: none}}\nops:\n  - func: {func}\n")
    (shared,) = (one for one in found if one.code.id == "OPG200")
    assert shared.message == "arguments 'p', 'q' and 's' share the alias set 'a' and one is written"
    assert shared.help == "give each its own letter: `Tensor(c) q`, `Tensor(d!) s`"
    assert shared.fix.applicability == "safe"
    assert [edit.replacement for edit in shared.fix.edits] == ["(c)", "(d!)"]


def test_several_optional_results_of_one_op_are_one_finding(lint_op):
    found = lint_op("f(Tensor x, Tensor(a!)? a_out=None, Tensor(b!)? b_out=None) -> (Tensor(a!), Tensor(b!))")
    assert found["OPG213"] == (
        "optional arguments 'a_out' and 'b_out' take results if they are given, beside what is returned; declare two "
        "overloads: `f` without them, and `f.out` with `*, Tensor(a!) a_out, Tensor(b!) b_out`"
    )
