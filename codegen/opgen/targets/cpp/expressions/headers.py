"""The parts of ``maths/`` and ``points/`` that a kernel includes: those whose names it mentions."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NAMES = {
    "maths/powers.h": ("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "pow"),
    "maths/trigonometry.h": (
        *("sin", "cos", "tan", "asin", "acos", "atan", "atan2"),
        *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    ),
    "maths/activations.h": ("erf", "erfc", "sigmoid", "silu", "gelu", "gelu_tanh", "softplus"),
    "points/reductions.h": ("Sum", "Prod", "Max", "Min", "Any", "All", "Argmax", "Argmin"),
    "points/types.h": ("in_types",),
}
_HEADER_OF = {name: header for header, names in _NAMES.items() for name in names}


def headers_of(body: Sequence[str]) -> list[str]:
    """Return the headers, relative to the library's folder."""
    mentioned = re.findall(r"\b(?:math|points)::(\w+)", "\n".join(body))
    return sorted({"points/tile.h", *(_HEADER_OF[name] for name in mentioned if name in _HEADER_OF)})
