"""Recognises spellings from PyTorch, C++ and Triton that expressions write differently, for a precise remedy."""

from __future__ import annotations

import re
from collections.abc import Callable

from opgen.spec.kernel_language.codes import KERNEL_SYNTAX
from opgen.spec.kernel_language.elsewhere import FUNCTIONS_ELSEWHERE
from opgen.spec.language.habits import Habit, recognise
from opgen.spec.language.mistake import Problem

_REDUCTIONS = frozenset({"sum", "mean", "prod", "amax", "amin", "argmax", "argmin", "any", "all", "logsumexp", "var"})
_SHAPES = frozenset({"view", "reshape", "t", "T", "mT", "transpose", "permute", "unsqueeze", "squeeze", "expand"})
_SIZES = frozenset({"shape", "size", "sizes", "numel", "ndim", "dim"})


def _without_function(name: str) -> str:
    """Return the remedy for a method or an attribute without equivalent function; empty for any other name."""
    if name in _SIZES:
        return "sizes are written by the names of dims, as `tensors` gives them"
    if name in _SHAPES:
        return "leave it out: tensors meet by the names of their dims, as `tensors` gives them"
    if name in _REDUCTIONS:
        return f"write `reduce: {{name: {name.removeprefix('a') if name in ('amax', 'amin') else name}(x, n)}}`"
    return ""


def _decimal(digits: str) -> int:
    return int(digits, 0) if digits[1:2].isalpha() else int(digits)


def _method(match: re.Match[str]) -> str:
    name, has_no_arguments = match[3], bool(match[4])
    if has_no_arguments and name in ("max", "min"):
        return _without_function(f"a{name}")
    if remedy := _without_function(name) or FUNCTIONS_ELSEWHERE.get(name):
        return remedy
    if has_no_arguments and match[1] != ")":
        return f"write `{name}({match[1]})`"
    return f"write `{name}` as a function, before its arguments"


def _of_module(match: re.Match[str]) -> str:
    if match[3].strip():
        return "write the function's name alone"
    return FUNCTIONS_ELSEWHERE.get(match[2], f"write `{match[2]}`")


def _attribute(match: re.Match[str]) -> str:
    if match[2] in ("dtype", "to", "type"):
        return "cast to a dtype by its name, `float32(x)`"
    return _without_function(match[2]) or "write a function"


def _habit(pattern: str, message: str, remedy: Callable[[re.Match[str]], str]) -> Habit:
    return Habit(re.compile(pattern), KERNEL_SYNTAX, message, remedy)


_HABITS = (
    _habit(
        r"(?P<at>\blambda\b)",
        "expected a value, found a function",
        lambda _: "write the value alone, over the names of the arguments",
    ),
    _habit(
        r"(?P<at>\b(?:torch|np|numpy|math|tl|libdevice|F|jnp|std|at|c10)\s*(?:\.|::)\s*)(\w+)(\s*[.:]?)",
        "functions are written without a module",
        _of_module,
    ),
    _habit(
        r"\b([A-Za-z_]\w*)(?P<at>\s*\.\s*(?:to|type|float|half|double|bfloat16|int|long)\b)",
        "values have no methods",
        lambda match: f"cast by the name of a dtype, `float32({match[1]})`",
    ),
    _habit(
        r"(\b[A-Za-z_]\w*|\))\s*(?P<at>\.\s*([A-Za-z_]\w*)\s*\()(\s*\))?",
        "values have no methods",
        _method,
    ),
    _habit(
        r"(?:\b[A-Za-z_]\w*|\))\s*(?P<at>\.\s*([A-Za-z_]\w*))",
        "values have no attributes",
        _attribute,
    ),
    _habit(r"(?P<at>&&)", "there is no operator '&&'", lambda _: "write `and`"),
    _habit(r"(?P<at>\|\|)", "there is no operator '||'", lambda _: "write `or`"),
    _habit(
        r"(?s)(?:\A|(?<=\?))([^?]*)(?P<at>\?)([^:?]*):(.*)",
        "there is no operator '?'",
        lambda match: f"write `{match[3].strip()} if {match[1].strip()} else {match[4].strip()}`",
    ),
    _habit(
        r"(?<![.\w])(\w+)\s+(?P<at>is)\s+(not\s+)?None\b",
        "there is no operator 'is'",
        lambda match: f"write `{'' if match[3] else 'not '}given({match[1]})`",
    ),
    _habit(
        r"(?<!\w)(?P<at>(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|\d+(?:_\d+)+))\b",
        "numbers are written in decimal digits alone",
        lambda match: f"write `{_decimal(match[2])}`",
    ),
    _habit(
        r"\b[A-Za-z_]\w*\s*(?P<at>([-+*/%&|^]|//|<<|>>)=)(?!=)",
        "an entry is one value, found an assignment",
        lambda match: f"write the value alone, `x {match[2]} y`",
    ),
    _habit(
        r"(?<!\w)(\d+(?:\.\d*)?|\.\d+)(?P<at>[fFlLuU]+)\b",
        "numbers have no suffix",
        lambda match: f"write `{match[1]}`: a number takes the dtype of what it meets",
    ),
    _habit(
        r"(?P<at>\bin)\s*[(\[]",
        "there is no operator 'in'",
        lambda _: "compare with each of the values, joined by `or`",
    ),
    _habit(
        r"^\s*\w+\s*(?P<at>=)(?!=)",
        "expected a value, found '='",
        lambda _: "compare with `==`; a value is named by its key, `{name: value}`",
    ),
)


def explain_habit(value: str, offset: int) -> Problem | None:
    """Return the problem for a foreign spelling in ``value`` at ``offset``, where the parser stopped, or ``None``."""
    return recognise(_HABITS, value, offset)
