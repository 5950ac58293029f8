"""Pages of generated documentation, kept as files: ``OPGEN_UPDATE_GOLDEN=1`` rewrites them."""

import os
import re
from pathlib import Path

import pytest

from opgen.build.check import check
from opgen.diagnostics import has_errors
from opgen.targets.docs import docs_files
from opgen.targets.docs.place import code

CASE = Path(__file__).parents[2] / "cases" / "docs"


@pytest.fixture(scope="module")
def pages():
    checked = check(CASE / "ops.yaml")
    assert checked.library is not None
    assert not has_errors(checked.diagnostics), checked.diagnostics
    return {file.path.removeprefix("generated/docs/"): file.content for file in docs_files(checked.library)}


def test_the_pages_are_the_expected_files(pages):
    expected = CASE / "expected"
    if os.environ.get("OPGEN_UPDATE_GOLDEN"):
        expected.mkdir(exist_ok=True)
        for name, content in pages.items():
            (expected / name).write_text(content, encoding="utf-8")
    assert pages == {path.name: path.read_text(encoding="utf-8") for path in expected.iterdir()}


def test_every_row_of_a_table_has_as_many_cells_as_its_head(pages):
    for name, content in pages.items():
        for table in re.findall(r"(?:^\|.*\n)+", content, re.MULTILINE):
            widths = {len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}
            assert len(widths) == 1, (name, table)


def test_the_index_links_every_page_once(pages):
    links = re.findall(r"\]\(([^)]+)\)", pages["README.md"])
    assert sorted(links) == sorted(pages.keys() - {"README.md"})


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("x | y", "`x | y`"),
        ("a `b` c", "``a `b` c``"),
        ("`b`", "`` `b` ``"),
        ("a\n  b", "`a b`"),
        ("``", "``` `` ```"),
        ("", ""),
    ],
)
def test_any_text_is_one_piece_of_code(text, written):
    assert code(text) == written
