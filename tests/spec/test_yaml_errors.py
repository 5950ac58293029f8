"""YAML that can't be read, or means what its author didn't: each mistake has its own words, on either parser."""

import pytest
import yaml

from opgen.source import Source
from opgen.spec.yaml import Mapping, Scalar, Sequence
from opgen.spec.yaml.composer import compose

CASES = {
    "an unquoted contract within braces": (
        "t: {x: float [n, d], y: any [n]}\n",
        ["1:8 OPG121 holds '[' quoted write \"float [n, d]\""],
    ),
    "an unquoted contract in the middle of braces": (
        't: {x: "any [n]", return: x.dtype [f(n, m)]}\n',
        ['1:27 OPG121 write "x.dtype [f(n, m)]"'],
    ),
    "an unquoted contract over two lines": ("t: {x: float [n,\n  d]}\n", ["1:8 OPG121 between double quotes"]),
    "a colon in a schema": ('f: foo(str m="a: b") -> ()\n', ["1:16 OPG121 ':' key quotes"]),
    "a key that is indented too far": ("a: b\n c: d\n", ["2:3 OPG121 ':' indent neighbours"]),
    "a key that is indented too little": ("a:\n  - b\n c\n", ["3:2 OPG120 key indented"]),
    "a text that goes on behind its quotes": ('x: "a" b\n', ["1:8 OPG120 quote the whole text"]),
    "a text that begins with @": ("x: @a\n", ["1:4 OPG121 '@' quoted"]),
    "a text that begins with a backtick": ("x: `a`\n", ["1:4 OPG121 '`' quoted"]),
    "a text that begins with >": ("torch: >=2.10\n", ["1:8 OPG121 '>' quoted"]),
    "a text that begins with *": ("x: *batch\n", ["1:4 OPG130 '&batch' '*'"]),
    "an alias of the value around it": ("x: &a [*a]\n", ["1:8 OPG130 inside"]),
    "a tab before a key": ("a:\n\tb: c\n", ["2:1 OPG122 tab"]),
    "a tab before a following key": ("a: b\n\tc: d\n", ["2:1 OPG122 tab"]),
    "an open quote": ('x: "abc\n', ["1:4 OPG120 never closed"]),
    "an open bracket": ("x: [a, b\ny: c\n", ["1:4 OPG120 '[' never closed"]),
    "a bracket and nothing behind it": ("x: [\n", ["1:5 OPG120 found the end of the file"]),
    "a comma and nothing behind it": ("x: {a: [b,\n\n", ["1:11 OPG120 found the end of the file"]),
    "a Python signature": ("ops:\n- func: f(x: Tensor) -> Tensor\n", ["2:12 OPG121 between name and type"]),
    "an open brace": ("x: {a: b\ny: c\n", ["1:4 OPG120 '{' never closed"]),
    "a closing bracket too many": ("x: [a]]\n", ["1:7 OPG120 key"]),
    "two commas": ("x: {a: b,, c}\n", ["1:10 OPG120 value ','"]),
    "a merge conflict": (
        "a:\n  - b: c\n<<<<<<< HEAD\n  - d: e\n=======\n  - f: g\n>>>>>>> other\n",
        ["3:1 OPG120 '<<<<<<<' merge conflict delete"],
    ),
    "a merge conflict within braces": (
        "a: {b: c,\n<<<<<<< HEAD\n  d: e}\n=======\n  d: f}\n>>>>>>> other\n",
        ["2:1 OPG120 '<<<<<<<' merge conflict delete"],
    ),
    "a marker that a resolved conflict left": ("a: b\n=======\nc: d\n", ["2:1 OPG120 '=======' merge conflict"]),
    "no colon": ("a: b\nfoo\n", ["2:1 OPG120 'key: value'"]),
    "a key in a list": ("- a\nb: c\n", ["2:1 OPG120 '-"]),
    "an unknown version of YAML": ("%YAML 3.0\n---\na: b\n", ["1:1 OPG120 incompatible"]),
    "a key twice": ("a: b\nc: d\na: e\n", ["3:1 OPG123 'a' twice"]),
    "a key twice within braces": ("x: {a: b, a: c}\n", ["1:11 OPG123 'a'"]),
    "a list as a key": ("[a, b]: c\n", ["1:1 OPG124 text"]),
    "a tag": ("x: !foo bar\n", ["1:4 OPG132 !foo"]),
    "a tag of YAML's own": ("x: !!python/object:a.b {}\n", ["1:4 OPG132 !!python/object"]),
    "a text that is merged": ("<<: a\nb: c\n", ["1:5 OPG133 mapping"]),
    "two documents": ("a: b\n---\nc: d\n", ["2:1 OPG129 second"]),
    "nothing": ("", ["1:1 OPG128 empty"]),
    "comments alone": ("# a\n\n# b\n", ["1:1 OPG128 empty"]),
    "a control character": ("a: b\x07\n", ["1:5 OPG125 U+0007"]),
    "a NUL": ("a: b\x00c\n", ["1:5 OPG125 U+0000"]),
    "a mark of writing direction, and more behind it": (
        "a: b\u202ec\na: d\n",
        ["1:5 OPG125 override", "2:1 OPG123 'a'"],
    ),
    "a line break that is none for an editor": ("a: b\u2028c\n", ["1:5 OPG125 separator"]),
    "a carriage return alone": ("a: b\rc: d\n", ["1:5 OPG125 carriage"]),
}


