"""The form of the value of ``autograd``: a word, or formulas as in PyTorch's ``derivatives.yaml``."""

from __future__ import annotations

import re

from opgen.source import Span, Text
from opgen.spec.forms import TEXT, Form, either, is_mapping, mapped, mapping_of, matching, one_of
from opgen.spec.library import AutogradFormula

_ARGUMENTS = matching(
    "arguments, joined by commas",
    r"\s*[A-Za-z_]\w*(\s*,\s*[A-Za-z_]\w*)*\s*",
    'write the names of the schema, "q, k, v"',
)
_WORD = one_of(
    ("none", "composite", "error", "derived"),
    dict.fromkeys(("nothing", "null", "false", "no", "off"), "write 'none', 'composite', 'error' or 'derived'"),
    "write one of these words, or a mapping of arguments to formulas, {x: grad * y}",
)


def _formula(pair: tuple[Text, Text]) -> AutogradFormula:
    names, formula = pair
    arguments = (names.part(Span(*match.span())) for match in re.finditer(r"\w+", names.value))
    return AutogradFormula(tuple(arguments), formula)


_FORMULAS = mapped(
    mapping_of(TEXT, "a mapping of arguments to formulas", _ARGUMENTS), lambda pairs: tuple(map(_formula, pairs))
)
AUTOGRAD: Form[Text | tuple[AutogradFormula, ...]] = either(_WORD, _FORMULAS, is_mapping)
