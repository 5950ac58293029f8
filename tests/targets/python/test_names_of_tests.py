"""What `tests: {xfail: ...}` may name is what is generated."""

import re
from pathlib import Path

from opgen.spec.tests_form import TEST_NAMES

TEMPLATE = Path(__file__).parents[3] / "templates" / "tests" / "support" / "tests.py.j2"


def test_the_names_that_xfail_takes_are_those_of_the_generated_tests():
    template = TEMPLATE.read_text(encoding="utf-8")

    assert tuple(re.findall(r"^    def (test_\w+)\(self\)", template, re.MULTILINE)) == TEST_NAMES
