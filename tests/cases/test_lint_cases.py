"""Every lint case holds: what must be found is found, and nothing else in clean ones.

``OPGEN_CASES`` names a folder whose ``lint_cases.jsonl`` holds one small source tree a line with what is expected. The cases of
``lint/`` are other faces of the same kinds of mistakes, and judged more strictly: nothing is found beside what is expected.
There ``schemas.txt`` holds schemas, the other files trees, where an expectation is ``severity [path:]line op word ...``; ``-`` is
no op, and of one file the path may be left out.
"""

import json
import os
import shlex
from pathlib import Path

import pytest
import yaml

from opgen.build.collect import collect
from opgen.build.lint.run import lint
from opgen.build.lint.selection import Selection
from opgen.diagnostics import Severity
from opgen.schema.parser import parse_schema

CASES = os.environ.get("OPGEN_CASES", "")
OWN = Path(__file__).parent / "lint"
PATHS = {"ops": "ops.yaml", "cpp": "csrc/ops.cpp", "cu": "csrc/ops.cu", "python": "mylib/ops.py"}
HEADS = {"ops": "opgen: 1\nnamespace: mylib\nops:\n", "python": "import torch\n"}


def cases():
    if not CASES:
        return
    for line in Path(CASES, "lint_cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        yield pytest.param(case, id=case["id"])


def own_schemas():
    kind, schemas = "", {}
    for line in (OWN / "schemas.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            kind = line.removeprefix("== ")
        elif kind and line.startswith("    "):
            schemas[list(schemas)[-1]].append(line.strip())
        elif kind and line:
            assert (kind, line) not in schemas
            schemas[kind, line] = []
    return [pytest.param(text, expected, id=f"{kind}-{text}") for (kind, text), expected in schemas.items()]


def own_trees():
    for name in ("declarations", "cpp", "python", "pairs"):
        for case in load(name):
            yield pytest.param(case, id=f"{name}-{case['id']}")


def load(name):
    return yaml.safe_load((OWN / f"{name}.yaml").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.skipif(not CASES, reason="OPGEN_CASES names no folder of lint cases")
@pytest.mark.parametrize("case", list(cases()))
def test_a_case_holds(case):
    if case["form"] == "schema":
        (path, text), *_ = case["files"].items()
        assert (parse_schema(text.strip()).schema is not None) == (case["cpp_parser"] == "accept")
        found = findings_of_schema(text.strip(), namespace_of(case), path)
        if not case["clean"] and not case["expect"]:
            return
    else:
        write(case["files"])
        found = findings()
    for expected in case["expect"]:
        assert any(meets(one, expected) for one in found), (expected, found)
    assert not case["clean"] or not [one for one in found if one["severity"] != Severity.INFO.value], found


@pytest.mark.parametrize(("text", "expected"), own_schemas())
def test_a_schema_has_its_findings_and_no_others(text, expected):
    assert (parse_schema(text).schema is not None) == ("reject" not in expected)
    found = findings_of_schema(text, "mylib", "schema.txt")
    severities = [one.partition(" ") for one in expected if one != "reject"]
    judge(found, [f"{severity} schema.txt:1 - {words}" for severity, _, words in severities])


@pytest.mark.parametrize("case", list(own_trees()))
def test_a_tree_has_its_findings_and_no_others(case):
    files = {PATHS[key]: HEADS.get(key, "") + case[key] for key in PATHS if key in case} | case.get("files", {})
    write(files)
    judge(findings(), case.get("expect", "").splitlines(), next(iter(files)))


def judge(found, expected, only_path=""):
    """Compare both ways: what is expected is found, and what is found, but for hints, is expected."""
    met = []
    for one in expected:
        severity, place, op, *words = shlex.split(one)
        path, _, line = place.rpartition(":")
        entry = {"severity": severity, "path": path or only_path, "line": int(line), "op": None if op == "-" else op}
        meeting = [each for each in found if meets(each, {**entry, "mention": words})]
        assert meeting, (one, found)
        met += meeting
    others = [one for one in found if one not in met and one["severity"] != Severity.INFO.value]
    assert not others, others


def namespace_of(case):
    return next((entry["op"].partition("::")[0] for entry in case["expect"] if entry["op"]), "mylib")


def write(files):
    for path, text in files.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text, encoding="utf-8")


def findings_of_schema(text, namespace, path):
    """Return what is found in an ops.yaml with this schema only, at line 1 of ``path``."""
    write({"ops.yaml": f"opgen: 1\nnamespace: {namespace}\nops:\n  - func: {json.dumps(text)}\n"})
    return [{**one, "path": path, "lines": (1, 1)} for one in findings()]


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


def meets(finding, expected):
    first, last = finding["lines"]
    return (
        finding["severity"] == expected["severity"]
        and finding["path"] == expected["path"]
        and first <= expected["line"] <= last
        and expected["op"] in (None, finding["op"])
        and all(word.lower() in finding["words"] for word in expected["mention"])
    )
