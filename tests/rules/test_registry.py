import pkgutil
import re
from collections import Counter

import pytest

from opgen import rules
from opgen.diagnostics import Code, Severity
from opgen.rules import all_codes, all_rules
from opgen.rules.page import render_page
from opgen.rules.registry import CATEGORIES

FIRST_DIGIT = {"contract": "2", "naming": "3", "types": "4", "registration": "5"}


def test_identities_are_unique_and_well_formed():
    codes = all_codes()
    assert [code for code, times in Counter(code.id for code in codes).items() if times > 1] == []
    assert [name for name, times in Counter(code.name for code in codes).items() if times > 1] == []
    assert all(re.fullmatch(r"OPG[1-8]\d\d", code.id) for code in codes)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code.name) for code in codes)


def test_all_codes_come_from_every_room_in_order():
    codes = all_codes()
    assert list(codes) == sorted(codes, key=lambda code: code.id)
    assert {rule.code for rule in all_rules()} < set(codes)
    assert {code.id[3] for code in codes} >= {"1", "2", "3", "4", "5", "8"}


def test_every_folder_of_rules_is_a_category_but_that_of_rules_over_sources():
    folders = {module.name for module in pkgutil.iter_modules(rules.__path__) if module.ispkg}
    assert folders == {*CATEGORIES, "registrations"}


@pytest.mark.parametrize("rule", all_rules(), ids=[rule.code.id for rule in all_rules()])
def test_a_rule_lies_in_the_folder_of_its_category_under_its_own_name(rule):
    *_, folder, module = rule.check.__module__.split(".")
    assert rule.code.id[3] == FIRST_DIGIT[folder]
    assert rule.code.name.replace("-", "_") == module


@pytest.mark.parametrize("code", all_codes(), ids=[code.id for code in all_codes()])
def test_every_code_has_a_page(code):
    page = render_page(code)
    assert page.startswith(f"# {code.id}: {code.name}\n")
    for section in ("## What it reports", "## Why is this bad?", "## Remedy"):
        assert section in page
    assert "\n\n\n" not in re.sub(r"```python\n.*?```", "example", page, flags=re.DOTALL)


def test_a_page_shows_both_examples_and_links_its_sources():
    code = next(rule.code for rule in all_rules() if rule.code.name == "maybe-out")
    page = render_page(code)
    assert page.count("```yaml\n") == 2
    assert "- [pytorch/pytorch#180620](https://github.com/pytorch/pytorch/issues/180620)" in page
    overload = next(rule.code for rule in all_rules() if rule.code.name == "unpaired-out")
    assert "[torch/_library/_out_variant.py](https://github.com/pytorch/pytorch/blob/main/torch/" in render_page(
        overload
    )


def test_a_page_without_examples_has_no_empty_sections():
    page = render_page(Code("OPG899", "some-thing", Severity.INFO, "Some thing.", "Because.", "do it"))
    assert page == (
        "# OPG899: some-thing\n\nSeverity: **info**\n\n## What it reports\n\nSome thing.\n\n"
        "## Why is this bad?\n\nBecause.\n\n## Remedy\n\nDo it.\n"
    )


@pytest.mark.parametrize("code", all_codes(), ids=[code.id for code in all_codes()])
def test_all_pages_are_written_alike(code):
    first = "([A-Z`]|opgen|pytest|torch/)"
    assert re.fullmatch(rf"{first}.*\.", code.summary)
    assert re.fullmatch(rf"{first}.*[.?)]", code.why)
    assert re.fullmatch(r"[a-z`].*[^.]", code.remedy)
