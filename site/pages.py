"""What the site has beside ``docs/``: pages that stand elsewhere in the project, and those that are made from its code.

MkDocs calls the functions named ``on_...`` (https://www.mkdocs.org/user-guide/configuration/#hooks).
"""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Any

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from opgen.cli.group import VERBS, opgen
from opgen.diagnostics import Code
from opgen.rules.page import render_page
from opgen.rules.registry import all_codes

_PROJECT = Path(__file__).resolve().parents[1]

_ELSEWHERE = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "examples/migration/README.md": "migration.md",
}
"""Files of the project and the pages that they become."""

_CATEGORIES = {
    "1": "Syntax and YAML",
    "2": "Contracts",
    "3": "Names and style",
    "4": "Types and defaults",
    "5": "Registration",
    "6": "Compile and export",
    "7": "Breaking changes",
    "8": "Build and ABI",
}
"""What the first digit of a code stands for."""

_LINK_OR_CODE = re.compile(
    r"^`{3,}.*?^`{3,}$"
    r"|(?<!!)\[(?P<text>(?:`[^`]*`|[^]`])*)\]\((?P<target>(?![a-z]+:|#)[^)\s#]+)(?P<anchor>#[^)\s]*)?\)"
    r"|`[^`\n]+`",
    re.MULTILINE | re.DOTALL,
)
"""A link to a file of the project, or code, in which nothing is a link."""

_FENCE = re.compile(r"^(?P<fence>`{3,})(?P<language>\w+) (?:file=)?(?P<title>\S+)$", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that ``docs/`` does not hold."""
    made = {page: (_PROJECT / source).read_text(encoding="utf-8") for source, page in _ELSEWHERE.items()}
    made |= {f"rules/{code.id}.md": render_page(code) for code in all_codes()}
    made |= {"rules/index.md": _rules(), **_commands()}
    for page, text in made.items():
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Make links of the project those of the site, and fences what the theme understands."""
    written = {page: source for source, page in _ELSEWHERE.items()}
    source = PurePosixPath(written.get(page.file.src_uri, f"docs/{page.file.src_uri}")).parent
    folder = str(PurePosixPath(page.file.src_uri).parent)

    def link(found: re.Match[str]) -> str:
        if found["target"] is None:
            return found[0]
        target = normpath(f"{source}/{found['target']}")
        if target in _ELSEWHERE or (target.startswith("docs/") and target.endswith(".md")):
            inside = _ELSEWHERE.get(target) or target.removeprefix("docs/")
            return f"[{found['text']}]({relpath(inside, folder)}{found['anchor'] or ''})"
        # Readers of the site don't have the other files; a file that nobody has is left to MkDocs, which refuses it.
        return found["text"] if (_PROJECT / target).exists() else found[0]

    return _FENCE.sub(r'\g<fence>\g<language> title="\g<title>"', _LINK_OR_CODE.sub(link, markdown))


def _rules() -> str:
    """Return the list of all rules, a table a category."""
    lines = ["# Rules", "", "What opgen may report. `opgen explain CODE` shows the same page.", ""]
    for digit, codes in groupby(sorted(all_codes(), key=lambda code: code.id), lambda code: code.id[3]):
        lines += [f"## {_CATEGORIES[digit]}", "", "| code | name | severity | |", "|---|---|---|---|"]
        lines += [*map(_row, codes), ""]
    return "\n".join(lines)


def _row(code: Code) -> str:
    summary = code.summary.replace("|", "\\|")
    return f"| [{code.id}]({code.id}.md) | `{code.name}` | {code.severity.value} | {summary} |"


def _commands() -> dict[str, str]:
    """Return a page for each command, and one that lists them."""
    context = click.Context(opgen, info_name="opgen", terminal_width=80, **opgen.context_settings)
    head = ["# Commands", "", "```text", opgen.get_help(context), "```", "", "| command | |", "|---|---|"]
    rows = [f"| [opgen {verb}]({verb}.md) | {meaning} |" for verb, meaning in VERBS.items()]
    pages = {"commands/index.md": "\n".join([*head, *rows, ""])}
    for verb in VERBS:
        command = opgen.get_command(context, verb)
        assert command is not None  # noqa: S101 - for mypy: every verb has one
        help_ = command.get_help(click.Context(command, parent=context, info_name=verb))
        pages[f"commands/{verb}.md"] = f"# opgen {verb}\n\n```text\n{help_}\n```\n"
    return pages
