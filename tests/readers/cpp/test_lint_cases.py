import json
import os
import re
from pathlib import Path

import pytest

from opgen.readers.cpp import read_cpp
from opgen.readers.cpp.occurrences import autograd_functions, occurrences
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


@pytest.mark.parametrize("case", list(cases()))
def test_every_statement_of_a_case_is_read(case):
    sources = [Source(path, text) for path, text in case["files"].items() if not path.endswith(".py")]
    found = read_cpp(sources, {})
    assert len(found.definitions) == sum(source.text.count("m.def(") for source in sources)
    assert len(found.implementations) == sum(source.text.count("m.impl(") for source in sources)
    assert not found.unread
    assert all(one.function and one.function.parameters is not None for one in found.implementations)
    for expected in case["expect"]:
        if not expected["path"].endswith(".py"):
            lines = [(place.source.path, place.start.line, place.end.line) for place in places(found, sources)]
            assert any(path == expected["path"] and a <= expected["line"] <= b for path, a, b in lines)


def places(found, sources):
    """Where a rule could point: statements, heads of blocks, functions, autograd functions, pybind modules."""
    yield from (one.location for one in (*found.definitions, *found.implementations, *found.blocks))
    for source in sources:
        yield from (place for _, place in occurrences(source, re.compile("PYBIND11_MODULE")))
        for one in autograd_functions(source):
            yield from (one.location, one.forward.body.locate(), one.backward.body.locate())
    for one in (*found.definitions, *found.implementations):
        for function in (one.function, *one.function.alternatives) if one.function else ():
            yield function.location
            if function.body is not None:
                yield function.body.locate()
