"""The forms of ``tensors``, ``checks`` and ``dtypes``, whose texts are parsed by ``opgen.spec.language``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from opgen.source import Text
from opgen.spec.codes import BAD_NAME
from opgen.spec.dtypes import CLASSES, DTYPES
from opgen.spec.forms import TEXT, Form, mapping_of, matching, text_form
from opgen.spec.language import parse_condition, parse_dtype, parse_tensor_form
from opgen.spec.library import CheckEntry, TensorEntry
from opgen.spec.report import Report
from opgen.spec.tensor_spec import Dtype
from opgen.spec.yaml import Mapping, Node, Scalar, Sequence

_TENSOR_KEY = matching(
    "an argument, a named return, 'return' or 'return.0'",
    r"return\.[0-9]+|[A-Za-z_]\w*",
    "the names are those of the schema",
)
_SPEC = text_form("a text", 'write DTYPE [DIMS] between quotes, "float [n, d]"')
_MESSAGE = text_form("the message of the error", "write the message, or leave out the colon and the braces")
_SPECS = mapping_of(_SPEC, 'a mapping of arguments and returns to texts such as "float [n, d]"', _TENSOR_KEY)


def _read_tensors(node: Node, report: Report) -> tuple[TensorEntry, ...] | None:
    entries = []
    for key, text in _SPECS.read(node, report) or ():
        form, found = parse_tensor_form(text)
        report.diagnostics.extend(found)
        if form is not None:
            entries.append(TensorEntry(key, text, form))
    return tuple(entries)


TENSORS: Form[tuple[TensorEntry, ...]] = Form(_SPECS.name, _read_tensors, _SPECS.json)


def _read_checks(node: Node, report: Report) -> tuple[CheckEntry, ...] | None:
    if not isinstance(node, Sequence):
        report.wrong_type(node, CHECKS.name, 'write ["eps > 0"]')
        return None
    entries = []
    for item in _uncut(node.items):
        for condition, message in _conditions(item, report):
            parsed = _read_condition(condition, report)
            if parsed is not None:
                entries.append(replace(parsed, message=message))
    return tuple(entries)


def _uncut(items: Iterable[Node]) -> Iterator[Node]:
    """Yield the items of a list; of those that YAML has cut apart at a comma inside of parentheses, only the first."""
    open_ = 0
    for item in items:
        if not open_:
            yield item
        open_ = max(0, open_ + _left_open(item)) if isinstance(item, Scalar) and item.plain else 0


def _left_open(scalar: Scalar) -> int:
    return scalar.text.value.count("(") - scalar.text.value.count(")")


def _conditions(item: Node, report: Report) -> list[tuple[Scalar, str | None]]:
    """Return the conditions in an item of ``checks``, each with the author's message, which only a mapping has."""
    if isinstance(item, Scalar) and not item.is_missing:
        return [(item, None)]
    if not isinstance(item, Mapping):
        report.wrong_type(item, "a condition, or {condition: message}")
        return []
    messages = [(pair.key, _MESSAGE.read(pair.value, report.under(pair.key.text.value))) for pair in item.pairs]
    return [(key, message.value) for key, message in messages if message is not None]


def _read_condition(scalar: Scalar, report: Report) -> CheckEntry | None:
    condition, found = parse_condition(scalar.text)
    if found and scalar.plain and _left_open(scalar):
        cut = "a comma between brackets ends a text: put the whole condition between double quotes"
        found = [replace(diagnostic, help=cut) for diagnostic in found]
    report.diagnostics.extend(found)
    return None if condition is None else CheckEntry(scalar.text, condition)


_CHECK = {"anyOf": [TEXT.json, {"type": "object", "additionalProperties": _MESSAGE.json}]}
CHECKS: Form[tuple[CheckEntry, ...]] = Form("a list of conditions", _read_checks, {"type": "array", "items": _CHECK})


def _read_dtypes(node: Node, report: Report) -> dict[str, Dtype] | None:
    dtypes: dict[str, Dtype] = {}
    for name, text in _DTYPE_TEXTS.read(node, report) or ():
        if name.value in DTYPES or name.value in CLASSES:
            report.add(BAD_NAME, f"'{name.value}' is a dtype already", name.locate(), "choose another name for the set")
        dtype, found = parse_dtype(text)
        report.diagnostics.extend(found)
        if dtype is not None:
            dtypes[name.value] = dtype
    return dtypes


_DTYPE_TEXTS: Form[tuple[tuple[Text, Text], ...]] = mapping_of(TEXT, "a mapping of names to dtypes joined by '|'")
DTYPE_SETS: Form[dict[str, Dtype]] = Form(_DTYPE_TEXTS.name, _read_dtypes, _DTYPE_TEXTS.json)
