"""Operators are printed with the fewest parentheses that a language, or its compilers' warnings, ask for."""

import ast
import shutil
import subprocess
from random import Random

import pytest

from opgen.spec.kernel_written import Tightness
from opgen.targets.expressions.operators import CPP, PYTHON, choice, held, joined, signed

NAMES = ("a", "b", "c", "d")


def atom(text):
    return text, Tightness.ATOM


def trees(language, operators, signs, *, count, choices=False):
    """Return random expressions, each printed twice: with the fewest parentheses, and with all."""
    random = Random(0)  # noqa: S311 - the same expressions each time

    def tree(depth):
        if depth == 0 or random.random() < 0.1:
            name = random.choice(NAMES)
            return atom(name), name
        one, other, third = (tree(depth - 1) for _ in range(3))
        form = random.random()
        if form < 0.2:
            sign = random.choice(signs)
            return signed(sign, one[0]), f"({sign}{one[1]})"
        if choices and form < 0.3:
            return choice(one[0], other[0], third[0]), f"({one[1]} ? {other[1]} : {third[1]})"
        operator = random.choice(operators)
        return joined(language, operator, one[0], other[0]), f"({one[1]} {operator} {other[1]})"

    return [(piece[0], whole) for piece, whole in (tree(random.randrange(1, 6)) for _ in range(count))]


def test_python_means_the_same_without_the_parentheses():
    operators = ("+", "-", "*", "/", "//", "%", "**", "<<", "&", "|", "^", "<", "==", "and", "or")
    for text, whole in trees(PYTHON, operators, ("-", "~"), count=3000):
        # A chain of `and` is one node of the tree.
        assert ast.dump(flat(text)) == ast.dump(flat(whole)), text


def flat(text):
    return Flattened().visit(ast.parse(text, mode="eval"))


class Flattened(ast.NodeTransformer):
    def visit_BoolOp(self, node):
        self.generic_visit(node)
        first = node.values[0]
        if isinstance(first, ast.BoolOp) and type(first.op) is type(node.op):
            node.values[:1] = first.values
        return node


@pytest.mark.parametrize(
    ("operator", "left", "right", "text"),
    [
        ("+", "a - b", "c", "a - b + c"),
        ("-", "a", "b - c", "a - (b - c)"),
        ("*", "a + b", "c / d", "(a + b) * (c / d)"),
        ("/", "a * b", "c", "a * b / c"),
        ("<", "a + b", "c * d", "a + b < c * d"),
        ("==", "a < b", "c", "(a < b) == c"),
        ("==", "a & b", "c", "(a & b) == c"),
        ("&", "a < b", "c", "(a < b) & c"),
        ("|", "a & b", "c", "(a & b) | c"),
        ("|", "a | b", "c", "a | b | c"),
        ("<<", "a + b", "c", "(a + b) << c"),
        ("&&", "a < b", "c || d", "a < b && (c || d)"),
        ("||", "a && b", "c < d", "(a && b) || c < d"),
        ("||", "a || b", "!c", "a || b || !c"),
    ],
)
def test_cpp_has_the_parentheses_that_compilers_ask_for(operator, left, right, text):
    assert joined(CPP, operator, parsed(left), parsed(right))[0] == text


def parsed(text):
    """Return a text of one operator, and how tightly it holds."""
    parts = text.split()
    if len(parts) == 1:
        return signed("!", atom(text[1:])) if text.startswith("!") else atom(text)
    return joined(CPP, parts[1], atom(parts[0]), atom(parts[2]))


def test_a_power_with_a_sign_is_in_parentheses_as_formatters_want_it():
    assert signed("-", joined(PYTHON, "**", atom("a"), atom("b")))[0] == "-(a ** b)"


def test_a_second_minus_is_no_decrement():
    assert signed("-", signed("-", atom("a")))[0] == "-(-a)"
    assert signed("-", atom("-1.5"))[0] == "-(-1.5)"
    assert held(signed("-", atom("a")), Tightness.ATOM) == "(-a)"


@pytest.mark.compile
def test_cpp_computes_the_same_without_the_parentheses_and_without_warnings(tmp_path):
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    pairs = trees(CPP, ("+", "-", "*", "&", "|", "^", "<", "==", "&&", "||"), ("-", "~"), count=150, choices=True)
    checks = [f"  if (({text}) != {whole}) return {line};" for line, (text, whole) in enumerate(pairs, 1)]
    source = tmp_path / "operators.cpp"
    source.write_text("\n".join([HEAD, *checks, "  return 0;", "}", ""]), encoding="utf-8")
    others = ("-Wno-bool-operation", "-Wno-int-in-bool-context", "-Wno-tautological-compare")
    flags = ("-std=c++17", "-O0", "-fwrapv", "-Wall", "-Wextra", "-Werror", *others)

    subprocess.run([compiler, *flags, source, "-o", tmp_path / "operators"], check=True)

    for numbers in ("1234", "8052", "3777"):
        assert subprocess.run([tmp_path / "operators", *numbers], check=False).returncode == 0


HEAD = """\
int main(int, char** given) {
  const long long a = *given[1] - '4', b = *given[2] - '4', c = *given[3] - '4', d = *given[4] - '4';"""
