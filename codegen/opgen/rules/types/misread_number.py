"""OPG402: a number that PyTorch's parser reads as another one, as ``0x10``, which is 0."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml, schema_fix
from opgen.schema.nodes import Default, ListDefault, ListType, NumberDefault
from opgen.schema.types import is_integer, without_optional

CODE = Code(
    id="OPG402",
    name="misread-number",
    severity=Severity.ERROR,
    summary="PyTorch reads the default as a different number.",
    why=(
        "The parser reads a number without a dot or a lower-case `e` as a decimal integer and stops at the first "
        "other character, so `1E5` is 1 and `0x10` is 0; it drops the last character of a complex number, so `12` is "
        "1j (`SchemaParser::parseSingleConstant` in `torch/csrc/jit/frontend/function_schema_parser.cpp`)."
    ),
    bad=ops_yaml("cut(Tensor x, int level=0x10) -> Tensor"),
    good=ops_yaml("cut(Tensor x, int level=16) -> Tensor"),
    remedy="write integers in base 10, fractions with a dot or a lower-case `e`, complex numbers with `j`",
)


def is_misread(default: Default) -> bool:
    """Whether a number's value is not what its text says in Python."""
    if not isinstance(default, NumberDefault):
        return False
    meant = _meant(default.text)
    return meant is not None and meant != default.value


def _meant(text: str) -> int | float | complex | None:
    compact = "".join(text.split()).lower()
    try:
        if "0x" in compact:
            return float.fromhex(compact)
        return (
            complex(compact) if compact.endswith("j") else float(compact) if set(".e") & set(compact) else int(compact)
        )
    except (ValueError, OverflowError):
        return None


def check(op: Op, _library: Library) -> Iterator[Diagnostic]:
    """Compare text and value of every number."""
    for argument in op.schema.arguments:
        default = argument.default
        if default is None:
            continue
        type_ = without_optional(argument.type)
        element = type_.element if isinstance(type_, ListType) else type_
        values = default.items if isinstance(default, ListDefault) else (default,)
        for value in values:
            if isinstance(value, NumberDefault) and is_misread(value):
                message = f"the default {value.text} of argument '{argument.name}' is read as {value.value}"
                meant = _meant(value.text)
                if isinstance(meant, float) and meant.is_integer() and is_integer(element):
                    meant = int(meant)
                fix = schema_fix(op, f"write `{meant}`", (value.span, str(meant)), applicability="unsafe")
                yield finding(CODE, op, message, value.span, help=f"write `{meant}`", fix=fix)


RULE = Rule(CODE, check)
