"""What the documentation names exists."""

import re
from pathlib import Path

import pytest

from opgen.cli.group import VERBS
from opgen.rules import all_codes
from opgen.rules.page import render_page

PROJECT = Path(__file__).resolve().parents[2]
PAGES = {path.name: path.read_text(encoding="utf-8") for path in (*PROJECT.glob("*.md"), *PROJECT.glob("docs/*.md"))}
PAGES["the pages of the codes"] = "\n".join(map(render_page, all_codes()))


@pytest.mark.parametrize("page", PAGES)
def test_a_command_that_a_page_names_exists(page):
    named = re.findall(
        r"`opgen(?: -\S+(?: \w+)?)? ([a-z][a-z-]*)|^\$ opgen(?: -C \S+)? ([a-z][a-z-]*)", PAGES[page], re.MULTILINE
    )
    assert {word for pair in named for word in pair if word} <= set(VERBS)
