"""The examples on the page of each code of YAML and of ops.yaml are its tests."""

import pytest

from opgen.diagnostics import Code, has_errors
from opgen.spec import codes as key_codes
from opgen.spec.yaml import codes as yaml_codes

CODES = sorted(
    (value for module in (key_codes, yaml_codes) for value in vars(module).values() if isinstance(value, Code)),
    key=lambda code: code.id,
)


def ids(code):
    return code.id


def test_ids_and_names_are_unique_and_of_the_right_range():
    assert len({code.id for code in CODES}) == len({code.name for code in CODES}) == len(CODES)
    assert all("OPG120" <= code.id <= "OPG149" for code in CODES)


@pytest.mark.parametrize("code", [code for code in CODES if code.bad], ids=ids)
def test_the_bad_example_has_this_mistake_and_no_other(code, load):
    assert {found.code.id for found in load(code.bad.text).diagnostics} == {code.id}


@pytest.mark.parametrize("code", CODES, ids=ids)
def test_the_good_example_is_clean(code, load):
    assert not has_errors(load(code.good.text).diagnostics)
