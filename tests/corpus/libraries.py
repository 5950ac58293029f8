"""An ``ops.yaml`` for each repository of the corpus: its schemas, and nothing that a schema does not say."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from opgen.build.generate import Generated, generate
from opgen.diagnostics import Diagnostic, Severity

_FIRST_LINE = 5  # of the ops, in a declaration
ADAPTED = {"OPG214": {"side_effects": "true"}, "OPG406": {"abi": "classic"}}
"""What a finding asks of the declaration, where the schema can stay: an op that declares no effect has one, since its
author wrote it; a type that the stable ABI does not have is one of the classic ABI."""


@dataclass(frozen=True)
class Schema:
    """One schema of the corpus, and the keys that its declaration needs."""

    text: str
    keys: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """``name.overload``; two of one namespace with the same name can't be defined side by side."""
        return self.text.partition("(")[0].strip()

    def __str__(self) -> str:
        parts = [f"func: {json.dumps(self.text)}", *(f"{key}: {value}" for key, value in self.keys.items())]
        return f"{{{', '.join(parts)}}}"


@dataclass
class Library:
    """The schemas of one namespace of a repository, and what became of them.

    Attributes:
        refused: name of an op -> the first error.
        repeated: how many declarations repeat a name; most are the same op for another backend.
        rejected: how many PyTorch's own parser refuses.
    """

    repository: str
    namespace: str
    schemas: list[Schema]
    repeated: int = 0
    rejected: int = 0
    refused: dict[str, Diagnostic] = field(default_factory=dict)

    def declaration(self) -> str:
        """Write ``ops.yaml``, an op a line."""
        head = ["opgen: 1", f"namespace: {self.namespace}", "defaults: {autograd: none}"]
        return "\n".join([*head, "ops:" if self.schemas else "ops: []", *(f"  - {op}" for op in self.schemas), ""])

    def generate(self, folder: Path) -> Generated:
        """Generate from the schemas that can be expressed; the others go to ``refused``."""
        file = folder / "ops.yaml"
        while True:
            file.write_text(self.declaration(), encoding="utf-8")
            generated = generate(file)
            errors = [found for found in generated.diagnostics if found.severity is Severity.ERROR]
            if not errors:
                return generated
            self._amend(errors)

    def _amend(self, errors: list[Diagnostic]) -> None:
        found: dict[int, Diagnostic] = {}
        for error in errors:
            assert error.location is not None, error
            line = error.location.source.position(error.location.span.start).line
            found.setdefault(line - _FIRST_LINE, error)
        assert found.keys() <= set(range(len(self.schemas))), errors
        kept = []
        for place, schema in enumerate(self.schemas):
            error = found.get(place)
            keys = ADAPTED.get(error.code.id, {}) if error else {}
            if error is None or keys.items() - schema.keys.items():
                kept.append(replace(schema, keys={**schema.keys, **keys}))
            else:
                self.refused[schema.name] = error
        self.schemas = kept


def libraries(corpus: Path) -> Iterator[Library]:
    """Yield a library for each namespace of each repository."""
    rows: dict[tuple[str, str], list[tuple[str, bool]]] = {}
    for line in (corpus / "third_party_schemas.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        namespace, schema = _split(row["namespace"], row["schema"].strip())
        rows.setdefault((row["repo"], namespace), []).append((schema, row["cpp"] == "accept"))
    for (repository, namespace), declared in sorted(rows.items()):
        named: dict[str, Schema] = {}
        accepted = [Schema(text) for text, is_accepted in declared if is_accepted]
        for schema in accepted:
            named.setdefault(schema.name, schema)
        yield Library(
            repository, namespace, [*named.values()], len(accepted) - len(named), len(declared) - len(accepted)
        )


def reasons(library: Library) -> Counter[str]:
    """Count the codes of the refused."""
    return Counter(error.code.id for error in library.refused.values())


def _split(namespace: str | None, schema: str) -> tuple[str, str]:
    """Return namespace and schema; one that is missing, or a macro, becomes an identifier."""
    prefix = re.match(r"(\w+)::", schema)
    found = prefix[1] if prefix else re.sub(r"\W+", "_", namespace or "ops")
    return f"corpus_{found.strip('_').lower()}", schema[prefix.end() :] if prefix else schema
