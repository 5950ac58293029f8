"""Libraries of random expressions, all of them sound: every function, operator, kind and broadcast of the language.

What jumps (comparisons, rounding, casts, ``//``) is only asked of values that all backends compute alike to the last bit:
arguments, and what is made of them without rounding (``exact``). So results differ by rounding alone, however they were
computed.
"""

import re
from random import Random

_SMOOTH = [
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sqrt",
    "rsqrt",
    "reciprocal",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "erf",
    "erfc",
    "sigmoid",
    "silu",
    "gelu",
    "gelu_tanh",
    "softplus",
    "square",
]

_LEAVES = {
    "exact": ("x", "y", "r", "c", "alpha", "0.5", "2.0", "-1.5", "0.0", "3", "pi", "-x", "-c"),
    "int": ("i", "j", "k", "0", "1", "5", "index(n)", "index(m)", "n"),
    "bool": ("b", "b", "x < y", "i >= 0", "given(w)", "{tensor} != {tensor}"),
    "tensor": ("x", "y", "r", "c"),
}
_RULES = {
    "float": (
        *(f"({{float}} {operator} {{float}})" for operator in "++--**//"),
        *(f"{function}({{float}})" for function in _SMOOTH),
        *("({float} if {bool} else {float})", "where({bool}, {float}, {exact})", "{exact}") * 3,
        *(f"{function}({{float}}, {{float}})" for function in ("maximum", "minimum", "atan2")),
        *(f"({{tensor}} ** {power})" for power in ("2", "3", "0.5", "-1", "-2", "1.5", "x")),
        *(f"({{exact}} {operator} {{int}})" for operator in "+-*/"),
        "(1.5 + w if given(w) else {float})",
    ),
    "exact": (
        *(f"{function}({{exact}})" for function in ("abs", "relu", "floor", "ceil", "round", "trunc", "sign")),
        *(f"{function}({{exact}}, {{exact}})" for function in ("maximum", "minimum", "copysign")),
        *(f"{dtype}({{exact}})" for dtype in ("float32", "bfloat16", "float16")),
        "clamp({exact}, -2.5, 3)",
        "({exact} if {bool} else {exact})",
        "fmod({tensor}, {tensor})",
        "fmod({tensor}, -0.75)",
    ),
    "int": (
        *(f"({{int}} {operator} {{int}})" for operator in ("+", "-", "*", "&", "|", "^")),
        *(f"({{int}} {operator} ((j & 7) + 1))" for operator in ("//", "%")),
        *(f"({{int}} {operator} (j & 3))" for operator in ("<<", ">>")),
        *(f"{function}({{int}})" for function in ("abs", "sign", "square", "-", "~")),
        *(f"int64(0.0 if isnan({x}) else clamp({x}, -100.0, 100.0))" for x in "xyr"),
        "int8(0.0 if isnan(x) else clamp(x, -100.0, 100.0))",
        "maximum({int}, {int})",
        "minimum({int}, {int})",
        "({int} if {bool} else {int})",
    ),
    "bool": (
        *(f"({{exact}} {operator} {{exact}})" for operator in ("<", "<=", ">", ">=", "==", "!=")),
        *(f"({{int}} {operator} {{int}})" for operator in ("<", "==", ">=")),
        *(f"{function}({{exact}})" for function in ("isnan", "isinf", "isfinite")),
        "({exact} < {exact} <= {exact})",
        *("(not {bool})", "({bool} and {bool})", "({bool} or {bool})") * 2,
    ),
}
"""What an expression of a kind is made of, kinds in braces."""

_DTYPES = {
    "x": ("float32", "bfloat16", "float16", "float32", "float64"),
    "y": ("float32", "float16", "bfloat16", "float64"),
    "i": ("int32", "int64", "uint8", "int16", "int8"),
    "j": ("int32", "int64", "int8", "uint8"),
}


def expression(random: Random, kind: str, depth: int) -> str:
    """One of a kind, nested at most so deep."""
    rules = _RULES if depth > 0 and kind in _RULES else {"float": _LEAVES["exact"], **_LEAVES}
    rule = random.choice(rules[kind])
    return re.sub(r"\{(\w+)\}", lambda part: expression(random, part[1], depth - 1), rule)


def library(seed: int, ops: int, outputs: int, dispatch: str = "{CPU: cpp}") -> str:
    """An ``ops.yaml`` with so many ops ``e0``, ``e1``, ..., each of which computes so many random expressions.

    Their arguments are tensors of several shapes and dtypes that are broadcast, an optional one, and numbers.
    """
    lines = ["opgen: 1", "namespace: randomly", "defaults: {autograd: none}", "ops:"]
    for number in range(ops):
        lines += _op(number, seed, outputs, dispatch)
    return "\n".join(lines) + "\n"


def dtypes(seed: int, number: int) -> dict[str, str]:
    """The dtype of each tensor argument of one of these ops, by torch's name."""
    random = Random(f"dtypes {seed} {number}")  # noqa: S311 - likewise
    chosen = {name: random.choice(choices) for name, choices in _DTYPES.items()}
    return {**chosen, "r": chosen["x"], "c": "float32", "b": "bool", "w": "float32"}


def _op(number: int, seed: int, outputs: int, dispatch: str) -> list[str]:
    random = Random(f"{seed} {number}")  # noqa: S311 - nothing is secret
    of = dtypes(seed, number)
    held = {"float": "float64" if "float64" in of.values() else "float32", "int": "int64", "bool": "bool"}
    kinds = random.choices(("float", "int", "bool"), (3, 1, 1), k=outputs)
    values = [(kind, expression(random, kind, random.randint(1, 4))) for kind in kinds]
    returns = ", ".join(f"Tensor o{place}" for place in range(outputs))
    arguments = "Tensor x, Tensor y, Tensor r, Tensor c, Tensor i, Tensor j, Tensor b, Tensor? w, float alpha, int k"
    dims = {"x": "[m, n]", "y": "[m, n]", "r": "[n]", "c": "[m]", "i": "[m, n]", "j": "[n]", "b": "[m, n]", "w": "[n]"}
    tensors = {name: f"{of[name]} {shape}" for name, shape in dims.items()}
    tensors |= {f"o{place}": f"{held[kind]} [m, n]" for place, (kind, _) in enumerate(values)}
    return [
        f"  - func: e{number}({arguments}) -> ({returns})",
        f"    dispatch: {dispatch}",
        "    tensors:",
        *(f'      {name}: "{text}"' for name, text in tensors.items()),
        "    pointwise:",
        *(f'      o{place}: "{text}"' for place, (_, text) in enumerate(values)),
    ]
