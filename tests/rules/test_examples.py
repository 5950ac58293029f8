"""The examples on the pages of the rules are their tests."""

import pytest

from opgen.diagnostics import has_errors
from opgen.rules import all_rules

IDS = [rule.code.id for rule in all_rules()]


@pytest.mark.parametrize("rule", all_rules(), ids=IDS)
def test_the_bad_example_has_the_mistake_and_no_other_error(rule, lint_file):
    found = lint_file(rule.code.bad.text)
    own = [diagnostic for diagnostic in found if diagnostic.code is rule.code]
    assert own, found
    assert all(diagnostic.severity is rule.code.severity for diagnostic in own)
    assert not has_errors(diagnostic for diagnostic in found if diagnostic.code is not rule.code), found


@pytest.mark.parametrize("rule", all_rules(), ids=IDS)
def test_the_finding_is_at_a_place_of_an_op_and_tells_how_to_mend_it(rule, lint_file):
    ops_line = 1 + rule.code.bad.text.splitlines().index("ops:")
    for diagnostic in lint_file(rule.code.bad.text):
        if diagnostic.code is rule.code:
            assert diagnostic.location.start.line > ops_line
            assert diagnostic.location.span.start < diagnostic.location.span.end
            assert diagnostic.op.startswith("mylib::")
            assert diagnostic.help
            assert not diagnostic.message.endswith(".")


@pytest.mark.parametrize("rule", all_rules(), ids=IDS)
def test_the_good_example_is_free_of_errors_and_of_the_mistake(rule, lint_file):
    found = lint_file(rule.code.good.text)
    assert not [diagnostic for diagnostic in found if diagnostic.code is rule.code]
    assert not has_errors(found), found
