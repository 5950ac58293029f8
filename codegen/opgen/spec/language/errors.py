"""Syntax errors: one table of broken examples that is both the messages and their tests.

The parser's state after the sound beginning of an example is what tells the mistakes apart, so an example stands for all
texts that break off in the same way. (Lark's own ``match_examples`` does the same, but raises a ``TypeError`` in 1.3.1 as
soon as one state accepts different words.)
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from lark import Lark, Token
from lark.exceptions import UnexpectedInput, UnexpectedToken

from opgen.diagnostics import Code
from opgen.source import Span
from opgen.spec.language import codes
from opgen.spec.language.expression_nodes import Problem

CARET = "‸"
"""Marks the place of the mistake in an example."""


@dataclass(frozen=True)
class Mistake:
    """One kind of broken text.

    Attributes:
        expected: what should stand at the caret.
        help: the remedy.
        examples: broken texts, the caret marked.
        start: the rule that the examples are read by.
    """

    code: Code
    expected: str
    help: str
    examples: tuple[str, ...]
    start: str = "form"


MISTAKES = (
    # --- one entry
    Mistake(codes.TENSOR_SYNTAX, "a dtype", "begin with a dtype, such as `float [n]` or `any [...]`", ("‸", "‸[n]", "float32| ‸[n]", "float [n] if c else‸")),
    Mistake(codes.TENSOR_SYNTAX, "dims in brackets after the dtype", "write `DTYPE [DIMS]`; `[...]` allows any shape, `[]` is a scalar", ("float‸", "x.dtype‸", "float|bool ‸contiguous", "promote(x, y) ‸n")),
    Mistake(codes.TENSOR_SYNTAX, "'dtype' after the dot", "write `x.dtype`", ("x. ‸[n]", "x.‸size [n]")),
    Mistake(codes.TENSOR_SYNTAX, "a layout, a device, a value fact or the end", "write DTYPE [DIMS] LAYOUT DEVICE VALUES in this order", ("float [n] ‸dense", "float [n] ‸[m]", "float [n] contiguous ‸8")),
    Mistake(codes.TENSOR_SYNTAX, "dims after '|'", "write `[1, n]|[1, 1]`", ("float [n]|‸float [m]", "float [n]|‸")),
    Mistake(codes.TENSOR_SYNTAX, "a value fact or the end after the device", "the layout stands before the device: `float [n] contiguous on cpu`", ("float [n] on cpu ‸contiguous", "float [n] on x|cpu ‸strides[1]")),
    Mistake(codes.TENSOR_SYNTAX, "the name of a device or tensor", "write `on cpu`, `on x` or `on any`", ("float [n] on‸", "float [n] on cpu|‸")),
    Mistake(codes.TENSOR_SYNTAX, "'range' after 'in'", "write `in range(lo, hi)`", ("int64 [n] in ‸(0, n)", "int64 [n] in‸")),
    Mistake(codes.TENSOR_SYNTAX, "the two ends of the range", "write `in range(lo, hi)`, half-open as in Python", ("int64 [n] in range‸", "int64 [n] in range(0‸)", "int64 [n] in range(0, n‸, 2)")),
    Mistake(codes.TENSOR_SYNTAX, "'[' or '(' after 'strides'", "write `strides[_, 1]`, or `strides(x)` for those of x", ("float [n] strides‸",)),
    Mistake(codes.TENSOR_SYNTAX, "a number of bytes", "write `aligned(16)`", ("float [n] aligned(‸n)", "float [n] aligned(‸)")),
    Mistake(codes.TENSOR_SYNTAX, "'else' and the other form", "write `SPEC if CONDITION else SPEC`, or `else None` for an absent return", ("float [n] if c‸",)),
    # --- dims
    Mistake(codes.DIM_SYNTAX, "a dim", "remove the comma, or write `_` for a dim of any size", ("float [n, ‸]", "float [‸, n]", "float [n,‸")),
    Mistake(codes.DIM_SYNTAX, "',' or ']' after a dim", "separate dims by commas and close the bracket", ("float [n ‸m]", "float [n‸", "float [2‸n]", "float [*batch ‸n]", "float [_ ‸n]")),
    Mistake(codes.DIM_SYNTAX, "a name after '*'", "write `*batch`, or `*broadcast(a, b)`", ("float [*‸2]", "float [*‸]")),
    Mistake(codes.DIM_SYNTAX, "a name after '?'", "write `?k` or `?k<=n`", ("float [?‸]", "float [?‸2]")),
    Mistake(codes.DIM_SYNTAX, "'<=', ',' or ']' after a size that the kernel finds", "write `?k` or `?k<=n`", ("float [?k‸<n]", "float [?k ‸+ 1]")),
    Mistake(codes.DIM_SYNTAX, "a size without a bare choice", "put the choice in parentheses: `[(m if flag else 1)]`", ("float [m ‸if flag else 1]",)),
    # --- expressions
    Mistake(codes.TRUE_DIVISION, "no '/' outside of 'ceil'", codes.TRUE_DIVISION.remedy, ("float [n‸/2]", "float [ceil(n + m‸/2)]")),
    Mistake(codes.EXPRESSION_SYNTAX, "a number, a name or '(' after the operator", "complete the expression", ("float [2*‸]", "float [n + ‸, m]", "float [-‸]", "float [n // ‸]", "float [n % ‸]")),
    Mistake(codes.EXPRESSION_SYNTAX, "')'", "close the parenthesis", ("float [(n‸, m]", "float [(n + 1‸", "float [min(n, m‸]")),
    Mistake(codes.EXPRESSION_SYNTAX, "an integer as the index", "write `pad[0]` or `x.size(-1)`", ("float [pad[‸n]]", "float [x.size(‸n)]")),
    Mistake(codes.EXPRESSION_SYNTAX, "'size' after the dot", "write `x.size(0)`; dtypes are no part of a condition", ("float [x.‸shape(0)]", "float [xs[0].‸dtype]")),
    Mistake(codes.EXPRESSION_SYNTAX, "'else' and the other value", "write `(a if condition else b)`", ("float [(n if c‸)]",)),
    Mistake(codes.EXPRESSION_SYNTAX, "a condition", "write a comparison, such as `n % 8 == 0` or `mode in ('sum', 'mean')`", ("‸", "n == 1 and‸", "not‸"), "condition"),
    Mistake(codes.EXPRESSION_SYNTAX, "a value after the comparison", "complete the comparison", ("n ==‸", "0 < n <=‸"), "condition"),
    Mistake(codes.EXPRESSION_SYNTAX, "choices in parentheses after 'in'", "write `mode in ('sum', 'mean')`", ("mode in‸", "mode in ‸['sum']", "mode not in ‸sum"), "condition"),
    Mistake(codes.EXPRESSION_SYNTAX, "'in' after 'not'", "write `x not in (a, b)`, or `not x` before it", ("n not ‸== 1",), "condition"),
    Mistake(codes.EXPRESSION_SYNTAX, "an operator or the end", "join conditions by `and` or `or`, or write them as two checks", ("n == 1 ‸m == 2", "n ‸m", "n == 1‸, m == 2", "n == 1 ‸if c else 2"), "condition"),
)  # fmt: skip

OTHER = Mistake(codes.EXPRESSION_SYNTAX, "another word", "the page of the tensor language shows every form", ())
"""For a state that no example reaches."""

CHARACTERS = {
    "=": "compare with `==`",
    "&": "write `and`",
    "!": "write `not`, or `!=` between two values",
    "'": "close the string with the same quote; it holds no backslash",
    '"': "close the string with the same quote; it holds no backslash",
    "{": "dims stand in brackets, `[n, m]`",
    "^": "write `n*n` for a power",
}
"""What to write instead of a character that begins no word of the language."""


KEYWORDS = frozenset(
    {"NONE", "NOT", "_AND", "_OR", "_IF", "_ELSE", "_IN", "_ON", "_RANGE", "_OFFSETS", "_PERMUTATION", "_STRIDES"}
    | {"_ALIGNED", "CONTIGUOUS", "CHANNELS_LAST", "ANY"}
)
"""The terminals that are spelt as their names."""


def explain(grammar: Lark, value: str, error: UnexpectedInput) -> Problem:
    """Turn the parser's error on ``value`` into a message, found by the parser's state among the examples."""
    if isinstance(error, UnexpectedToken):
        place = _place(value, error.token)
        found = f"'{error.token}'" if error.token else "the end"
        mistake = _mistake(grammar, error)
        return Problem(
            mistake.code, f"expected {mistake.expected}, found {found}", place, _spelling(error) or mistake.help
        )
    offset: Any = error.pos_in_stream
    place = Span(offset, offset + 1)
    character = value[offset]
    remedy = CHARACTERS.get(character, "remove it")
    return Problem(codes.EXPRESSION_SYNTAX, f"the character '{character}' means nothing here", place, remedy)


def _place(value: str, token: Token) -> Span:
    """Return the offending word; where the text ends too early, an empty span after its last word."""
    if token.type == "$END":
        return Span(len(value.rstrip()), len(value.rstrip()))
    return Span(token.start_pos or 0, token.end_pos or 0)


def _mistake(grammar: Lark, error: UnexpectedToken) -> Mistake:
    table = _table(grammar)
    return next((table[key] for key in _signatures(error) if key in table), OTHER)


@lru_cache(maxsize=1)
def _table(grammar: Lark) -> dict[Hashable, Mistake]:
    """Break off at every example and note the state of the parser there."""
    table: dict[Hashable, Mistake] = {}
    for mistake in MISTAKES:
        for example in mistake.examples:
            for key in _signatures(_broken(grammar, mistake.start, example)):
                table.setdefault(key, mistake)
    return table


def _broken(grammar: Lark, start: str, example: str) -> UnexpectedToken:
    try:
        grammar.parse(example.replace(CARET, ""), start=start)
    except UnexpectedToken as error:
        return error
    raise AssertionError(f"the example {example!r} is sound")


def _signatures(error: UnexpectedToken) -> tuple[Hashable, ...]:
    """Name the state in which the parser broke off, from the exact to the general.

    The number of the state alone is too exact where a rule is half reduced, and the accepted words alone are too
    general where several rules wait for a name.
    """
    accepts = frozenset(error.accepts or ())
    position = error.interactive_parser.parser_state.position
    return (position, accepts, error.token.type), (position, accepts), (accepts, error.token.type), accepts


def _spelling(error: UnexpectedToken) -> str:
    """Suggest a keyword that can stand here and is spelt much like what was found."""
    words = [name.strip("_").lower() for name in error.accepts or () if name in KEYWORDS]
    close = get_close_matches(error.token, words, 1, 0.75)
    return f"did you mean '{close[0]}'?" if close else ""
