"""The lines of generated Python."""

import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from opgen.spec.kernel_written import Tightness
from opgen.targets.expressions.operators import PYTHON, held, joined, signed
from opgen.targets.python.layout import lay_out, lay_out_assignment, py_number, py_string, requote

LONG = "a" * 50


def test_a_statement_that_fits_stays_as_it_is():
    assert lay_out("f(x)", indent=2) == "        f(x)"


def test_a_call_that_does_not_fit_gets_an_argument_a_line():
    assert lay_out(f"f({LONG}, g({LONG}, 1), {LONG})") == (f"f(\n    {LONG},\n    g({LONG}, 1),\n    {LONG},\n)")


def test_only_a_nested_call_that_does_not_fit_is_broken():
    text = f"f(x, lambda: g({LONG}, {LONG}, {LONG}))"

    assert lay_out(text) == f"f(\n    x,\n    lambda: g(\n        {LONG},\n        {LONG},\n        {LONG},\n    ),\n)"


def test_the_commas_of_a_lambda_separate_nothing():
    assert lay_out(f"f(lambda a, b: a, {LONG}, {LONG})") == f"f(\n    lambda a, b: a,\n    {LONG},\n    {LONG},\n)"


def test_an_item_is_broken_at_its_operators():
    assert lay_out(f"{LONG} + {LONG} + {LONG},") == f"{LONG}\n+ {LONG}\n+ {LONG},"


def test_a_narrow_page_breaks_only_what_the_formatter_keeps_so():
    assert lay_out(f"assert {LONG} and b", width=62) == f"assert {LONG} and b"
    assert lay_out(f"assert f({LONG}, b)", width=62) == f"assert f(\n    {LONG},\n    b,\n)"


def test_a_definition_is_broken_at_its_parameters():
    result = "tuple[Tensor, Tensor]"

    assert lay_out(f"def f(x: {LONG}, y: {LONG}) -> {result}:") == (
        f"def f(\n    x: {LONG},\n    y: {LONG},\n) -> {result}:"
    )


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"if {LONG} and {LONG} and {LONG}:", ["if (", f"    {LONG}", f"    and {LONG}", f"    and {LONG}", "):"]),
        (f"return ({LONG} + {LONG} + 1.0).to(x_dtype)", ["return (", f"    {LONG} + {LONG} + 1.0", ").to(x_dtype)"]),
        (
            f"x = f({LONG} if {LONG} else {LONG} + 1)",
            ["x = f(", f"    {LONG}", f"    if {LONG}", f"    else {LONG} + 1,", ")"],
        ),
        (
            f"x = {LONG} * {LONG} + {LONG} * ({LONG} * {LONG} * {LONG})",
            [
                "x = (",
                f"    {LONG} * {LONG}",
                f"    + {LONG}",
                "    * (",
                *(f"        {sign}{LONG}" for sign in ("", "* ", "* ")),
                "    )",
                ")",
            ],
        ),
        (
            f"x, y = f({LONG}, {LONG}), g({LONG})",
            ["x, y = (", f"    f({LONG}, {LONG}),", f"    g({LONG}),", ")"],
        ),
        (
            f"x = f({LONG}, lambda a, b: a).g({LONG}).h(2)",
            ["x = (", f"    f({LONG}, lambda a, b: a)", f"    .g({LONG})", "    .h(2)", ")"],
        ),
    ],
)
def test_what_brackets_do_not_break_is_broken_at_its_operators(text, lines):
    assert lay_out(text).splitlines() == lines


def test_a_subscript_that_does_not_fit_is_left_alone():
    text = f"x[{LONG}, {LONG}, {LONG}]"

    assert lay_out(text) == f"{text}  # fmt: skip"


def test_random_statements_are_broken_as_the_formatter_breaks_them(tmp_path):
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent)) or shutil.which("ruff")
    if ruff is None:
        pytest.skip("ruff is not installed")
    random = Random(0)  # noqa: S311 - the same statements each time
    forms = ("return {}", "value = {}", "result = ({}).to(x_dtype)", "f(0, {})", "if {}:\n        pass")
    statements = [
        lay_out(form.split("\n")[0].format(expression(random, random.choice((3, 4, 5)))[0]), 1) + form.partition(":")[2]
        for form in random.choices(forms, k=300)
    ]
    path = tmp_path / "random_statements.py"
    path.write_text("\n\n\n".join(f"def f():\n{each}" for each in statements) + "\n", encoding="utf-8")

    formatted = subprocess.run(
        [ruff, "format", "--isolated", "--line-length=120", "--diff", path], capture_output=True, text=True, check=False
    )

    assert formatted.returncode == 0, formatted.stdout
    assert sum("\n" in each for each in statements) > 100
    assert not any("fmt: skip" in each for each in statements)


def expression(random, depth):
    """Return an expression of Python and how tightly it holds."""
    if depth == 0 or random.random() < 0.1:
        return random.choice(("x", "weight", "grad_output", "residual_value", "x[..., d : 2 * d]")), Tightness.ATOM
    one, other = expression(random, depth - 1), expression(random, depth - 1)
    match random.randrange(8):
        case 0:
            return signed("-", one)
        case 1:
            return f"{held(one, Tightness.OR)} if scale is not None else {other[0]}", Tightness.CHOICE
        case 2:
            return f"torch.where({one[0]}, {other[0]}, 0)", Tightness.ATOM
        case 3:
            return f"{held(one, Tightness.ATOM)}.sum(-1, keepdim=True)", Tightness.ATOM
    return joined(PYTHON, random.choice("+-*/*+&|<"), one, other)


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
