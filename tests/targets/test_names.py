import keyword

import pytest

from opgen.targets.names import cpp_name, parameter_name, python_name


@pytest.mark.parametrize("name", ["class", "lambda", "None", "torch", "len"])
def test_reserved_python_names_get_an_underscore(name):
    assert python_name(name) == f"{name}_"


@pytest.mark.parametrize(
    "name", ["double", "template", "xor", "linux", "Tensor", "errno", "I", "INT_MAX", "M_PI", "int64_t"]
)
def test_reserved_cpp_names_get_an_underscore(name):
    assert cpp_name(name) == f"{name}_"


@pytest.mark.parametrize("rename", [python_name, cpp_name])
def test_other_names_stay(rename):
    for name in ("x", "eps", "num_kv_heads", "_hidden", "out_dtype", "std", "input"):
        assert rename(name) == name


@pytest.mark.parametrize("rename", [parameter_name, python_name])
@pytest.mark.parametrize("word", keyword.kwlist)
def test_a_keyword_becomes_the_name_that_its_rule_proposes_which_stays(word, rename):
    assert rename(word) == rename(f"{word}_") == f"{word}_"


def test_callers_pass_what_the_schema_says():
    assert parameter_name("torch") == "torch"


@pytest.mark.parametrize("rename", [python_name, cpp_name])
def test_renaming_is_injective(rename):
    names = [word + "_" * count for word in ["double", "int64_t", "x", "torch", "len"] for count in range(4)]
    assert len({rename(name) for name in names}) == len(names)
