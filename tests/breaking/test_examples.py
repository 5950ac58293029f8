"""The examples on the pages of the kinds of changes are their tests: diffs of an old and a new ops.yaml."""

import re

import pytest

from opgen.breaking import codes, compare
from opgen.breaking.breakage import sides
from opgen.breaking.category import Category
from opgen.diagnostics import Code, has_errors
from opgen.rules import all_codes

CODES = sorted((value for value in vars(codes).values() if isinstance(value, Code)), key=lambda code: code.id)
EACH = pytest.mark.parametrize("code", CODES, ids=[code.id for code in CODES])


@EACH
def test_the_bad_change_is_found_at_a_place_with_a_remedy(code, surface):
    found = [one for one in compare(*map(surface, sides(code.bad))) if one.diagnostic.code is code]
    assert found
    for one in found:
        assert one.diagnostic.location.source.path == "ops.yaml"
        assert one.diagnostic.location.span.start < one.diagnostic.location.span.end
        assert one.diagnostic.help
        assert re.search(r" \(breaks (PYTHON|EXPORT|CXX|SEMANTIC)(, [A-Z]+)*\)$", one.diagnostic.message)
        assert one.categories <= set(Category)


@EACH
def test_the_good_change_breaks_nothing_of_that_kind(code, surface):
    assert not [one for one in compare(*map(surface, sides(code.good))) if one.diagnostic.code is code]


@EACH
def test_both_files_of_both_examples_are_valid(code, surface):
    for example in (code.bad, code.good):
        for text in sides(example):
            assert not has_errors(surface.check(text).diagnostics), text


@EACH
def test_no_change_is_no_breakage(code, surface):
    for text in (*sides(code.bad), *sides(code.good)):
        assert compare(surface(text), surface(text)) == []


def test_all_are_listed_in_their_range():
    assert [code.id for code in all_codes() if code.id.startswith("OPG7")] == [code.id for code in CODES]
