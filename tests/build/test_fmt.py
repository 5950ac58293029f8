"""What becomes of unusual layouts: comments stay where they belong, and what can't be laid out is left as it is."""

from pathlib import Path

import pytest

from opgen.build.fmt import run
from opgen.build.fmt.run import format_library, format_source
from opgen.source import Source

ROOT = Path(__file__).parents[2]
HEAD = "opgen: 1\nnamespace: lib\n"


def fmt(text):
    formatted, found = format_source(Source("ops.yaml", text))
    assert not found, found
    again, found = format_source(Source("ops.yaml", formatted.text))
    assert not found
    assert not again.is_changed, again.text
    return formatted.text


SAME = {
    "comments of every kind": """\
# The file.

opgen: 1  # the version
namespace: lib
# Before the ops.

ops:  # all of them
  # The first op.
  - func: f(Tensor x) -> ()
    doc: |  # a block
      Text
        # no comment

      more.
    # Behind the doc.
    tensors:
      x: "float [n]"
      # Behind the tensors.
    # Behind the first op.

  # The second op.
  - func: g(Tensor x) -> ()

  # Behind all ops.
# The end.
""",
    "anchors, aliases and merged pairs": """\
opgen: 1
namespace: lib
ops:
  - &first
    func: f(Tensor x) -> ()
    tensors: &shapes {x: "float [n]"}
    tests: &usual  # for all
      sizes: {n: [1, 2]}
  - func: g(Tensor x) -> ()
    tensors: *shapes
    tests:
      <<: *usual
      skip: &why too slow
  - func: h(Tensor x) -> ()
    <<: [*first, {doc: &what Text., fake: *what}]
""",
    "an alias that needs the order": f"{HEAD}ops:\n  - doc: &text Text.\n    func: f() -> ()\n    reference: *text\n",
    "a comment that holds for the op": f"{HEAD}ops:\n  - doc: Text.  # opgen: ignore[OPG501]\n    func: f() -> ()\n",
    "an anchor that is set twice": f"{HEAD}ops:\n  - doc: &t A.\n    func: &t f() -> ()\n  - func: *t\n",
    "blocks with marks": f"{HEAD}ops:\n  - func: f() -> ()\n    doc: |2-\n        deep\n      flat\n    skip: |+\n      a\n\n\n",
    "a list in a list": f"{HEAD}ops:\n  - - a\n    - b: c\n      d: e\n  - []\n",
    "texts of several lines": f"{HEAD}ops:\n  - func: f(Tensor x,\n      Tensor y) -> ()\n    doc: \"a\n      b\"\n    fake: 'c\n\n      d'\n",
    "brackets with comments": f"{HEAD}ops:\n  - func: f() -> ()\n    tags: [\n      a,  # why\n      b ]\n",
    "document marks": "%YAML 1.1\n---\n# A\nopgen: 1\nnamespace: lib\n...\n# B\n",
    "nothing but a header": "# A\n\n# B\nopgen: 1\n",
    "empty values": f"{HEAD}defaults:\nops:\n",
    "unknown keys": f"{HEAD}ops:\n  - func: f() -> ()\n    tags: []\n    zzz: 1\n    aaa: {{b: 1, a: 2}}\n",
    "the order of everything else": f'{HEAD}dtypes: {{z: int8, a: int8}}\nops:\n  - func: g() -> ()\n    checks: ["b > 0", "a > 0"]\n  - func: f() -> ()\n',
    "words, flags and numbers": f"{HEAD}tag_out: true\nops:\n  - func: f() -> ()\n    tests: {{sizes: {{n: [1, 2]}}, tolerance: {{float32: [1e-2, .5]}}}}\n",
    "a quoted number": f'{HEAD}ops:\n  - func: f() -> ()\n    tests: {{sizes: {{n: ["1"]}}}}\n',
    "quotes that a text needs": f"{HEAD}ops:\n  - func: 'f(str x=\"a\") -> ()'\n    doc: 'a\\b'\n",
    "schemas that are none, or have comments": f"{HEAD}ops:\n  - func: f(Tensor  x\n  - func: |\n      f(Tensor  x,  # why\n        int y) -> ()\n",
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME)
def test_what_is_canonical_stays(text):
    assert fmt(text) == text


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        # comments between a key, or a dash, and its value come above
        (f"{HEAD}ops:\n  - # why\n    func: f() -> ()\n", f"{HEAD}ops:\n  # why\n  - func: f() -> ()\n"),
        ("opgen:\n  # why\n  1\n", "# why\nopgen: 1\n"),
        ("opgen: # why\n  1 # what\n", "# why\nopgen: 1  # what\n"),
        # a list without indentation: a comment at the column of the keys belongs to the next key
        (f"ops:\n- func: f() -> ()\n# Head.\n{HEAD}", f"# Head.\n{HEAD}ops:\n  - func: f() -> ()\n"),
        (
            f"{HEAD}ops:\n- func: f() -> ()\n  # why\n",
            f"{HEAD}ops:\n  - func: f() -> ()\n    # why\n",
        ),
        # a block is indented with its key
        (
            f"{HEAD}ops:\n    -   func: f() -> ()\n        doc: |\n                a\n\n                  b\n   \n",
            f"{HEAD}ops:\n  - func: f() -> ()\n    doc: |\n      a\n\n        b\n",
        ),
        (
            f"{HEAD}ops:\n- func: f() -> ()\n  doc: >1-\n     a\n",
            f"{HEAD}ops:\n  - func: f() -> ()\n    doc: >2-\n        a\n",
        ),
        # an anchor ends before a colon
        (f"{HEAD}ops:\n  - func: &lib::h(*, Tensor x) -> ()\n", f"{HEAD}ops:\n  - func: &lib ::h(*, Tensor x) -> ()\n"),
        # brackets
        (f"{HEAD}include: [ a.yaml,\n  b.yaml, ]\n", f"{HEAD}include: [a.yaml, b.yaml]\n"),
        (f"{HEAD}ops: [{{func: 'f() -> ()', tests: {{}}}}]\n", f'{HEAD}ops: [{{func: "f() -> ()", tests: {{}}}}]\n'),
        (f"{HEAD}dtypes: {{? a : int8, b : int8}}\n", f"{HEAD}dtypes: {{a: int8, b: int8}}\n"),
        (
            f"{HEAD}ops:\n  - checks: [n > 0: message]\n    func: f() -> ()\n",
            f"{HEAD}ops:\n  - func: f() -> ()\n    checks: [{{n > 0: message}}]\n",
        ),
        (
            f"{HEAD}imports: [{', '.join(f'package_with_a_long_name_{n}' for n in range(5))}]\n",
            f"{HEAD}imports:\n" + "".join(f"  - package_with_a_long_name_{n}\n" for n in range(5)),
        ),
        (
            f"{HEAD}imports: [{', '.join(f'package_with_a_long_name_{n}' for n in range(5))}] # why\n",
            f"{HEAD}imports: [{', '.join(f'package_with_a_long_name_{n}' for n in range(5))}]  # why\n",
        ),
        # a text that goes on is moved with its key, as far as YAML allows
        (
            f"{HEAD}ops:\n      - func: f(Tensor x,\n          Tensor y) -> ()\n",
            f"{HEAD}ops:\n  - func: f(Tensor x,\n      Tensor y) -> ()\n",
        ),
        (f"{HEAD}ops:\n- doc: a\n   b\n  func: f() -> ()\n", f"{HEAD}ops:\n  - func: f() -> ()\n    doc: a\n      b\n"),
        # explicit keys
        ("? opgen\n: 1\n", "opgen: 1\n"),
        ("? opgen # a: b\n: 1\n", "# a: b\nopgen: 1\n"),
        # quotes
        (f"{HEAD}dtypes:\n  a: x.dtype|int8\n  'b': 'int8'\n", f'{HEAD}dtypes:\n  a: x.dtype|int8\n  "b": "int8"\n'),
        (
            f"{HEAD}ops:\n  - func: f(int x) -> ()\n    checks:\n      - x in (1, 2)\n      - x in (1, 2): a\\b, c\n",
            f'{HEAD}ops:\n  - func: f(int x) -> ()\n    checks:\n      - "x in (1, 2)"\n      - "x in (1, 2)": \'a\\b, c\'\n',
        ),
        # schemas
        (
            f"{HEAD}ops:\n  - func:  ns::f.a( Tensor( a! -> a|b )[ ]?x ,*,int [2]y=[ 1,-2 ] , str z = 'a,  b' )->( Tensor r,int )\n",
            f"{HEAD}ops:\n  - func: ns::f.a(Tensor(a! -> a|b)[]? x, *, int[2] y=[1, -2], str z='a,  b') -> (Tensor r, int)\n",
        ),
        # ends of files and lines
        ("\n\nopgen: 1   \n\n\n", "opgen: 1\n"),
        ("opgen: 1", "opgen: 1\n"),
        ("opgen: |\n a", "opgen: |-\n  a\n"),  # the text ends without a line break
        ("opgen: |+\n a\n  ", "opgen: |-\n  a\n   \n"),
        ("ops: |+\n a\n\nopgen: 1\n\nx: 1\n", "opgen: 1\nops: |+\n  a\n\nx: 1\n"),  # blank lines that are text
        ("# A\n\nops: a\n\nopgen: 1\n", "# A\n\nopgen: 1\nops: a\n"),
        (
            "opgen: 1\r\nops:\r\n  - func: |\r\n     f() -> ()\r\n",
            "opgen: 1\r\nops:\r\n  - func: |\r\n      f() -> ()\r\n",
        ),
    ],
)
def test_what_is_not_canonical_becomes_so(written, canonical):
    assert fmt(written) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "{opgen: 1}\n",
        "- a\n",
        "a:  b\n? - key\n: value\n",
        "&a\nopgen:  1\n",
        "? a\n  b\n: c\nd:  e\n",
        "opgen:  1\n? \n",
        "? a " + "# " * 50 + "b: c\n? |\n d\n",
    ],
)
def test_what_is_no_declaration_in_block_style_is_left_as_it_is(text):
    formatted, _ = format_source(Source("ops.yaml", text))

    assert not formatted.is_changed


