"""Reads settings from a TOML file, and reports every mistake in it with its location."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from opgen.build.config.codes import CONFIG_SYNTAX, UNKNOWN_SETTING, WRONG_SETTING
from opgen.build.config.discover import PROJECT_FILE
from opgen.build.config.places import key_place
from opgen.build.config.settings import Kind, LintSettings, Setting, Settings, SetuptoolsSettings, Table, settings_of
from opgen.diagnostics import Code, Diagnostic
from opgen.records import dataclass
from opgen.source import Location, Source, Span
from opgen.spec.yaml import read_source

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_AT = re.compile(r"\(at line (\d+), column (\d+)\)")
_EXPECTED: dict[Kind, str] = {
    "texts": "a list of texts",
    "text": "a text",
    "lists by text": "a table of lists of texts",
    "values by text": "a table of texts and numbers",
}


def read_settings(file: Path) -> tuple[Settings, Source | None, list[Diagnostic]]:
    """Read a configuration; a setting with a mistake keeps its default.

    Returns:
        The settings, the file's text (``None`` if it can't be read), and the diagnostics.
    """
    source, found = read_source(file)
    if source is None:
        return Settings(file.parent), None, found
    try:
        document = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        return Settings(file.parent), source, [_syntax(source, error)]
    prefix: tuple[str, ...] = ()
    if file.name == PROJECT_FILE:
        prefix, document = ("tool", "opgen"), document.get("tool", {}).get("opgen", {})
    reader = _Reader(source)
    values = reader.table(document, prefix, Settings, {"lint", "setuptools"})
    lint = LintSettings(**reader.table(document.get("lint", {}), (*prefix, "lint"), LintSettings, set()))
    built = None
    if "setuptools" in document:
        built = SetuptoolsSettings(
            **reader.table(document["setuptools"], (*prefix, "setuptools"), SetuptoolsSettings, set())
        )
    return Settings(file.parent, lint=lint, setuptools=built, **values), source, reader.found


def _syntax(source: Source, error: tomllib.TOMLDecodeError) -> Diagnostic:
    at = _AT.search(str(error))
    end = len(source.text.rstrip())
    offset = end
    if at:
        lines = source.text.split("\n")[: int(at[1]) - 1]
        offset = min(sum(len(line) + 1 for line in lines) + int(at[2]) - 1, end)
    message = f"no valid TOML: {_AT.sub('', str(error)).replace('(at end of document)', '').strip()}"
    place = Location(source, Span(offset, min(offset + 1, len(source.text))))
    return Diagnostic(CONFIG_SYNTAX, message[:1].lower() + message[1:], place, CONFIG_SYNTAX.remedy)


@dataclass
class _Reader:
    source: Source
    found: list[Diagnostic] = field(default_factory=list)

    def table(self, table: object, name: Sequence[str], kind: Table, inner: set[str]) -> dict[str, Any]:
        """Return the values of the fields that a table sets, and report mistakes in it."""
        settings = {setting.name: (attribute, setting) for attribute, setting in settings_of(kind).items()}
        shown = ".".join(name) or "the top level"
        if not isinstance(table, Mapping):
            self._report(WRONG_SETTING, f"'{shown}' expects a table, found {_described(table)}", name[:-1], name[-1])
            return {}
        values = {}
        for key, value in table.items():
            if key in settings:
                attribute, setting = settings[key]
                read = _VALUES[setting.kind](value)
                if read is None:
                    self._wrong(setting, value, name)
                else:
                    values[attribute] = read
            elif key not in inner:
                choices = [*settings, *inner]
                close = get_close_matches(key.replace("_", "-"), choices, 1)
                help_ = f"did you mean '{close[0]}'?" if close else f"it takes {', '.join(sorted(choices))}"
                self._report(UNKNOWN_SETTING, f"unknown setting '{key}' in {shown}", name, key, help_)
        return values

    def _wrong(self, setting: Setting, value: object, table: Sequence[str]) -> None:
        message = f"'{setting.name}' expects {_EXPECTED[setting.kind]}, found {_described(value)}"
        self._report(
            WRONG_SETTING, message, table, setting.name, f"write it as in `{setting.name} = {setting.example}`"
        )

    def _report(self, code: Code, message: str, table: Sequence[str], key: str, help_: str = "") -> None:
        self.found.append(Diagnostic(code, message, key_place(self.source, table, key), help_ or code.remedy))


def _texts(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return None
    return tuple(value)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _lists(value: object) -> dict[str, tuple[str, ...]] | None:
    if not isinstance(value, dict):
        return None
    lists = {key: _texts(item) for key, item in value.items()}
    return {key: item for key, item in lists.items() if item is not None} if None not in lists.values() else None


def _values(value: object) -> dict[str, str] | None:
    """Return macros and their values, ``true`` as 1, as in ``-DNAME``; ``None`` if the value has another form."""
    if not isinstance(value, dict) or not all(isinstance(item, str | int) for item in value.values()):
        return None
    return {key: str(int(item)) if isinstance(item, bool) else str(item) for key, item in value.items()}


_VALUES = {"texts": _texts, "text": _text, "lists by text": _lists, "values by text": _values}


def _described(value: object) -> str:
    match value:
        case str():
            return f"the text '{value}'"
        case bool():
            return f"the word {str(value).lower()}"
        case int() | float():
            return f"the number {value}"
        case list():
            other = [one for one in value if not isinstance(one, str)]
            return f"a list with {_described(other[0])}" if other else "a list"
        case dict():
            return "a table"
        case _:
            return "a date or time"
