"""Any text, quoted for a language, is read back as that text by the language itself."""

import ast
import inspect
import random
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from opgen.build import ninja
from opgen.integrations.manifest import quoted_for_cmake as cmake_quoted
from opgen.integrations.meson import quoted_for_meson
from opgen.targets.python import layout
from opgen.targets.quoting import cell, comment, py_docstring, py_string

PIECES = [
    *"abé日 \\\"'`|#$%;:{}()<>?/*=@!~^&,",
    '"""',
    "'''",
    "*/",
    "/*",
    "//",
    "??/",
    "\\\n",
    "\n#include <x>\n",
    "{{ x }}",
    "{% raw %}",
    "%s",
    "{0}",
    "\\u0041",
    "\\N{DASH}",
    "${x}",
    "$(x)",
    "]]",
    "]=]",
]
MARKDOWN = MarkdownIt("commonmark").enable("table")
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(st.characters(exclude_categories=["Cs"]))


def drawn(count, *, without=""):
    """Return some texts, the same in every run."""
    choice = random.Random(0)  # noqa: S311 - nothing secret
    pieces = [piece for piece in PIECES if not set(piece) & set(without)]
    return ["".join(choice.choices(pieces, k=choice.randint(1, 9))) for _ in range(count)]


@given(TEXTS)
def test_a_literal_of_python_is_the_text(text):
    assert ast.literal_eval(py_string(text)) == ast.literal_eval(layout.py_string(text)) == text
    assert py_string(text).isascii()


@given(TEXTS)
def test_a_docstring_of_python_says_the_text(text):
    source = f"def f():\n    {py_docstring(text)}\n    return 1\n"
    function = ast.parse(source).body[0]
    assert len(function.body) == 2
    said = inspect.cleandoc(ast.literal_eval(ast.unparse(function.body[0].value))).split()
    assert said == text.split()


@given(TEXTS)
def test_a_comment_is_a_comment_on_each_of_its_lines(text):
    for line in comment(text).splitlines():
        assert line.startswith("//")
        assert not line.endswith(("\\", "??/"))


@settings(deadline=None)  # the first one imports Meson
@given(TEXTS)
def test_a_string_of_meson_is_the_text(text):
    parser = pytest.importorskip("mesonbuild.mparser")
    (line,) = parser.Parser(f"x = {quoted_for_meson(text)}\n", "meson.build").parse().lines
    assert line.value.value == text


@given(TEXTS)
def test_a_cell_of_markdown_ends_where_it_ends(text):
    table = f"| a | b | c |\n|---|---|---|\n| 1 {cell(text)} | 2 {cell(text)} | 3 |\n"
    rows = MARKDOWN.parse(table)
    cells = [rows[place + 1].content for place, token in enumerate(rows) if token.type == "td_open"]
    assert [one[:1] for one in cells] == ["1", "2", "3"]


def test_a_shell_that_ninja_runs_gets_the_words(tmp_path):
    program = shutil.which("ninja")
    if program is None:
        pytest.skip("no ninja")
    texts = drawn(60, without="\n")
    rules = [ninja.rule(f"r{i}", f"{ninja.command('printf', '%s', text)} > $out") for i, text in enumerate(texts)]
    builds = [ninja.build(f"o{i}", f"r{i}", []) for i in range(len(texts))]
    (tmp_path / "build.ninja").write_text("\n".join([*rules, *builds]), encoding="utf-8")
    subprocess.run([program, "-j1", "--quiet"], cwd=tmp_path, check=True, capture_output=True)
    assert [(tmp_path / f"o{i}").read_text(encoding="utf-8") for i in range(len(texts))] == texts


def test_cmake_reads_the_texts(tmp_path):
    program = shutil.which("cmake")
    if program is None:
        pytest.skip("no cmake")
    texts = drawn(60)
    lines = [f'set(x {cmake_quoted(text)})\nfile(APPEND out "${{x}}@end@")' for text in texts]
    (tmp_path / "t.cmake").write_text("\n".join(lines), encoding="utf-8")
    subprocess.run([program, "-P", "t.cmake"], cwd=tmp_path, check=True, capture_output=True)
    read = (tmp_path / "out").read_text(encoding="utf-8").split("@end@")[:-1]
    assert read == [text.replace(";", "\\;") for text in texts]  # one element of a list
