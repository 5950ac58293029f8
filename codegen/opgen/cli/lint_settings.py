"""The settings of a run of ``opgen lint``: those in the configuration, and options that override them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

import click

from opgen.build.config.discover import discover
from opgen.build.config.settings import LintSettings, Settings, settings_of
from opgen.cli.options import Option
from opgen.diagnostics import Diagnostic
from opgen.records import dataclass
from opgen.source import Source

_COMMAS = "Separated by commas, or given several times."


@dataclass(frozen=True, slots=True)
class Given:
    """The settings on the command line.

    Attributes:
        config: the configuration file of ``--config``.
        isolated: whether ``--isolated`` is given, so that no configuration is read.
        values: field of `Settings` -> value; only fields with an option on the command line.
        lint_values: the same for fields of `LintSettings`.
    """

    config: Path | None = None
    isolated: bool = False
    values: Mapping[str, Any] = field(default_factory=dict)
    lint_values: Mapping[str, Any] = field(default_factory=dict)


def settings_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add an option for each setting, ``--config`` and ``--isolated``; the function gets them as ``given``."""
    per_file = _setting_option(LintSettings, "per_file_ignores", "PATTERN=CODES", _lists)
    return per_file(_setting_option(LintSettings, "baseline", "FILE", None)(reading_options(function)))


def reading_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of the settings that select files and, for all files, codes."""

    @_setting_option(LintSettings, "select", "CODES", _commas, _COMMAS)
    @_setting_option(LintSettings, "ignore", "CODES", _commas, _COMMAS)
    @define_option
    @_setting_option(Settings, "exclude", "PATTERNS", _commas)
    @_setting_option(Settings, "extend_exclude", "PATTERNS", _commas)
    @click.option(
        "--config",
        cls=Option,
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        metavar="FILE",
        help="The configuration; by default the nearest opgen.toml, or pyproject.toml with [tool.opgen], in the "
        "project's folder or above.",
    )
    @click.option("--isolated", cls=Option, is_flag=True, help="Read no configuration.")
    @functools.wraps(function)
    def wrapper(*args: Any, config: Path | None, isolated: bool, **rest: Any) -> Any:
        lint_values, values = (
            {name: value for name in settings_of(table) if (value := rest.pop(name, None))}
            for table in (LintSettings, Settings)
        )
        return function(*args, given=Given(config, isolated, values, lint_values), **rest)

    return wrapper


def resolve(given: Given, folder: Path) -> tuple[Settings, list[Diagnostic]]:
    """Return the settings of a run in ``folder``, and diagnostics about the configuration.

    Raises:
        click.UsageError: an option names a code that does not exist.
    """
    settings, source, found = Settings(folder), None, list[Diagnostic]()
    if not given.isolated:
        file = given.config or discover(folder)
        if file is not None:
            from opgen.build.config.read import read_settings  # only if there is a configuration

            settings, source, found = read_settings(file)
            found += _unknown_codes(settings, source)
    for entry, help_ in _unknown(_entries(given.lint_values)):
        raise click.UsageError(f"there is no code '{entry}'; {help_}")
    lint_values = dict(given.lint_values)
    if "baseline" in lint_values:
        lint_values["baseline"] = str((folder / lint_values["baseline"]).absolute())
    return replace(settings, lint=replace(settings.lint, **lint_values), **given.values), found


def _unknown_codes(settings: Settings, source: Source | None) -> Iterator[Diagnostic]:
    from opgen.build.config.codes import UNKNOWN_SELECTOR
    from opgen.build.config.places import value_place

    lint = settings.lint
    lists = {"select": lint.select, "ignore": lint.ignore, "per-file-ignores": _flat(lint.per_file_ignores)}
    for key, entries in lists.items():
        for entry, help_ in _unknown(entries):
            if source is not None:
                prefix = ("tool", "opgen") if source.path.endswith("pyproject.toml") else ()
                place = value_place(source, (*prefix, "lint"), key, entry)
                yield Diagnostic(UNKNOWN_SELECTOR, f"'{key}' names '{entry}', which is no code", place, help_)


def _unknown(entries: Iterable[str]) -> list[tuple[str, str]]:
    unusual = [entry for entry in entries if entry != "ALL"]
    if not unusual:
        return []
    from opgen.build.lint.selection import unknown_entries
    from opgen.rules.registry import all_codes

    return list(unknown_entries(unusual, all_codes()))


def _entries(values: Mapping[str, Any]) -> Iterator[str]:
    yield from values.get("select", ())
    yield from values.get("ignore", ())
    yield from _flat(values.get("per_file_ignores", {}))


def _flat(lists: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(entry for entries in lists.values() for entry in entries)


def _setting_option(  # noqa: PLR0917 - what a row of the list above says
    table: type[Settings | LintSettings],
    name: str,
    metavar: str,
    read: Callable[[click.Context, click.Parameter, tuple[str, ...]], Any] | None,
    more: str = "",
    short: str = "",
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the decorator that adds the option of a setting, with the first sentence of its meaning as help."""
    setting = settings_of(table)[name]
    help_ = f"{setting.meaning.partition('. ')[0].rstrip('.')}. {more}".strip()
    names = [*([short] if short else []), f"--{setting.name}", name]
    return click.option(*names, cls=Option, metavar=metavar, multiple=read is not None, callback=read, help=help_)


def _commas(_ctx: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


def _lists(_ctx: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    lists: dict[str, tuple[str, ...]] = {}
    for value in values:
        pattern, sign, codes = value.rpartition("=")
        if not (pattern and sign and codes):
            raise click.BadParameter(f"expected PATTERN=CODES, found '{value}'")
        lists[pattern] = (*lists.get(pattern, ()), *_commas(_ctx, _parameter, (codes,)))
    return lists


def _macros(_ctx: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Return macros with their values, as a compiler reads them: without a value it is 1."""
    macros = {}
    for value in values:
        name, sign, text = value.partition("=")
        if not name.isidentifier():
            raise click.BadParameter(f"expected NAME or NAME=VALUE, found '{value}'")
        macros[name] = text if sign else "1"
    return macros


define_option = _setting_option(LintSettings, "define", "NAME=VALUE", _macros, short="-D")
