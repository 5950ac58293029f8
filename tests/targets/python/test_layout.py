"""The lines of generated Python."""

import pytest

from opgen.targets.python.layout import lay_out, lay_out_assignment, py_number, py_string, requote

LONG = "a" * 50


def test_a_statement_that_fits_stays_as_it_is():
    assert lay_out("f(x)", indent=2) == "        f(x)"


def test_a_call_that_does_not_fit_gets_an_argument_a_line():
    assert lay_out(f"f({LONG}, g({LONG}, 1), {LONG})") == (f"f(\n    {LONG},\n    g({LONG}, 1),\n    {LONG},\n)")


def test_only_a_nested_call_that_does_not_fit_is_broken():
    text = f"f(x, lambda: g({LONG}, {LONG}, {LONG}))"

    assert lay_out(text) == f"f(\n    x,\n    lambda: g(\n        {LONG},\n        {LONG},\n        {LONG},\n    ),\n)"


def test_a_definition_is_broken_at_its_parameters():
    result = "tuple[Tensor, Tensor]"

    assert lay_out(f"def f(x: {LONG}, y: {LONG}) -> {result}:") == (
        f"def f(\n    x: {LONG},\n    y: {LONG},\n) -> {result}:"
    )


@pytest.mark.parametrize(
    "text", [f"if {LONG} and {LONG} and {LONG}:", f"x[{LONG}, {LONG}, {LONG}]", f"f(({LONG} + {LONG} + {LONG}))"]
)
def test_a_statement_that_only_an_operator_could_break_is_left_alone(text):
    assert lay_out(text) == f"{text}  # fmt: skip"


def test_a_long_string_stays_on_its_line():
    text = "b" * 200

    assert lay_out(f'f(x, y="{text}")') == f'f(\n    x,\n    y="{text}",\n)'


def test_a_long_assignment_is_put_in_parentheses_where_that_helps():
    assert lay_out_assignment("name" * 10, "v" * 100) == f"{'name' * 10} = (\n    {'v' * 100}\n)"
    assert "\n" not in lay_out_assignment("name", "v" * 200)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("plain", '"plain"'),
        ("it's", '"it\'s"'),
        ('say "x"', "'say \"x\"'"),
        ("both ' and \"", '"both \' and \\""'),
        ("a\nb\\", '"a\\nb\\\\"'),
    ],
)
def test_strings_have_the_quotes_that_need_fewer_escapes(text, quoted):
    assert py_string(text) == quoted
    assert requote(f"f({quoted}, 1)") == f"f({quoted}, 1)"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "1"),
        (1e300, "1e300"),
        (1e-6, "1e-06"),
        (float("inf"), 'float("inf")'),
        (1j, "1j"),
        (1 + 2j, "complex(1.0, 2.0)"),
    ],
)
def test_numbers_are_written_as_the_formatter_writes_them(value, text):
    assert py_number(value) == text
