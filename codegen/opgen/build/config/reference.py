"""Writes the reference page of the configuration and its JSON Schema from the settings classes."""

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

Put a project's options into `opgen.toml`, or into `pyproject.toml` under `[tool.opgen]`:

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

- **Which file.** opgen reads the nearest file, from the project's folder (`-C`, by default the current one) upwards; if
  a folder has both, `opgen.toml` wins. One file applies to the whole run. `--config FILE` selects another file,
  `--isolated` ignores all.
- **Precedence.** A command-line option comes first, then its environment variable (`OPGEN_LINT_IGNORE`), then the file.
- **Mistakes.** An unknown setting or code is an error with its place. The exit status is then 2, and nothing is linted.
- **Editors.** `opgen json-schema configuration > opgen.schema.json` writes a JSON Schema of `opgen.toml`. Refer to it
  in the first line, `#:schema opgen.schema.json`, for Even Better TOML and Taplo.

- **Shell completion.** Add a line to the shell's start-up file to complete commands, options and their choices:

| shell | file | line |
|---|---|---|
| bash | `~/.bashrc` | `eval "$(_OPGEN_COMPLETE=bash_source opgen)"` |
| zsh | `~/.zshrc` | `eval "$(_OPGEN_COMPLETE=zsh_source opgen)"` |
| fish | `~/.config/fish/completions/opgen.fish` | `_OPGEN_COMPLETE=fish_source opgen \\| source` |

- **Output.** Findings and tables go to stdout. Progress goes to stderr: a bar on a terminal, one line per step
  elsewhere, nothing with `-q`. Colour is used on terminals only; `--color always` or `FORCE_COLOR=1` enables it
  elsewhere, `NO_COLOR=1` disables it. Source lines are cut to the width of the terminal.
"""

_COMMENTS = """\
## Comments

To suppress a finding, name its code in a comment at its place:

```yaml
  - func: clamp_(Tensor(a!) x, int low=0.5) -> Tensor(a!)  # opgen: ignore[OPG400]
```

```cpp
m.def("clamp_(Tensor(a!) x, int low=0.5) -> Tensor(a!)");  // opgen: ignore[OPG400, default-type]
```

The comment applies to its line; on a line of its own, to the next line; on the first line of an op, to the whole op. A
comment that suppresses nothing is a warning (OPG195), and so is one without codes or with an unknown code (OPG196).

This page is generated; `OPGEN_UPDATE_GOLDEN=1 pytest tests/build/test_config.py` rewrites it.
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
    """Return the JSON Schema (draft-07, which editors support) of ``opgen.toml`` and of ``[tool.opgen]``."""
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
