"""What hands used to PyTorch, C++ and Triton write, which expressions of kernels say otherwise."""

from __future__ import annotations

import re

from opgen.spec.kernel_language.codes import KERNEL_SYNTAX
from opgen.spec.language.habits import Habit, recognise
from opgen.spec.language.mistake import Problem

_FUNCTIONS = {
    "power": "pow",
    "max": "maximum",
    "min": "minimum",
    "fmax": "maximum",
    "fmin": "minimum",
    "fabs": "abs",
    "absolute": "abs",
}
"""Names of functions elsewhere -> the name here."""


def _function(name: str) -> str:
    return _FUNCTIONS.get(name, name)


def _attribute(match: re.Match[str]) -> str:
    if match[2] in ("shape", "size", "sizes"):
        return "sizes are written by the names of dims, as `tensors` gives them"
    return "cast to a dtype by its name, `float32(x)`" if match[2] in ("dtype", "to", "type") else "write a function"


HABITS = (
    Habit(
        re.compile(r"(?P<at>\blambda\b)"),
        KERNEL_SYNTAX,
        "expected a value, found a function",
        lambda _: "write the value alone, over the names of the arguments",
    ),
    Habit(
        re.compile(r"(?P<at>\b(?:torch|np|numpy|math|tl|libdevice|F|jnp|std|at|c10)\s*(?:\.|::)\s*)(\w+)(\s*[.:]?)"),
        KERNEL_SYNTAX,
        "functions are written without a module",
        lambda match: f"write `{_function(match[2])}`" if not match[3].strip() else "write the function's name alone",
    ),
    Habit(
        re.compile(r"([A-Za-z_]\w*)(?P<at>\s*\.\s*(?:to|type|float|half|double|bfloat16|int|long)\b)"),
        KERNEL_SYNTAX,
        "values have no methods",
        lambda match: f"cast by the name of a dtype, `float32({match[1]})`",
    ),
    Habit(
        re.compile(r"([A-Za-z_]\w*|\))\s*(?P<at>\.\s*([A-Za-z_]\w*)\s*\()(\s*\))?"),
        KERNEL_SYNTAX,
        "values have no methods",
        lambda match: (
            f"write `{_function(match[3])}({match[1]})`"
            if match[4] and match[1] != ")"
            else f"write `{_function(match[3])}` as a function, before its arguments"
        ),
    ),
    Habit(
        re.compile(r"(?:[A-Za-z_]\w*|\))\s*(?P<at>\.\s*([A-Za-z_]\w*))"),
        KERNEL_SYNTAX,
        "values have no attributes",
        lambda match: _attribute(re.fullmatch(r"(.*?)\.\s*(\w+)", match[0], re.DOTALL) or match),
    ),
    Habit(re.compile(r"(?P<at>&&)"), KERNEL_SYNTAX, "there is no operator '&&'", lambda _: "write `and`"),
    Habit(re.compile(r"(?P<at>\|\|)"), KERNEL_SYNTAX, "there is no operator '||'", lambda _: "write `or`"),
    Habit(
        re.compile(r"([^?]*)(?P<at>\?)([^:?]*):(.*)", re.DOTALL),
        KERNEL_SYNTAX,
        "there is no operator '?'",
        lambda match: f"write `{match[3].strip()} if {match[1].strip()} else {match[4].strip()}`",
    ),
    Habit(
        re.compile(r"(?<![.\w])(\w+)\s+(?P<at>is)\s+(not\s+)?None\b"),
        KERNEL_SYNTAX,
        "there is no operator 'is'",
        lambda match: f"write `{'' if match[3] else 'not '}given({match[1]})`",
    ),
    Habit(
        re.compile(r"(?<!\w)(\d+\.?\d*|\.\d+)(?P<at>[fFlLuU]+)\b"),
        KERNEL_SYNTAX,
        "numbers have no suffix",
        lambda match: f"write `{match[1]}`: a number takes the dtype of what it meets",
    ),
    Habit(
        re.compile(r"(?P<at>\bin)\s*[(\[]"),
        KERNEL_SYNTAX,
        "there is no operator 'in'",
        lambda _: "compare with each of the values, joined by `or`",
    ),
    Habit(
        re.compile(r"^\s*\w+\s*(?P<at>=)(?!=)"),
        KERNEL_SYNTAX,
        "expected a value, found '='",
        lambda _: "compare with `==`; a value is named by its key, `{name: value}`",
    ),
)


def explain_habit(value: str, offset: int) -> Problem | None:
    """Recognise a habit in ``value`` that the parser, which gave up at ``offset``, stumbled over."""
    return recognise(HABITS, value, offset)
