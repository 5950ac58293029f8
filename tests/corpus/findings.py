"""What the linter finds in the schemas of public libraries: a table by repository, and one by rule.

    python tests/corpus/findings.py CORPUS [--list CODE]

Of registrations the corpus has schemas alone, so the rules over kernels, fakes and tags have nothing to judge here.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from opgen.diagnostics import Diagnostic, Severity
from opgen.readers.registrations import Definition, Registrations
from opgen.rules.registrations.joined import join
from opgen.rules.registrations.schemas import schema_findings
from opgen.source import Source, Text


def findings(corpus: Path) -> dict[str, list[Diagnostic]]:
    """Judge the schemas of each repository together; of its findings, none for some."""
    definitions: dict[str, list[Definition]] = {}
    for line in (corpus / "third_party_schemas.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        definitions.setdefault(row["repo"], []).append(_definition(row))
    return {repository: list(_judged(defined)) for repository, defined in definitions.items()}


def _definition(row: dict[str, str]) -> Definition:
    source = Source(f"{row['path']}:{row['line']}", row["schema"])
    text = Text(source.text, source)
    namespace = re.sub(r"\W+", "_", row["namespace"] or "ops").strip("_")
    return Definition(
        namespace=namespace,
        schema=text,
        form=row["form"],
        location=text.locate(),
        language="python" if row["path"].endswith(".py") else "cpp",
        inferred=row["form"] == "python custom_op",
    )


def _judged(definitions: Sequence[Definition]) -> Iterator[Diagnostic]:
    yield from schema_findings(join(Registrations(tuple(definitions))))


def by_repository(found: dict[str, list[Diagnostic]]) -> Iterator[Sequence[str]]:
    """Yield the rows of a table: how many findings of each code, most first."""
    yield ("repository", "errors", "warnings", "findings by code")
    rows = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    for repository, diagnostics in rows:
        counts = Counter(one.code.id for one in diagnostics)
        codes = ", ".join(
            f"{code} {count}" for code, count in sorted(counts.items(), key=lambda item: (-item[1], item))
        )
        yield (repository, *_weights(diagnostics), codes)
    yield ("all", *_weights([one for diagnostics in found.values() for one in diagnostics]), "")


def by_rule(found: dict[str, list[Diagnostic]]) -> Iterator[Sequence[str]]:
    """Yield the rows of a table: how many findings, in how many repositories."""
    yield ("code", "rule", "severity", "findings", "repositories")
    codes = {one.code.id: one.code for diagnostics in found.values() for one in diagnostics}
    for _, code in sorted(codes.items()):
        counts = [sum(one.code is code for one in diagnostics) for diagnostics in found.values()]
        yield (code.id, code.name, code.severity.value, str(sum(counts)), str(sum(count > 0 for count in counts)))


def _weights(diagnostics: Sequence[Diagnostic]) -> tuple[str, str]:
    counts = Counter(one.severity for one in diagnostics)
    return str(counts[Severity.ERROR]), str(counts[Severity.WARNING])


def table(rows: Iterable[Sequence[str]]) -> str:
    """Write rows as a table of Markdown, the first one being its heads."""
    heads, *rest = rows
    return "".join(f"| {' | '.join(row)} |\n" for row in (heads, ["---"] * len(heads), *rest))


def main() -> None:
    """Print the tables, or the findings of one code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--list", metavar="CODE", help="show the findings of this code instead")
    options = parser.parse_args()
    found = findings(options.corpus)
    if options.list is None:
        sys.stdout.write(f"{table(by_repository(found))}\n{table(by_rule(found))}")
        return
    for repository, diagnostics in found.items():
        for one in diagnostics:
            if one.code.id == options.list and one.location is not None:
                source = one.location.source
                sys.stdout.write(f"{repository}/{source.path}: {one.message}\n    {' '.join(source.text.split())}\n")


if __name__ == "__main__":
    main()
