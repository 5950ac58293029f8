"""Rules over registrations: the examples on their pages are their tests."""

import re

import pytest

from opgen.build.collect import collect
from opgen.build.lint.run import lint
from opgen.build.lint.selection import Selection
from opgen.diagnostics import has_errors
from opgen.rules.registrations.registry import REGISTRATION_RULES

RULES = [pytest.param(rule, id=rule.code.id) for rule in REGISTRATION_RULES]
WITH_EXAMPLES = [pytest.param(rule, id=rule.code.id) for rule in REGISTRATION_RULES if rule.code.bad]


@pytest.fixture
def lint_example(tmp_path, monkeypatch):
    """Return a function from an example to all that is found in it."""
    monkeypatch.chdir(tmp_path)

    def run(example):
        paths = []
        for file in (example, *example.beside):
            path = tmp_path / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file.text, encoding="utf-8")
            paths.append(path)
        return lint(collect(paths), Selection()).reported

    return run


@pytest.mark.parametrize("rule", WITH_EXAMPLES)
def test_the_bad_source_has_the_mistake_and_no_other_error(rule, lint_example):
    found = lint_example(rule.code.bad)
    own = [diagnostic for diagnostic in found if diagnostic.code is rule.code]
    assert own, found
    assert not has_errors(diagnostic for diagnostic in found if diagnostic.code is not rule.code), found


@pytest.mark.parametrize("rule", WITH_EXAMPLES)
def test_the_finding_is_at_a_place_and_tells_how_to_mend_it(rule, lint_example):
    for diagnostic in lint_example(rule.code.bad):
        if diagnostic.code is rule.code:
            assert diagnostic.location.span.start < diagnostic.location.span.end
            assert diagnostic.help
            assert not diagnostic.message.endswith(".")


@pytest.mark.parametrize("rule", WITH_EXAMPLES)
def test_the_good_source_is_free_of_errors_and_of_the_mistake(rule, lint_example):
    found = lint_example(rule.code.good)
    assert not [diagnostic for diagnostic in found if diagnostic.code is rule.code]
    assert not has_errors(found), found


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_lies_under_its_own_name(rule):
    assert rule.check.__module__.rpartition(".")[2] == rule.code.name.replace("-", "_")
    assert re.fullmatch(r"OPG[2-8]\d\d", rule.code.id)
