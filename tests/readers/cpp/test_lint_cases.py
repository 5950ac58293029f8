import json
import os
from pathlib import Path

import pytest

from opgen.readers.cpp import read_cpp
from opgen.source import Source

CASES = os.environ.get("OPGEN_CASES", "")
pytestmark = pytest.mark.skipif(not CASES, reason="OPGEN_CASES names no folder of lint cases")


def cases():
    if not CASES:
        return
    for line in Path(CASES, "lint_cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["form"] in ("cpp", "pair"):
            yield pytest.param(case, id=case["id"])


@pytest.mark.parametrize("case", cases())
def test_every_statement_of_a_case_is_read(case):
    sources = [Source(path, text) for path, text in case["files"].items() if not path.endswith(".py")]
    found = read_cpp(sources, {})
    assert len(found.definitions) == sum(source.text.count("m.def(") for source in sources)
    assert len(found.implementations) == sum(source.text.count("m.impl(") for source in sources)
    assert not found.unread
    assert all(one.function and one.function.parameters is not None for one in found.implementations)
    for expected in case["expect"]:
        places = [place for one in found.definitions for place in (one.location, one.function and one.function.location)]
        for one in found.implementations:
            places += [one.location, one.function.location, one.function.body.locate()]
        covered = [(p.source.path, p.start.line, p.end.line) for p in places if p is not None]
        if not expected["path"].endswith(".py"):
            assert any(path == expected["path"] and a <= expected["line"] <= b for path, a, b in covered)
