"""Codes of mistakes in a configuration file."""

from __future__ import annotations

from opgen.diagnostics.codes import Code, Example, Severity

_GOOD = Example('[lint]\nignore = ["OPG501"]\n', path="opgen.toml")


def _code(number: int, name: str, summary: str, why: str, remedy: str, bad: str | None = None) -> Code:  # noqa: PLR0913, PLR0917 - one row
    example = Example(bad, path="opgen.toml") if bad else None
    return Code(f"OPG{number}", name, Severity.ERROR, summary, why, remedy, example, _GOOD)


CONFIG_SYNTAX = _code(
    190,
    "config-syntax",
    "The configuration is not valid TOML, or can't be read.",
    "Without the project's settings, nothing is linted. Source: toml.io, version 1.0.",
    "repair the marked line, or leave the file out by `--isolated`",
    '[lint]\nignore = ["OPG501"\n',
)
UNKNOWN_SETTING = _code(
    191,
    "unknown-setting",
    "There is no such setting.",
    "It would silently have no effect.",
    "use a setting of docs/configuration.md",
    '[lint]\nignores = ["OPG501"]\n',
)
WRONG_SETTING = _code(
    192,
    "wrong-setting",
    "A setting has a value of the wrong form.",
    "A text in place of a list is usually a list with one element that lacks its brackets.",
    "write the value as in the example",
    '[lint]\nignore = "OPG501"\n',
)
UNKNOWN_SELECTOR = _code(
    193,
    "unknown-selector",
    "A list of codes contains one that does not exist.",
    "A misspelt code selects, or ignores, nothing.",
    "write an id, the beginning of ids, or a name; `opgen rules` lists them",
    '[lint]\nignore = ["OPG9"]\n',
)
