"""Texts of users in C++, read back by a compiler."""

import os
import shutil
import subprocess

import pytest

from opgen.targets.quoting import c_string, cell, comment

TEXTS = ["", "a?b", "??/", "???", '"\\', "é\n\t\0", "%s {} */ //", "1\x002"]


@pytest.mark.parametrize(
    ("text", "literal"),
    [("int?", '"int?"'), ("??/", '"?\\?/"'), ("???", '"?\\?\\?"'), ('a"\\', '"a\\"\\\\"'), ("é", '"\\303\\251"')],
)
def test_a_text_is_a_literal(text, literal):
    assert c_string(text) == literal


@pytest.mark.compile
def test_a_compiler_reads_a_literal_as_the_text(tmp_path):
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    if compiler is None:
        pytest.skip("no C++ compiler")
    # With the trigraphs of C++11, and each text once more in a comment that must not swallow the line below it.
    lines = ["#include <cstdio>", "int main() {"]
    for text in TEXTS:
        lines += [comment(text), f"{{ const char t[] = {c_string(text)}; fwrite(t, 1, sizeof t, stdout); }}"]
    (tmp_path / "t.cpp").write_text("\n".join([*lines, "}", ""]), encoding="utf-8")
    subprocess.run([compiler, "-std=c++11", "t.cpp", "-o", "t"], cwd=tmp_path, check=True, capture_output=True)
    output = subprocess.run([tmp_path / "t"], check=True, capture_output=True).stdout
    assert output == b"".join(text.encode() + b"\0" for text in TEXTS)


@pytest.mark.parametrize("end", ["\\", "??/", "\\ ", "??/\\", " ?\\?/"])
def test_a_comment_never_joins_the_next_line(end):
    last = comment(f"a\n{end}\nb").splitlines()[1]
    assert not last.endswith(("\\", "??/"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a|b", "a\\|b"),
        ("a\\|b", "a\\\\\\|b"),
        ("`|` or `\\\\|`", "`\\|` or `\\\\\\\\\\|`"),
        ("two\nlines", "two lines"),
    ],
)
def test_a_cell_of_a_table_ends_at_no_bar_and_no_line(text, expected):
    assert cell(text) == expected