@pytest.fixture(params=["libyaml", "python"], autouse=True)
def parser(request, monkeypatch):
    loader = {"libyaml": yaml.CSafeLoader, "python": yaml.SafeLoader}[request.param]
    monkeypatch.setattr("opgen.spec.yaml.composer.LOADER", loader)


def plain(node):
    if isinstance(node, Scalar):
        return node.text.value
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {pair.key.text.value: plain(pair.value) for pair in node.pairs}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
def test_a_mistake_in_yaml_is_told_at_its_place(text, expected, found):
    found(compose(Source("ops.yaml", text))[1], expected)


def test_a_duplicate_key_shows_the_first_one():
    _, (found,) = compose(Source("ops.yaml", "a: b\nc: d\na: e\n"))

    assert found.notes[0].location.start == (1, 1)


@pytest.mark.parametrize("text", ["a: |\n  x\n  =======\n", "a: '<<<<<<< b'\n", "a: b\n# =======\n"])
def test_what_only_resembles_a_conflict_is_a_text(text):
    assert compose(Source("ops.yaml", text))[1] == []


@pytest.mark.parametrize("word", ["on", "no", "yes", "~", "null", "1", "1e-3", "2001-01-01", "=", "True"])
def test_words_are_texts_as_they_are_written(word):
    root, found = compose(Source("ops.yaml", f"{word}: {word}\n"))

    assert not found
    assert plain(root) == {word: word}


def test_what_stands_before_a_syntax_error_is_kept_but_nothing_half_read():
    text = "a: b\nops:\n - f: one\n   d: two\n - f: three\n   t: {x: float [n, d], y: z}\n - f: four\n"
    root, found = compose(Source("ops.yaml", text))

    assert [diagnostic.code.id for diagnostic in found] == ["OPG121"]
    assert plain(root) == {"a": "b", "ops": [{"f": "one", "d": "two"}]}
    assert isinstance(root, Mapping)
    assert not root.complete


def test_a_text_that_a_syntax_error_cuts_short_is_not_kept():
    root, found = compose(Source("ops.yaml", "a: b\nc: d: e\n"))

    assert [diagnostic.code.id for diagnostic in found] == ["OPG121"]
    assert plain(root) == {"a": "b"}


def test_merged_pairs_keep_the_place_where_they_were_written_and_lose_against_own_ones():
    text = "base: &b {x: 1, y: 2}\nmore: &m {y: 3, z: 4}\nall:\n  x: 9\n  <<: [*b, *m]\n"
    root, found = compose(Source("ops.yaml", text))
    merged = root.pairs[2].value

    assert not found
    assert plain(merged) == {"x": "9", "y": "2", "z": "4"}
    assert [pair.key.text.locate().start for pair in merged.pairs] == [(4, 3), (1, 17), (2, 17)]


def test_an_alias_repeats_a_value_with_the_place_where_it_was_written():
    root, found = compose(Source("ops.yaml", "a: &x [b, c]\nd: *x\n"))

    assert not found
    assert root.pairs[1].value is root.pairs[0].value


def test_an_anchor_may_be_set_again():
    root, found = compose(Source("ops.yaml", "a: &x 1\nb: &x 2\nc: *x\n"))

    assert not found
    assert plain(root)["c"] == "2"


def test_aliases_that_unfold_to_billions_of_values_are_refused():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    _, found = compose(Source("ops.yaml", "\n".join(lines)))

    assert [diagnostic.code.id for diagnostic in found] == ["OPG131"]
    assert "2,000,000" in found[0].message


@pytest.mark.parametrize("text", ["[" * 5000 + "]" * 5000, "- " * 5000 + "a\n", "{a: " * 5000 + "}" * 5000])
def test_deep_nesting_is_refused(text):
    _, found = compose(Source("ops.yaml", text))

    assert [diagnostic.code.id for diagnostic in found] == ["OPG131"]


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("a:\n  b: c\n\n# comment\n\nd: e\n", 9),
        ("a:\n  b: |\n    c\n\n\nd: e\n", 16),
        ("a: {b: c }  # comment\n", 10),
        ("a: {}\n", 5),
        ("a:\n  - b\n  - [c]\n# comment\n", 16),
    ],
)
def test_a_collection_ends_with_its_last_value(text, end):
    root, _ = compose(Source("ops.yaml", text))

    assert root.pairs[0].value.span.end == end
