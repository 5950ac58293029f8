"""The settings of a project, from whose classes ``--help``, the reference page and the JSON Schema are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from opgen.records import dataclass

Kind: TypeAlias = Literal["texts", "text", "lists by text", "values by text"]

_METADATA = "setting"


class Setting(NamedTuple):
    """The description of a field that a configuration file may set.

    Attributes:
        name: its key, with hyphens.
        kind: the kind of its value.
        meaning: sentences for the page, of which the first is used for ``--help``.
        example: an example of the value as it is written in the file.
    """

    name: str
    kind: Kind
    meaning: str
    example: str


def _setting(kind: Kind, meaning: str, example: str, default: Any) -> Any:
    return field(default_factory=lambda: default, metadata={_METADATA: (kind, meaning, example)})


DEFAULT_EXCLUDE = (".*", "__pycache__", "build", "dist", "generated", "node_modules", "site-packages", "venv")


@dataclass(frozen=True, slots=True)
class LintSettings:
    """``[tool.opgen.lint]``, in ``opgen.toml`` ``[lint]``: what ``opgen lint`` reports."""

    select: tuple[str, ...] = _setting(
        "texts",
        "Codes to report, by id, by prefix of an id, or by name; `ALL` means every code. If `select` and `ignore` both "
        "match, the more specific entry wins.",
        '["OPG1", "OPG2", "maybe-out"]',
        ("ALL",),
    )
    ignore: tuple[str, ...] = _setting(
        "texts",
        "Codes not to report, in the same form as for `select`.",
        '["OPG501", "size-typed-int"]',
        (),
    )
    per_file_ignores: Mapping[str, tuple[str, ...]] = _setting(
        "lists by text",
        "Codes not to report in files that match a pattern. A pattern without a slash matches a name at any depth, any "
        "other a path relative to the configuration file; a folder matches everything in it.",
        '{"ops/legacy/**" = ["OPG4"], "bindings.cpp" = ["missing-fake"]}',
        MappingProxyType({}),
    )
    baseline: str = _setting(
        "text",
        "A file of known findings, which are not reported; `--write-baseline` writes it. Relative to the configuration "
        "file.",
        '"opgen-baseline.json"',
        "",
    )
    define: Mapping[str, str] = _setting(
        "values by text",
        "Macros that the build defines with `-D`, so that opgen can read C++ names that are made of macros. "
        "`TORCH_TARGET_VERSION` sets the oldest torch of a stable-ABI library, if no source states it.",
        '{TORCH_EXTENSION_NAME = "_C"}',
        MappingProxyType({}),
    )


@dataclass(frozen=True, slots=True)
class SetuptoolsSettings:
    """``[tool.opgen.setuptools]``, which makes setuptools build the library; see ``docs/packaging.md``."""

    file: str = _setting(
        "text",
        "The declaration that setuptools builds a library from. The table itself, even if empty, enables the build.",
        '"ops.yaml"',
        "ops.yaml",
    )


Table: TypeAlias = "type[Settings | LintSettings | SetuptoolsSettings]"


@dataclass(frozen=True, slots=True)
class Settings:
    """``[tool.opgen]``, in ``opgen.toml`` the top level.

    Attributes:
        root: the folder of the configuration file, to which patterns and files are relative.
        lint: the settings under ``lint``.
        setuptools: the settings under ``setuptools``; ``None`` without such a table.
    """

    root: Path = Path()
    exclude: tuple[str, ...] = _setting(
        "texts",
        "Files and folders to skip when a folder is read, by patterns as in `per-file-ignores`; replaces the default. "
        "Paths on the command line are always read.",
        '["third_party", "csrc/generated/**"]',
        DEFAULT_EXCLUDE,
    )
    extend_exclude: tuple[str, ...] = _setting(
        "texts", "Files and folders to skip in addition to `exclude`.", '["third_party"]', ()
    )
    lint: LintSettings = field(default_factory=LintSettings)
    setuptools: SetuptoolsSettings | None = None


def settings_of(table: Table) -> dict[str, Setting]:
    """Return the settings of a table, by the name of the field."""
    return {
        each.name: Setting(each.name.replace("_", "-"), *each.metadata[_METADATA])
        for each in fields(table)
        if _METADATA in each.metadata
    }
