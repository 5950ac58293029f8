"""Random expressions, all of them sound: every function, operator and kind of the language.

What jumps (comparisons, rounding, casts) is only asked of values that all backends compute alike to the last bit:
arguments, and what is made of them without rounding (``exact``). So results differ by rounding alone, however they were
computed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

_WILD = ["log", "log2", "log10", "log1p", "sqrt", "rsqrt", "reciprocal", "tan", "asin", "acos", "acosh", "atanh"]
"""Functions of which many arguments make NaN, or something large."""
_TAME = [
    *("exp", "exp2", "expm1", "sin", "cos", "atan", "sinh", "cosh", "tanh", "asinh", "erf", "erfc", "sigmoid"),
    *("silu", "gelu", "gelu_tanh", "softplus", "square"),
]
_ON_NUMBERS = {
    "tame": (
        *(f"({{tame}} {operator} {{tame}})" for operator in "++-*"),
        *(f"{function}({{tame}})" for function in _TAME),
        *(f"{function}(abs({{tame}}))" for function in ("sqrt", "log1p")),
        *("({tame} if {bool} else {tame})", "{exact}", "{exact}", "{exact}"),
        *(f"{function}({{tame}}, {{tame}})" for function in ("maximum", "minimum", "atan2")),
        *(f"({{exact}} {operator} {{int}})" for operator in "+-*"),
        "({tame} / (1.0 + square({tame})))",
    ),
    "float": (
        *(f"({{float}} {operator} {{float}})" for operator in "++--**//"),
        *(f"{function}({{float}})" for function in (*_WILD, *_TAME)),
        *("({float} if {bool} else {float})", "where({bool}, {float}, {exact})", "{exact}", "{tame}") * 3,
        *(f"{function}({{float}}, {{float}})" for function in ("maximum", "minimum", "atan2")),
        *(f"({{exact}} {operator} {{int}})" for operator in "+-*/"),
        *(f"({{exact}} ** {power})" for power in ("2", "3", "0.5")),
        *(f"(({{exact}} * 1.0) ** {power})" for power in ("-1", "-2")),  # of integers there are none
        "({exact} ** 1.5)",
        *("float32({bool})", "clamp({float}, -2.5, {exact})", "sigmoid({int})"),
    ),
    "exact": (
        *(f"{function}({{exact}})" for function in ("abs", "relu", "floor", "ceil", "round", "trunc", "sign")),
        *(f"{function}({{exact}}, {{exact}})" for function in ("maximum", "minimum", "copysign")),
        *(f"{dtype}({{exact}})" for dtype in ("float32", "bfloat16", "float16")),
        "clamp({exact}, -2.5, 3)",
        "({exact} if {bool} else {exact})",
    ),
    "int": (
        *(f"({{int}} {operator} {{int}})" for operator in ("+", "-", "*", "&", "|", "^")),
        *(f"({{int}} {operator} (({{int}} & 7) + 1))" for operator in ("//", "%")),
        *(f"({{int}} {operator} ({{int}} & 3))" for operator in ("<<", ">>", "**")),
        *(f"{function}({{int}})" for function in ("abs", "sign", "square", "-", "~", "relu", "floor")),
        *(f"{dtype}({{int}})" for dtype in ("int8", "uint8", "int16", "int32", "int64")),
        *("maximum({int}, {int})", "minimum({int}, {int})", "({int} if {bool} else {int})", "int32({bool})"),
        *("fmod({int}, (({int} & 7) + 1))", "clamp({int}, 0, 7)"),
    ),
    "bool": (
        *(f"({{exact}} {operator} {{exact}})" for operator in ("<", "<=", ">", ">=", "==", "!=")),
        *(f"({{int}} {operator} {{int}})" for operator in ("<", "==", ">=")),
        *(f"{function}({{exact}})" for function in ("isnan", "isinf", "isfinite")),
        "({exact} < {exact} <= {exact})",
        *("(not {bool})", "({bool} and {bool})", "({bool} or {bool})") * 2,
        *("bool({exact})", "bool({int})", "({bool} & {bool})", "({bool} | {bool})", "({bool} ^ {bool})"),
    ),
}
"""What an expression of a kind is made of, kinds in braces."""
_ON_TENSORS = {
    "float": ("({T} ** {T})", "(fmod({T}, -0.75) + {float})"),
    "exact": ("fmod({T}, 2.5)",),
    "int": (
        "int64(0.0 if isnan({T}) else clamp({T}, -100.0, 100.0))",
        "int8(0.0 if isnan({T}) else clamp({T}, -100.0, 100.0))",
    ),
    "bool": ("({T} != {T})",),
}
"""The same, with a tensor of floating-point elements in the place of ``T``."""
_REDUCTIONS = {
    "float": (
        *("sum({tame}, {D})", "mean({tame}, {D})", "max({tame}, {D})", "min({tame}, {D})", "logsumexp({tame}, {D})")
        * 2,
        *("sum({float}, {D})", "max({float}, {D})", "logsumexp({float}, {D})", "prod(1.0 + 0.1 * sin({tame}), {D})"),
        *(
            "var({tame}, {D})",
            "var({tame}, {D}, correction=0)",
            "var({exact}, {D}, correction=3)",
            "prod({exact}, {D})",
        ),
        *("mean({int}, {D})", "var({int}, {D})", "logsumexp({int}, {D})", "mean({bool}, {D})"),
    ),
    "exact": ("max({exact}, {D})", "min({exact}, {D})"),
    "int": ("sum({int}, {D})", "prod({int}, {D})", "max({int}, {D})", "min({int}, {D})", "sum({bool}, {D})"),
    "place": ("argmax({exact}, {D})", "argmin({exact}, {D})", "argmax({int}, {D})", "argmin({int}, {D})"),
    "bool": ("any({bool}, {D})", "all({bool}, {D})"),
}


class Grammar:
    """What can be said at some place: which names are in sight there.

    Args:
        random: what decides.
        leaves: of each kind what is a value by itself.
        tensors: those of floating-point elements.
    """

    def __init__(self, random: Random, leaves: Mapping[str, Sequence[str]], tensors: Sequence[str]) -> None:
        """Join the rules."""
        self._random = random
        self._leaves = {**leaves, "float": [*leaves["exact"], *leaves["float"]], "tame": leaves["exact"]}
        self._rules: dict[str, list[str]] = {kind: list(rules) for kind, rules in _ON_NUMBERS.items()}
        for kind, rules in _ON_TENSORS.items():
            self._rules[kind] += (rule.replace("{T}", tensor) for rule in rules for tensor in tensors[:2])

    def expression(self, kind: str, depth: int) -> str:
        """One of a kind, nested at most so deep."""
        rules = self._rules if depth > 0 else self._leaves
        return self._filled(self._random.choice(rules[kind]), depth)

    def reduction(self, kind: str, depth: int, dims: str, whole: str) -> str:
        """One along some dims, of what varies along them as the tensors do that are named."""
        rule = self._random.choice(_REDUCTIONS[kind]).replace("{D}", dims)
        value = re.search(r"\{(\w+)\}", rule)
        assert value is not None
        text = self.expression(value[1], depth)
        if not re.search(rf"\b[{whole}]\b", text):
            text = {"int": "({} ^ i)", "bool": "({} or b)", "exact": "maximum({}, x)"}.get(value[1], "({} + x)").format(
                text
            )
        return rule.replace(value[0], text)

    def _filled(self, rule: str, depth: int) -> str:
        return re.sub(r"\{(\w+)\}", lambda part: self.expression(part[1], depth - 1), rule)
