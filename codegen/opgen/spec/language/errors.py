"""The table of syntax errors in ``tensors`` and ``checks``: broken examples with their messages, which are also tests.

An example represents every text at which the parser stops in the same state; see ``explain``.
"""

from __future__ import annotations

from opgen.spec.language import codes
from opgen.spec.language.grammar import TENSORS
from opgen.spec.language.habits import explain_habit
from opgen.spec.language.mistake import Mistake, Mistakes

_TABLE = (
    # --- one entry
    Mistake(codes.TENSOR_SYNTAX, "a dtype", "begin with a dtype, such as `float [n]` or `any [...]`", ("‸", "‸[n]", "float32| ‸[n]", "float [n] if c else‸")),
    Mistake(codes.TENSOR_SYNTAX, "dims in brackets after the dtype", "write `DTYPE [DIMS]`; `[...]` allows any shape, `[]` is a scalar", ("float‸", "x.dtype‸", "float ‸n", "float|bool ‸contiguous", "promote(x, y) ‸n", "x.dtype ‸n")),
    Mistake(codes.TENSOR_SYNTAX, "'|' between dtypes", "a set holds dtypes alone: `float16|bfloat16`", ("float16 ‸bfloat16", "float16|float32 ‸bfloat16", "float16 ‸[n]"), "dtype"),
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
    Mistake(codes.TRUE_DIVISION, "'//' or 'ceil(a/b)'", codes.TRUE_DIVISION.remedy, ("float [n‸/2]", "float [ceil(n + m‸/2)]")),
    Mistake(codes.EXPRESSION_SYNTAX, "a number, a name or '(' after the operator", "complete the expression", ("float [2*‸]", "float [n + ‸, m]", "float [-‸]", "float [n // ‸]", "float [n % ‸]")),
    Mistake(codes.EXPRESSION_SYNTAX, "')'", "close the parenthesis", ("float [(n‸, m]", "float [(n + 1‸", "float [min(n, m‸]")),
    Mistake(codes.EXPRESSION_SYNTAX, "an integer as the index", "write `pad[0]` or `x.size(-1)`", ("float [pad[‸n]]", "float [x.size(‸n)]")),
    Mistake(codes.EXPRESSION_SYNTAX, "'size' after the dot", "write `x.size(0)`; dtypes are no part of a condition", ("float [x.‸shape(0)]", "float [xs[0].‸dtype]")),
    Mistake(codes.EXPRESSION_SYNTAX, "'else' and the other value", "write `(a if condition else b)`", ("float [(n if c‸)]",)),
    Mistake(codes.EXPRESSION_SYNTAX, "a condition", "write a comparison, such as `n % 8 == 0` or `mode in ('sum', 'mean')`", ("‸", "n == 1 and‸", "not‸"), "condition"),
    Mistake(codes.EXPRESSION_SYNTAX, "a value after the comparison", "complete the comparison", ("n ==‸", "0 < n <=‸"), "condition"),
    Mistake(codes.EXPRESSION_SYNTAX, "choices in parentheses after 'in'", "write `mode in ('sum', 'mean')`", ("mode in‸", "mode in ‸['sum'", "mode not in ‸sum"), "condition"),
    Mistake(codes.EXPRESSION_SYNTAX, "'in' after 'not'", "write `x not in (a, b)`, or `not x` before it", ("n not ‸== 1",), "condition"),
    Mistake(codes.EXPRESSION_SYNTAX, "an operator or the end", "join conditions by `and` or `or`, or write them as two checks", ("n == 1 ‸m == 2", "n ‸m", "n == 1‸, m == 2", "n == 1 ‸if c else 2"), "condition"),
)  # fmt: skip

_CHARACTERS = {
    "=": "compare with `==`",
    "&": "write `and`",
    "!": "write `not`, or `!=` between two values",
    "'": "close the string with the same quote; it holds no backslash",
    '"': "close the string with the same quote; it holds no backslash",
    "{": "dims stand in brackets, `[n, m]`",
    "^": "write `n*n` for a power",
}

MISTAKES = Mistakes(
    TENSORS,
    _TABLE,
    _CHARACTERS,
    explain_habit,
    codes.EXPRESSION_SYNTAX,
    starts_value=frozenset({"INT", "FLOAT", "STRING", "TRUE", "FALSE", "NONE", "NAME", "LPAR", "MINUS", "NOT"}),
    follows_value=frozenset(
        {
            *("PLUS", "MINUS", "TIMES", "FLOOR", "OVER", "MODULO", "COMPARE", "_IN", "NOT", "_AND", "_OR"),
            *("LPAR", "LSQB", "DOT"),
        }
    ),
)
