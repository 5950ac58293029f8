"""The forms of values: each has a name for messages and docs, a reader of YAML nodes, and a JSON Schema."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from collections.abc import Mapping as MappingType
from difflib import get_close_matches
from typing import Generic, TypeAlias, TypeVar

from opgen.records import dataclass
from opgen.source import Text
from opgen.spec.codes import BAD_VALUE, DUPLICATE_NAME
from opgen.spec.report import Report, shorten
from opgen.spec.yaml import Mapping, Node, Scalar
from opgen.spec.yaml import Sequence as YamlList

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
R = TypeVar("R")
Word = TypeVar("Word", bound=str)
Json: TypeAlias = MappingType[str, object]
"""A JSON Schema, which only uses keywords that draft-07 and 2020-12 have in common."""


@dataclass(frozen=True, slots=True)
class Form(Generic[T_co]):
    """One way to write a value.

    Attributes:
        name: its name with an article, as in "expects a list of names".
        read: returns the value, or ``None`` after reporting the mistake. A list or mapping with a mistake in a part is
            returned without that part.
        json: the JSON Schema for editors; it accepts whatever ``read`` accepts, except texts with tags or odd numbers.
    """

    name: str
    read: Callable[[Node, Report], T_co | None]
    json: Json


def mapped(form: Form[T], convert: Callable[[T], R], name: str = "") -> Form[R]:
    """Return a form that converts the value of another one; ``convert`` must not fail."""

    def read(node: Node, report: Report) -> R | None:
        value = form.read(node, report)
        return None if value is None else convert(value)

    return Form(name or form.name, read, form.json)


def text_form(name: str, help_: str = "") -> Form[Text]:
    """Return a form for any text but an empty one."""

    def read(node: Node, report: Report) -> Text | None:
        if isinstance(node, Scalar) and node.text.value.strip():
            return node.text
        report.wrong_type(node, name, help_)
        return None

    # `1` and `yes` are texts here, though other YAML readers take them for a number and a bool.
    return Form(name, read, {"type": ["string", "number", "boolean"], "pattern": r"\S"})


TEXT = text_form("a text")
STRING = mapped(TEXT, lambda text: text.value)


def checked(name: str, is_right: Callable[[str], object], help_: str, json: Json, *, plain: bool = False) -> Form[Text]:
    """Return a form for a text that has to pass a test.

    Args:
        name: the form's name.
        is_right: the test.
        help_: the remedy for texts that fail it.
        json: the test as JSON Schema.
        plain: whether quotes are a mistake, as around a number.
    """

    def read(node: Node, report: Report) -> Text | None:
        if not isinstance(node, Scalar) or node.is_missing:
            report.wrong_type(node, name, help_)
            return None
        value = node.text.value
        if is_right(value) and (node.plain or not plain):
            return node.text
        quoted = "; leave out the quotes" if is_right(value) else ""
        report.add(BAD_VALUE, f"'{report.key}' expects {name}, found {shorten(value)}", node.location, help_ + quoted)
        return None

    return Form(name, read, json)


def matching(name: str, pattern: str, help_: str) -> Form[Text]:
    """Return a form for a text that matches a whole pattern, which must mean the same in Python and ECMAScript."""
    json = {"type": "string", "pattern": f"^({pattern})$"}
    return checked(name, re.compile(pattern, re.ASCII).fullmatch, help_, json)


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


FLAG = mapped(
    checked(
        "true or false", {"true", "false"}.__contains__, "write 'true' or 'false'", {"type": "boolean"}, plain=True
    ),
    lambda text: text.value == "true",
)
INTEGER = mapped(
    checked(
        "an integer",
        re.compile(r"-?[0-9]{1,18}", re.ASCII).fullmatch,
        "write digits only",
        {"type": "integer"},
        plain=True,
    ),
    lambda text: int(text.value),
)
NUMBER = mapped(
    checked("a number", _is_number, "write it as 0.01 or 1e-2", {"type": "number"}, plain=True),
    lambda text: float(text.value),
)
NAME = matching("a name", r"[A-Za-z_]\w*", "a name has letters, digits and '_'")
DOTTED_NAME = matching(
    "a dotted name",
    r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*",
    "write names of letters, digits and '_', joined by dots",
)
FILE = checked(
    "a file inside of the project",
    # The path is copied to an #include directive, so it must not contain what would end that.
    lambda path: path.isprintable() and not set(path) & set('"\\') and path[:1] != "/" and ".." not in path.split("/"),
    "write the path from the folder of the main file, with forward slashes and without quotes",
    {"type": "string", "pattern": r'^(?!/)(?!(.*/)?\.\.(/|$))[^"\\]*$'},
)
OP_NAME = matching(
    "the name of an op",
    r"([A-Za-z_]\w*::)?[A-Za-z_]\w*(\.\w+)?",
    "write 'name' or 'name.overload'",
)
_FUNCTION = r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(\.[A-Za-z_]\w*)*"
FUNCTION = matching(
    "a function as 'module:function'",
    _FUNCTION,
    "write the module, a colon and the function, 'tests.samples:boxes'",
)
CLASS = matching(
    "a class as 'module:Class'",
    _FUNCTION,
    "write the module, a colon and the class, 'mylib.masked:MaskedTensor'",
)


def function_or(word: str, meaning: str) -> Form[Text]:
    """Return a form for ``module:function``, or a word with a meaning of its own."""
    return matching(
        f"a function as 'module:function', or '{word}'",
        f"{word}|{_FUNCTION}",
        f"write the module, a colon and the function, 'mylib.rules:rms_norm', or '{word}' for {meaning}",
    )


def one_of(
    words: Sequence[str], hints: MappingType[str, str] | None = None, otherwise: str = "", name: str = ""
) -> Form[Text]:
    """Return a form for one of a few words.

    Args:
        words: the allowed words.
        hints: another word that people write -> the remedy.
        otherwise: the remedy for other mistakes.
        name: the form's name; by default it lists the words.
    """
    name = name or f"{', '.join(words[:-1])} or {words[-1]}"
    otherwise = otherwise or f"write {name}"
    by_lower = {each.lower(): each for each in words}

    def read(node: Node, report: Report) -> Text | None:
        if not isinstance(node, Scalar) or node.is_missing:
            report.wrong_type(node, name, otherwise)
            return None
        value = node.text.value
        if value in words:
            return node.text
        close = get_close_matches(value.lower(), by_lower, 1, 0.7)
        help_ = (hints or {}).get(value) or (f"did you mean '{by_lower[close[0]]}'?" if close else otherwise)
        report.add(BAD_VALUE, f"'{report.key}' expects {name}, found {shorten(value)}", node.location, help_)
        return None

    return Form(name, read, {"enum": list(words)})


def word(words: Sequence[Word], otherwise: str = "") -> Form[Word]:
    """Return a form for one of a few words, whose location is dropped."""
    by_name: dict[str, Word] = {each: each for each in words}
    return mapped(one_of(words, otherwise=otherwise), lambda text: by_name[text.value])


def list_of(form: Form[T], name: str, *, unique: bool = False) -> Form[tuple[T, ...]]:
    """Return a form for a list; with ``unique`` a text that occurs twice is a mistake."""

    def read(node: Node, report: Report) -> tuple[T, ...] | None:
        if not isinstance(node, YamlList):
            help_ = f"write [{node.text.value}]" if isinstance(node, Scalar) and not node.is_missing else ""
            report.wrong_type(node, name, help_)
            return None
        if unique:
            _report_repeated(node, report)
        values = (form.read(item, report) for item in node.items)
        return tuple(value for value in values if value is not None)

    return Form(name, read, {"type": "array", "items": form.json, **({"uniqueItems": True} if unique else {})})


def _report_repeated(node: YamlList, report: Report) -> None:
    seen: set[str] = set()
    for item in node.items:
        if isinstance(item, Scalar):
            if item.text.value in seen:
                message = f"{shorten(item.text.value)} stands twice in '{report.key}'"
                report.add(DUPLICATE_NAME, message, item.location)
            seen.add(item.text.value)


def mapping_of(form: Form[T], name: str, key: Form[Text] = NAME) -> Form[tuple[tuple[Text, T], ...]]:
    """Return a form for a mapping with arbitrary keys, which is read as pairs in the order of the file."""

    def read(node: Node, report: Report) -> tuple[tuple[Text, T], ...] | None:
        if not isinstance(node, Mapping):
            report.wrong_type(node, name)
            return None
        pairs = []
        for pair in node.pairs:
            key_text = key.read(pair.key, report)
            value = form.read(pair.value, report.under(pair.key.text.value))
            if key_text is not None and value is not None:
                pairs.append((key_text, value))
        return tuple(pairs)

    return Form(name, read, {"type": "object", "propertyNames": key.json, "additionalProperties": form.json})


def dictionary_of(form: Form[T], name: str, key: Form[Text] = NAME) -> Form[dict[str, T]]:
    """Return a form as ``mapping_of``, read as a dictionary without the locations of keys."""
    return mapped(mapping_of(form, name, key), lambda pairs: {key_text.value: value for key_text, value in pairs})


def either(first: Form[T], second: Form[R], is_second: Callable[[Node], bool]) -> Form[T | R]:
    """Return a form that is the second if ``is_second`` of the node, else the first."""

    def read(node: Node, report: Report) -> T | R | None:
        return second.read(node, report) if is_second(node) else first.read(node, report)

    return Form(f"{first.name}, or {second.name}", read, {"anyOf": [first.json, second.json]})


def is_mapping(node: Node) -> bool:
    """Whether a node is a mapping."""
    return isinstance(node, Mapping)
