"""The examples of docs/schema-language.md hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opgen.schema.parser import parse_schema
from opgen.schema.printer import print_schema

PAGE = Path(__file__).parents[2] / "docs" / "schema-language.md"


def rows(heading: str) -> list[list[str]]:
    """The code in the first columns of all tables under a heading, a list a row."""
    tables = re.findall(rf"^\| {heading} \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    lines = "".join(tables).splitlines()
    return [re.findall(r"(?<=\| )`(.*?)`(?= \|)", line) for line in lines]


@pytest.mark.parametrize("text", [row[0] for row in rows("accepted")])
def test_accepted_examples_are_accepted(text):
    assert parse_schema(text).schema is not None


@pytest.mark.parametrize("text", [row[0] for row in rows("refused")])
def test_refused_examples_are_refused(text):
    assert parse_schema(text).errors


@pytest.mark.parametrize(("written", "canonical"), [row[:2] for row in rows("written")])
def test_canonical_examples_are_printed_so(written, canonical):
    assert print_schema(parse_schema(written).schema) == canonical


@pytest.mark.torch
def test_pytorch_says_the_same_of_all_examples():
    torch = pytest.importorskip("torch")

    def accepts(text: str) -> bool:
        try:
            torch._C.parse_schema(text, allow_typevars=False)
        except Exception:  # noqa: BLE001 - it has five kinds
            return False
        return True

    accepted = [row[0] for row in (*rows("accepted"), *rows("written"))]
    refused = [row[0] for row in rows("refused")]
    assert len(accepted) > 20
    assert len(refused) > 15
    assert [text for text in accepted if not accepts(text) and "__torch__" not in text] == []
    assert [text for text in refused if accepts(text)] == []
