"""``opgen lint --statistics``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from opgen.diagnostics import Diagnostic, Severity


def statistics(diagnostics: Sequence[Diagnostic], *, as_json: bool) -> str:
    """Return the number of findings by code, the most frequent first; a star marks codes with a fixable finding.

    The severity is that of the worst finding, which may be lower than the code's.
    """
    codes = {diagnostic.code.id: diagnostic.code for diagnostic in diagnostics}
    counts = Counter(diagnostic.code.id for diagnostic in diagnostics)
    worst = {one.code.id: one.severity.value for one in sorted(diagnostics, key=_weight)}
    fixes = Counter(diagnostic.code.id for diagnostic in diagnostics if diagnostic.fix)
    by_count = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    if as_json:
        records = [
            {
                "code": id_,
                "name": codes[id_].name,
                "severity": worst[id_],
                "count": count,
                "fixes": fixes[id_],
            }
            for id_, count in by_count
        ]
        return json.dumps(records, indent=2) + "\n"
    width = max((len(str(count)) for count in counts.values()), default=0)
    lines = [
        f"{count:{width}}  {id_}  {'[*]' if fixes[id_] else '[ ]'}  {worst[id_]:7}  {codes[id_].name}\n"
        for id_, count in by_count
    ]
    return "".join(lines)


def _weight(diagnostic: Diagnostic) -> int:
    return -list(Severity).index(diagnostic.severity)
