"""Every case of a folder of lint cases: what must be found is found, and nothing else in clean ones.

``OPGEN_CASES`` names the folder, whose ``lint_cases.jsonl`` holds one small source tree a line with what is expected.
"""

import json
import os
from pathlib import Path

import pytest

from opgen.build.collect import collect
from opgen.build.lint.run import lint
from opgen.build.lint.selection import Selection
from opgen.diagnostics import Severity
from opgen.schema.parser import parse_schema

CASES = os.environ.get("OPGEN_CASES", "")
pytestmark = pytest.mark.skipif(not CASES, reason="OPGEN_CASES names no folder of lint cases")


def cases():
    if not CASES:
        return
    for line in Path(CASES, "lint_cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        yield pytest.param(case, id=case["id"])


@pytest.mark.parametrize("case", list(cases()))
def test_a_case_holds(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if case["form"] == "schema":
        (path, text), *_ = case["files"].items()
        assert (parse_schema(text.strip()).schema is not None) == (case["cpp_parser"] == "accept")
        declaration = f"opgen: 1\nnamespace: {namespace_of(case)}\nops:\n  - func: {json.dumps(text.strip())}\n"
        Path("ops.yaml").write_text(declaration, encoding="utf-8")
        found = [as_of(one, path) for one in findings()]
        if not case["clean"] and not case["expect"]:
            return
    else:
        for path, text in case["files"].items():
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).write_text(text, encoding="utf-8")
        found = findings()
    for expected in case["expect"]:
        assert any(meets(one, expected) for one in found), (expected, found)
    assert not case["clean"] or not [one for one in found if one["severity"] != Severity.INFO.value], found


def namespace_of(case):
    return next((entry["op"].partition("::")[0] for entry in case["expect"] if entry["op"]), "mylib")


def findings():
    return [
        {
            "severity": one.severity.value,
            "path": one.location.source.path if one.location else None,
            "lines": (one.location.start.line, one.location.end.line) if one.location else (0, 0),
            "op": one.op,
            "words": f"{one.message} {one.help}".lower(),
            "code": one.code.name,
        }
        for one in lint(collect([Path()]), Selection()).reported
    ]


def as_of(finding, path):
    return {**finding, "path": path, "lines": (1, 1)}


def meets(finding, expected):
    first, last = finding["lines"]
    return (
        finding["severity"] == expected["severity"]
        and finding["path"] == expected["path"]
        and first <= expected["line"] <= last
        and expected["op"] in (None, finding["op"])
        and all(word.lower() in finding["words"] for word in expected["mention"])
    )
