"""OPG539: an op whose schema in a live process differs from the one in its source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Op
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, found_at
from opgen.schema.printer import print_schema

CODE = Code(
    id="OPG539",
    name="other-schema-in-process",
    severity=Severity.ERROR,
    summary="After importing `--module`, an op has a different schema than in the sources.",
    why=(
        "The sources then don't describe what callers, fakes and compiled graphs see: the binary is older than its "
        "sources, an unintended branch of `#if` was built, or another library defined the op first."
    ),
    remedy="build the library again, or read the sources that it was built from",
)

_SETS = re.compile(r"(?<=\w)\([\w|*]+!?(?: -> [\w|*]*)?\)")
"""Matches an alias annotation in a canonical schema, ``(a! -> b)``."""


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Compare each op with its definitions, one of which must equal the schema in the process."""
    for name, live in joined.live.items():
        read = [one for one in joined.ops[name].definitions if one.op is not None] if name in joined.ops else []
        if (
            live.op is not None
            and read
            and _same_for_all(live.op) not in {_same_for_all(one.op) for one in read if one.op}
        ):
            message = f"the process has another schema: `{print_schema(live.op.schema)}`"
            yield found_at(CODE, name, message, read[0].statement.schema.locate())


def _same_for_all(op: Op) -> str:
    """Return a schema with its alias sets numbered in order, since their names have no meaning."""
    numbers: dict[str, str] = {}

    def numbered(match: re.Match[str]) -> str:
        return re.sub(r"\w+", lambda word: numbers.setdefault(word[0], str(len(numbers))), match[0])

    return _SETS.sub(numbered, print_schema(op.schema))


RULE = RegistrationRule(CODE, check)