def test_mistakes_in_yaml_are_reported_and_the_text_stays():
    formatted, found = format_source(Source("ops.yaml", 'opgen:  1\nops: "a\n'))

    assert [one.code.id for one in found] == ["OPG120"]
    assert not formatted.is_changed


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (lambda text: text.replace("2", "3"), "would not say the same"),
        (lambda text: text.replace("namespace", "package"), "would not say the same"),
        (lambda text: text.replace(": lib", ': "1'), "would not say the same"),
        (lambda text: text.replace("n: [1", 'n: ["1"'), "would not say the same"),
        (lambda text: text.replace("# why", ""), "would lack a comment"),
        (lambda text: text.replace("int x", "int y"), "would not say the same"),
    ],
)
def test_a_layout_that_can_not_be_proved_is_not_used(broken, reason, monkeypatch):
    render = run.render
    text = f"{HEAD}ops:\n- func: f(int x) -> () # why\n  tests: {{sizes: {{n: [1, 2]}}}}\n"
    assert fmt(text) != text
    monkeypatch.setattr(run, "render", lambda document: broken(render(document)))

    formatted, (found,) = format_source(Source("ops.yaml", text))

    assert (found.code.id, formatted.is_changed) == ("OPG180", False)
    assert reason in found.message


def test_included_files_are_formatted_and_mistakes_of_one_do_not_keep_the_others(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ops.yaml").write_text(f"{HEAD}include: [ a.yaml, b.yaml, none.yaml ]\n", encoding="utf-8")
    (tmp_path / "a.yaml").write_text('ops: "\n', encoding="utf-8")
    (tmp_path / "b.yaml").write_text("ops: [ ]\n", encoding="utf-8")

    formatted, found = format_library(Path("ops.yaml"))

    assert [(one.source.path, one.is_changed) for one in formatted] == [
        ("ops.yaml", True),
        ("a.yaml", False),
        ("b.yaml", True),
    ]
    assert [one.code.id for one in found] == ["OPG140", "OPG120"]


def test_the_declarations_of_this_project_are_canonical(monkeypatch):
    monkeypatch.chdir(ROOT)
    for file in ("ops.yaml", *ROOT.glob("examples/**/ops.yaml")):
        formatted, found = format_library(Path(file))
        assert not found
        assert not [one.source.path for one in formatted if one.is_changed]
