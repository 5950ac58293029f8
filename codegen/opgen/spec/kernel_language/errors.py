"""The table of syntax errors in ``pointwise`` and ``reduce``: broken examples, which are also tests, and messages."""

from __future__ import annotations

from opgen.spec.kernel_language.codes import KERNEL_SYNTAX
from opgen.spec.kernel_language.habits import explain_habit
from opgen.spec.kernel_language.parser import KERNELS
from opgen.spec.language.mistake import Mistake, Mistakes


def _mistake(expected: str, remedy: str, *examples: str) -> Mistake:
    return Mistake(KERNEL_SYNTAX, expected, remedy, examples, "expression")


_TABLE = (
    _mistake("a value", "write one value, such as `x * sigmoid(y)`", "‸"),
    _mistake("a value after the operator", "complete the expression", "x +‸", "x *‸", "x - (y ** ‸)", "x <‸", "x and‸", "not‸", "-‸", "x &‸", "x <<‸", "x // ‸)", "x + ‸* y"),
    _mistake("')'", "close the parenthesis", "(x + y‸", "(x‸", "exp(x‸", "exp(x + 1‸", "max(x, n‸"),
    _mistake("an argument", "write the function's argument between the parentheses", "exp(‸)", "exp(x, ‸, y)"),
    _mistake("an operator or the end", "join the two by an operator; `2 * x`, not `2 x`", "x ‸y", "2 ‸x", "x + y‸)", "exp(x) ‸y", "x‸, y"),
    _mistake("'else' and the other value", "write `a if condition else b`", "x if y‸", "(x if y > 0‸)"),
    _mistake("a value after 'else'", "write `a if condition else b`", "x if y else‸"),
    _mistake("a condition after 'if'", "write `a if condition else b`", "x if‸"),
    _mistake("a bound, ':' or ']'", "write `x[..., a:b]`, a part along the last dim", "x[‸]", "x[‸", "x[..., ‸]"),
    _mistake("']' after a slice", "close the bracket; a slice has no step", "x[..., :d‸", "x[..., d:‸", "x[...‸", "x[..., d‸"),
    _mistake("the name of a run of dims after '*'", "write `sum(x, *batch)`", "sum(x, *‸2)", "sum(x, *‸)"),
    _mistake("a value after '='", "write `var(x, n, correction=0)`", "var(x, n, correction=‸)"),
)  # fmt: skip

_CHARACTERS = {
    "!": "write `not`, or `!=` between two values",
    "?": "write `a if condition else b`",
    "@": "there is no matrix product; such a kernel is written by hand",
    "'": "close the string with the same quote; it holds no backslash",
    '"': "close the string with the same quote; it holds no backslash",
    "{": "group with parentheses",
    "}": "group with parentheses",
    ";": "an entry is one value; name others by keys, `{name: value}`",
    "²": "write `x ** 2`",
    "π": "write `pi`",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "≠": "write `!=`",
    "‘": "names and numbers stand without quotes",  # noqa: RUF001 - what word processors make of it
    "“": "names and numbers stand without quotes",
    "×": "write `*`",  # noqa: RUF001 - what word processors make of it
    "·": "write `*`",
    "√": "write `sqrt(x)`",
    "−": "write `-`",  # noqa: RUF001 - what word processors make of it
}
"""Character that begins no token of the language -> remedy."""

MISTAKES = Mistakes(
    KERNELS,
    _TABLE,
    _CHARACTERS,
    explain_habit,
    KERNEL_SYNTAX,
    starts_value=frozenset(
        {
            *("INT", "FLOAT", "STRING", "TRUE", "FALSE", "NONE", "NAME", "LPAR", "MINUS", "TILDE", "_NOT"),
        }
    ),
    follows_value=frozenset(
        {
            *(
                "PLUS",
                "MINUS",
                "TIMES",
                "POWER",
                "OVER",
                "FLOOR",
                "MODULO",
                "BAR",
                "CARET",
                "AMPERSAND",
                "LEFT",
                "RIGHT",
            ),
            *("COMPARE", "_AND", "_OR", "_IF", "LPAR", "LSQB"),
        }
    ),
)
