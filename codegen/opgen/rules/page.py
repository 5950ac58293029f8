"""The page of a code, which ``opgen explain`` shows and the reference contains."""

from __future__ import annotations

import re

from opgen.diagnostics import Code
from opgen.diagnostics.codes import Example

_LANGUAGES = {"py": "python", "yaml": "yaml", "cpp": "cpp", "txt": "text"}
_THREAD = re.compile(r"\b([\w.-]+/[\w.-]+)#(\d+)\b")
_PYTORCH_FILE = re.compile(r"`((?:torch|aten|c10|tools)/[\w./]+\.(?:py|cpp|h|yaml))`")


def render_page(code: Code) -> str:
    """Render the page in Markdown: summary, reason, bad example, good example, remedy, sources."""
    sections = [
        f"# {code.id}: {code.name}",
        f"Severity: **{code.severity.value}**",
        f"## What it reports\n\n{code.summary}",
        f"## Why is this bad?\n\n{code.why}",
    ]
    if code.bad is not None:
        sections.append(f"## Example\n\n{_block(code.bad)}")
    if code.good is not None:
        sections.append(f"Use instead:\n\n{_block(code.good)}")
    sections.append(f"## Remedy\n\n{code.remedy[:1].upper()}{code.remedy[1:]}.")
    references = _references(code.why)
    if references:
        sections.append("## References\n\n" + "\n".join(f"- {reference}" for reference in references))
    return "\n\n".join(sections) + "\n"


def _block(example: Example) -> str:
    if example.beside:
        return "\n\n".join(f"`{each.path}`:\n\n{_fenced(each)}" for each in (example, *example.beside))
    return _fenced(example)


def _fenced(example: Example) -> str:
    suffix = example.path.rpartition(".")[2]
    return f"```{_LANGUAGES.get(suffix, suffix)}\n{example.text.rstrip()}\n```"


def _references(why: str) -> list[str]:
    """Return links to the PyTorch source files and issues that a text mentions."""
    files = [f"[{path}](https://github.com/pytorch/pytorch/blob/main/{path})" for path in _PYTORCH_FILE.findall(why)]
    threads = [
        f"[{project}#{number}](https://github.com/{project}/issues/{number})"
        for project, number in _THREAD.findall(why)
    ]
    return list(dict.fromkeys([*files, *threads]))
