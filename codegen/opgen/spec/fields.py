"""Describes the keys of a mapping as data, and reads the values of a mapping by such a table."""

from __future__ import annotations

import re
from collections.abc import Mapping as MappingType
from dataclasses import field
from difflib import get_close_matches
from typing import Any, Generic, TypeVar, cast

from opgen.diagnostics import fix_text, has_errors
from opgen.records import dataclass
from opgen.source import Location, Span
from opgen.spec.codes import MISSING_KEY, UNKNOWN_KEY
from opgen.spec.forms import Form, Json
from opgen.spec.report import Report
from opgen.spec.yaml import Mapping, Node, Scalar

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")


@dataclass(frozen=True, slots=True)
class Key(Generic[T_co]):
    """One key of the format.

    Attributes:
        name: the key.
        form: the form of its value.
        meaning: one or two sentences for the reference page.
        example: a value as it is written in a file.
        default: the behaviour without the key, in words.
        required: whether leaving it out is a mistake.
        inheritable: whether it may be set under ``defaults``.
        not_generated: the values that this release reads but can't generate code for, in words, as the object of
            "refuses"; empty if there are none.
    """

    name: str
    form: Form[T_co]
    meaning: str
    example: str
    default: str = "not stated"
    required: bool = False
    inheritable: bool = False
    not_generated: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """All keys of one kind of mapping.

    Attributes:
        what: the mapping in words, with an article, for messages.
        keys: all keys that it may have.
        hints: key that doesn't exist but that people write -> what to do instead.
        renamed: key that doesn't exist but that people write -> the key that it is called here.
    """

    what: str
    keys: tuple[Key[Any], ...]
    hints: MappingType[str, str] = field(default_factory=dict)
    renamed: MappingType[str, str] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The names of the keys, in the order of the reference page."""
        return [key.name for key in self.keys]

    @property
    def json(self) -> Json:
        """The mapping as a JSON Schema, with the sentences of the reference page as descriptions."""
        return {
            "type": "object",
            "properties": {key.name: {"description": _description(key), **key.form.json} for key in self.keys},
            "required": [key.name for key in self.keys if key.required],
            "additionalProperties": False,
        }


def _description(key: Key[Any]) -> str:
    meaning = _LINK.sub(r"\1", key.meaning)
    return meaning if key.required else f"{meaning} Default: {key.default}."


class Fields:
    """The values of one mapping, each read once, by the table of its keys.

    A misspelt key is reported, and its value is read as that of the intended key, so that mistakes in the value are
    found in the same run.
    """

    def __init__(self, node: Mapping, table: Table, report: Report, fallback: Fields | None = None) -> None:
        """Report unknown and missing keys; ``fallback`` are the ``defaults``, for keys that this mapping lacks."""
        self.node = node
        self.written: dict[str, Location] = {}
        self._table = table
        self._report = report
        self._fallback = fallback
        self._nodes: dict[str, Node] = {}
        self._values: dict[str, object] = {}
        self._wrong: set[str] = set()
        names = set(table.names)
        written = {pair.key.text.value for pair in node.pairs}
        for pair in node.pairs:
            name: str | None = pair.key.text.value
            if name not in names:
                name = _report_unknown(pair.key, table, written, report)
            if name is not None:
                self._nodes[name] = pair.value
                self.written[name] = pair.key.location
        for key in table.keys:
            if key.required and key.name not in self._nodes and node.complete:
                message = f"{table.what} needs the key '{key.name}'"
                report.add(MISSING_KEY, message, _beginning(node), f"add '{key.name}: {key.example}'")

    def get(self, key: Key[T]) -> T | None:
        """Return the value of a key; ``None`` if the mapping lacks it, or after reporting that it can't be read."""
        if key.name not in self._nodes:
            return self._fallback.get(key) if self._fallback else None
        if key.name not in self._values:
            node, before = self._nodes[key.name], len(self._report.diagnostics)
            self._values[key.name] = key.form.read(node, self._report.under(key.name, key.example))
            if not node.is_whole or has_errors(self._report.diagnostics[before:]):
                self._wrong.add(key.name)
        return cast("T | None", self._values[key.name])

    @property
    def unread(self) -> frozenset[str]:
        """The keys, here or in the ``defaults``, whose values could not be read, in whole or in part.

        If pairs of the mapping were lost by a syntax error, that is every key. Only complete after all values were
        read.
        """
        lost = set() if self.node.complete else set(self._table.names) - self.written.keys()
        inherited = self._fallback.unread - self.written.keys() if self._fallback else set()
        return frozenset(self._wrong | lost | inherited)

    def read_all(self) -> None:
        """Read every value that is written here, so that all of them are checked."""
        for key in self._table.keys:
            if key.name in self._nodes:
                self.get(key)


def _report_unknown(key: Scalar, table: Table, written: set[str], report: Report) -> str | None:
    """Report a key that does not exist; return the one that was probably meant, or ``None``."""
    name = key.text.value
    meant = table.renamed.get(name) or _close(name, [each for each in table.names if each not in written])
    if name in table.hints:
        meant, help_ = None, table.hints[name]
    elif name in table.renamed:
        help_ = f"the key is '{meant}'"
    else:
        help_ = f"did you mean '{meant}'?" if meant else f"{table.what} takes {', '.join(table.names)}"
    meant = meant if meant not in written else None
    fix = fix_text(key.text, [(Span(0, len(name)), meant)], f"write `{meant}`") if meant else None
    report.add(UNKNOWN_KEY, f"unknown key '{name}' in {table.what}", key.location, help_, fix=fix)
    return meant


def _close(name: str, names: list[str]) -> str | None:
    return next(iter(get_close_matches(name.lower().replace("-", "_"), names, 1, 0.7)), None)


def _beginning(node: Mapping) -> Location:
    """Return the location of a mapping's first key, where missing keys are reported."""
    return node.pairs[0].key.location if node.pairs else node.location
