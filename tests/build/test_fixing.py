"""Fixes are proved: none is kept that doesn't help, brings an error, or touches what another has changed."""

import pytest

from opgen.build.collect import Sources
from opgen.build.lint.fixing import fix
from opgen.build.lint.run import Linted, lint
from opgen.build.lint.selection import Selection
from opgen.diagnostics import Code, Diagnostic, Edit, Fix, Severity, fix_text
from opgen.rules import all_codes
from opgen.source import DerivedText, Location, Source, Span, Text

EXAMPLES = [code for code in all_codes() if code.bad and code.bad.path == "ops.yaml"]


@pytest.mark.parametrize("code", EXAMPLES, ids=lambda code: code.id)
def test_fixes_of_every_bad_example_help_bring_no_error_and_are_made_once(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "ops.yaml"
    file.write_text(code.bad.text, encoding="utf-8")

    def judge(texts):
        return lint(Sources((file,)), Selection(), texts)

    def errors(linted):
        return {(one.code.id, one.message) for one in linted.found if one.severity is Severity.ERROR}

    def fixable(linted):
        return sum(one.fix is not None for one in linted.reported)

    before = judge({})
    for unsafe in (False, True):
        fixed = fix(judge, unsafe=unsafe)
        assert errors(fixed.linted) <= errors(before)
        assert fixable(fixed.linted) < fixable(before) or not fixed.count
        assert not fix(lambda texts, done=fixed: judge({**done.texts, **texts}), unsafe=unsafe).count


def _code(id_, severity=Severity.ERROR):
    return Code(id_, f"name-{id_}", severity, "", "", "")


class Words:
    """A checker that finds words in a text, and offers another for each."""

    def __init__(self, text, table):
        self.text = text
        self.table = table
        self.runs = 0

    def __call__(self, texts):
        self.runs += 1
        source = Source("a", texts.get("a", self.text))
        found = []
        for word, (instead, code) in self.table.items():
            start = source.text.find(word)
            if start >= 0:
                place = Location(source, Span(start, start + len(word)))
                offer = None if instead is None else Fix("", (Edit(place, instead),))
                found.append(Diagnostic(code, f"found {word}", place, fix=offer))
        return Linted(tuple(found), tuple(found))


RULE, OTHER = _code("OPG400"), _code("OPG401")


@pytest.mark.parametrize(
    ("text", "table", "expected"),
    [
        ("a b", {"a": ("x", RULE), "b": ("y", RULE)}, "x y"),
        ("ab c", {"ab": ("x", RULE), "b": ("y", RULE), "c": ("z", RULE)}, "x z"),  # of two that overlap, the first
        ("a b", {"a": ("x", RULE), "b": ("b2", RULE)}, "x b"),  # the second one does not help
        ("a b", {"a": ("q", RULE), "b": ("y", RULE), "q": (None, OTHER)}, "a y"),  # the first brings an error
        ("a", {"a": ("q", RULE), "q": (None, _code("OPG500", Severity.WARNING))}, "q"),  # a warning is none
        ("a", {"a": ("q", _code("OPG100")), "q": (None, OTHER)}, "q"),  # what could not be read hid it
        ("a", {"a": ("q", _code("OPG100")), "q": (None, _code("OPG101"))}, "a"),
        ("a", {"a": ("b", RULE), "b": ("c", _code("OPG500", Severity.WARNING))}, "c"),  # one after the other
    ],
)
def test_only_what_helps_is_kept(text, table, expected):
    fixed = fix(Words(text, table), unsafe=False)
    assert fixed.texts.get("a", text) == expected


def test_what_an_op_is_called_after_a_fix_makes_no_new_errors_of_its_others(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "ops.yaml"
    # Once `f.default` is called `f`, the misspelt key is one of `f`; with the last line mended, `f` would stand twice.
    file.write_text(
        "opgen: 1\nnamespace: lib\nops:\n  - func: f.default(Tensor x) -> Tensor\n    autogradd: none\n"
        "  - func: f(Tensor x) -> Tensor\n    tensors: {x: float [n]}\n",
        encoding="utf-8",
    )

    fixed = fix(lambda texts: lint(Sources((file,)), Selection(), texts), unsafe=False)

    (text,) = fixed.texts.values()
    assert "func: f(Tensor x) -> Tensor\n    autograd: none\n" in text
    assert "tensors: {x: float [n]}" in text


def test_a_fix_is_tried_again_once_what_stood_in_its_way_is_mended():
    bad = {"c": ("d", RULE), "d": (None, OTHER)}  # so that not all are made at once
    words = {"a": ("q", RULE), "q b": (None, _code("OPG402")), "b": ("y", RULE), **bad}
    assert fix(Words("a b c", words), unsafe=False).texts["a"] == "q y c"


def test_fixes_that_undo_each_other_come_to_an_end():
    warning = _code("OPG500", Severity.WARNING)
    words = Words("a", {"a": ("b", warning), "b": ("a", warning)})
    fix(words, unsafe=False)
    assert words.runs <= 30


def test_an_edit_that_can_not_be_mapped_into_its_source_makes_no_fix():
    source = Source("a", '"f(\\x54ensor x,\n   int y)"')
    text = Text("f(Tensor x, int y)", source, 0, (1, 2, 3, *range(7, 15), 15, *range(19, 26)))
    assert fix_text(text, [(Span(2, 8), "int")], "") is None
    assert fix_text(text, [(Span(9, 12), "z, ")], "") is None
    made = fix_text(text, [(Span(12, 15), "float")], "")
    assert made.edits[0].location.span == Span(19, 22)
    assert fix_text(Text.of("f"), [(Span(0, 1), 'a"b')], "") is None
    assert fix_text(Text.of("f"), [(Span(0, 1), "a\nb")], "") is None
    derived = DerivedText.at("f(Tensor x)", Location(source, Span(0, 5)))
    assert fix_text(derived, [(Span(2, 8), "int")], "") is None
