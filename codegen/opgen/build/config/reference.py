"""The reference page of the configuration and its JSON Schema, written from the settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from opgen.build.config.settings import (
    DEFAULT_EXCLUDE,
    Kind,
    LintSettings,
    Setting,
    Settings,
    SetuptoolsSettings,
    Table,
    settings_of,
)

Schema: TypeAlias = Mapping[str, Any]

_INTRODUCTION = """\
# Configuration

What a project says once instead of by options stands in `opgen.toml`, or in `pyproject.toml` under `[tool.opgen]`:

| `opgen.toml` | `pyproject.toml` |
|---|---|
| top level | `[tool.opgen]` |
| `[lint]` | `[tool.opgen.lint]` |
| | `[tool.opgen.setuptools]` |

```toml
# pyproject.toml
[tool.opgen]
extend-exclude = ["third_party"]

[tool.opgen.lint]
ignore = ["unstated-autograd"]
baseline = "opgen-baseline.json"

[tool.opgen.lint.per-file-ignores]
"ops/legacy/**" = ["OPG4"]
```

- **Which file.** The nearest one, from the project's folder (`-C`, by default this folder) upwards; in one folder
  `opgen.toml` wins. One file holds for a whole run. `--config FILE` names another, `--isolated` reads none.
- **Which wins.** An option on the command line, then its environment variable (`OPGEN_LINT_IGNORE`), then the file.
- **Mistakes.** An unknown setting or code is an error with its place, and the exit status is 2: nothing was linted.
- **Editors.** `opgen json-schema configuration > opgen.schema.json` writes a JSON Schema of `opgen.toml`; the first line
  `#:schema opgen.schema.json` names it for Even Better TOML and Taplo.

- **In a shell.** Verbs, options and their choices are completed once the shell's start-up file says so:

| shell | file | line |
|---|---|---|
| bash | `~/.bashrc` | `eval "$(_OPGEN_COMPLETE=bash_source opgen)"` |
| zsh | `~/.zshrc` | `eval "$(_OPGEN_COMPLETE=zsh_source opgen)"` |
| fish | `~/.config/fish/completions/opgen.fish` | `_OPGEN_COMPLETE=fish_source opgen \\| source` |

- **In a terminal and in logs.** Findings and tables go to stdout, progress to stderr: a bar on a terminal, a line a step elsewhere, nothing with `-q`. Colour is for terminals;
  `--color always` or `FORCE_COLOR=1` asks for it elsewhere, `NO_COLOR=1` forbids it. Lines of files are cut to the width of the terminal.
"""

_COMMENTS = """\
## Comments

A finding is silenced where it stands, by a comment that names its code:

```yaml
  - func: clamp_(Tensor(a!) x, int low=0.5) -> Tensor(a!)  # opgen: ignore[OPG400]
```

```cpp
m.def("clamp_(Tensor(a!) x, int low=0.5) -> Tensor(a!)");  // opgen: ignore[OPG400, default-type]
```

It holds for its line; on a line of its own, for the next one; on the first line of an op, for the whole op. A comment that
silences nothing is a warning (OPG195), so is one without codes or with an unknown one (OPG196).

This page is generated: `OPGEN_UPDATE_GOLDEN=1 pytest tests/build/test_config.py` writes it anew.
"""

_TYPES: Mapping[Kind, str] = {
    "texts": "list of texts",
    "text": "text",
    "lists by text": "table of lists of texts",
    "values by text": "table of texts and numbers",
}
_TEXTS: Schema = {"type": "array", "items": {"type": "string"}}
_SCHEMAS: Mapping[Kind, Schema] = {
    "texts": _TEXTS,
    "text": {"type": "string"},
    "lists by text": {"type": "object", "additionalProperties": _TEXTS},
    "values by text": {"type": "object", "additionalProperties": {"type": ["string", "integer", "boolean"]}},
}


def render_reference() -> str:
    """Render the Markdown page ``docs/configuration.md``."""
    return "\n".join(
        [
            _INTRODUCTION,
            *_table("", Settings),
            *_table("lint.", LintSettings),
            *_table("setuptools.", SetuptoolsSettings),
            _COMMENTS,
        ]
    )


def json_schema() -> Schema:
    """Return the JSON Schema (draft-07, which editors know) of ``opgen.toml`` and of ``[tool.opgen]``."""
    tables = {"lint": LintSettings, "setuptools": SetuptoolsSettings}
    inner = {
        name: {"type": "object", "additionalProperties": False, "properties": _properties(table)}
        for name, table in tables.items()
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "opgen",
        "description": "Configuration of opgen: opgen.toml, or [tool.opgen] in pyproject.toml",
        "type": "object",
        "additionalProperties": False,
        "properties": {**_properties(Settings), **inner},
    }


def _table(prefix: str, table: Table) -> Iterator[str]:
    for setting in settings_of(table).values():
        yield f"## `{prefix}{setting.name}`\n"
        yield f"{setting.meaning}\n"
        yield f"*{_TYPES[setting.kind]}; default: {_default(setting)}*\n"
        yield f"```toml\n{setting.name} = {setting.example}\n```\n"


def _default(setting: Setting) -> str:
    if setting.name == "exclude":
        return "`[" + ", ".join(f'"{pattern}"' for pattern in DEFAULT_EXCLUDE) + "]`"
    return {"select": '`["ALL"]`', "file": '`"ops.yaml"`'}.get(setting.name, "nothing")


def _properties(table: Table) -> dict[str, Schema]:
    return {
        setting.name: {"description": setting.meaning, **_SCHEMAS[setting.kind]}
        for setting in settings_of(table).values()
    }
