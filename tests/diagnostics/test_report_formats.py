"""The formats for machines: GitHub's annotations, SARIF and JUnit."""

import json
import os
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from opgen.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from opgen.diagnostics.codes import Example
from opgen.diagnostics.diagnostic import Note
from opgen.diagnostics.formats import FORMATS
from opgen.source import Location, Source, Span

BAD = Code(
    "OPG203", "some-error", Severity.ERROR, "A `thing` is wrong.", "Because.", "do `it`", Example("x"), Example("y")
)
RISKY = Code("OPG301", "some-warning", Severity.WARNING, "It is risky.", "Because.", "do it")
HINT = Code("OPG501", "some-hint", Severity.INFO, "It is a hint.", "Because.", "do it")
TEXT = "first: 1\nsecond: <x>\nthird:\n  more\n"


def at(marked, text=TEXT, path="ops.yaml"):
    start = text.index(marked)
    return Location(Source(path, text), Span(start, start + len(marked)))


EVERYTHING = [
    Diagnostic(BAD, "it's wrong: 50%, so", at("<x>"), "write y\nor z", "lib::f", (Note("see", at("first")),)),
    Diagnostic(RISKY, "risky", at("third:\n  more"), fix=Fix("write a", (Edit(at("third"), "a"),), "unsafe")),
    Diagnostic(HINT, "a hint \x1b[2J", at("a b", "a b", "sub dir/ö,:.cpp")),
    Diagnostic(BAD, "can't read it", Location(Source("gone.yaml", ""), Span(0, 0))),
    Diagnostic(BAD, "about no file", None),
]


def test_github_annotates_lines_and_escapes_what_would_end_a_command():
    place = "line=2,endLine=2,col=9,endColumn=12"
    assert FORMATS["github"](EVERYTHING).split("\n") == [
        f"::error title=OPG203 some-error,file=ops.yaml,{place}::lib::f: it's wrong: 50%25, so%0Ahelp: write y%0Aor z",
        "::warning title=OPG301 some-warning,file=ops.yaml,line=3,endLine=4::risky",
        "::notice title=OPG501 some-hint,file=sub dir/ö%2C%3A.cpp,line=1,endLine=1,col=1,endColumn=4::a hint \x1b[2J",
        "::error title=OPG203 some-error,file=gone.yaml::can't read it",
        "::error title=OPG203 some-error::about no file",
        "",
    ]
    assert FORMATS["github"]([]) == ""


def test_a_text_of_a_user_can_make_no_command_of_its_own():
    evil = Diagnostic(BAD, "x\r\n::set-env name=A::b", at("x", "x", "a\n::error::.yaml"))
    printed = FORMATS["github"]([evil])
    assert printed.count("\n") == 1
    assert printed.startswith("::error title=")


def test_junit_has_a_suite_a_file_and_failures_for_what_counts():
    root = ET.fromstring(FORMATS["junit"](EVERYTHING).encode())  # noqa: S314 - it is our own
    suites = [(suite.get("name"), suite.get("tests"), suite.get("failures")) for suite in root]
    assert suites == [
        ("ops.yaml", "2", "2"),
        ("sub dir/ö,:.cpp", "1", "0"),
        ("gone.yaml", "1", "1"),
        ("opgen", "1", "1"),
    ]
    case = root[0][0]
    assert (case.get("name"), case.get("line")) == ("OPG203 some-error lib::f", "2")
    assert case[0].get("message") == "it's wrong: 50%, so"
    assert case[0].text == "ops.yaml:2:9: it's wrong: 50%, so\nwrite y\nor z"
    assert "\\x1b" in root[1][0][0].text


def test_junit_of_nothing_is_a_test_that_passed():
    root = ET.fromstring(FORMATS["junit"]([]).encode())  # noqa: S314 - it is our own
    assert [(suite.get("tests"), suite.get("failures"), len(suite)) for suite in root] == [("1", "0", 1)]


def log(found):
    return json.loads(FORMATS["sarif"](found))


def test_sarif_names_each_code_once_with_its_page():
    driver = log(EVERYTHING)["runs"][0]["tool"]["driver"]
    assert [(rule["id"], rule["name"]) for rule in driver["rules"]] == [
        ("OPG203", "SomeError"),
        ("OPG301", "SomeWarning"),
        ("OPG501", "SomeHint"),
    ]
    first = driver["rules"][0]
    assert first["shortDescription"]["text"] == "A thing is wrong."
    assert first["defaultConfiguration"] == {"level": "error"}
    assert "**Example**\n\n```\nx\n```" in first["help"]["markdown"]
    assert first["help"]["text"] == "Because. Do it."


def test_sarif_has_regions_notes_fixes_and_paths_as_uris():
    results = log(EVERYTHING)["runs"][0]["results"]
    assert [result["level"] for result in results] == ["error", "warning", "note", "error", "error"]
    first, second, third, unreadable, nowhere = results
    assert first["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "ops.yaml"},
        "region": {"startLine": 2, "startColumn": 9, "endLine": 2, "endColumn": 12},
    }
    assert first["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "lib::f"
    assert first["relatedLocations"][0]["message"]["text"] == "see"
    assert second["fixes"][0]["description"]["text"] == "write a (unsafe: review it)"
    assert second["fixes"][0]["artifactChanges"][0]["replacements"] == [
        {
            "deletedRegion": {"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 6},
            "insertedContent": {"text": "a"},
        }
    ]
    uri = third["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "sub%20dir/%C3%B6%2C%3A.cpp"
    assert "region" not in unreadable["locations"][0]["physicalLocation"]
    assert "locations" not in nowhere
    absolute = log([Diagnostic(BAD, "x", at("x", "x", "/a b/c.yaml"))])
    assert "file:///a%20b/c.yaml" in json.dumps(absolute)


def fingerprints(found):
    return [result["partialFingerprints"]["opgenFinding/v2"] for result in log(found)["runs"][0]["results"]]


def test_a_fingerprint_outlives_moves_and_new_words_but_no_other_finding_has_it():
    moved = "# more\n\n" + TEXT.replace("first: 1", "first:  2")
    before = [Diagnostic(BAD, "old words", at("<x>"), op="lib::f"), Diagnostic(RISKY, "r", at("third:\n  more"))]
    after = [
        Diagnostic(BAD, "new words", at("<x>", moved), op="lib::f"),
        Diagnostic(RISKY, "r", at("third:\n  more", moved)),
    ]
    assert fingerprints(before) == fingerprints(after)
    others = [
        before[0],
        before[0],
        Diagnostic(BAD, "old words", at("<x>"), op="lib::g"),
        Diagnostic(BAD, "old words", at("<x>", path="b.yaml"), op="lib::f"),
        Diagnostic(RISKY, "old words", at("<x>"), op="lib::f"),
        Diagnostic(BAD, "old words", at("second"), op="lib::f"),
    ]
    assert len(set(fingerprints(others))) == len(others)


# The parts of SARIF 2.1.0 that are used, as its schema states them: which keys an object may have, and which it must.
OBJECTS = {
    "log": ({"$schema", "version", "runs"}, {"version", "runs"}),
    "run": ({"tool", "columnKind", "results"}, {"tool"}),
    "driver": ({"name", "semanticVersion", "rules"}, {"name"}),
    "rule": ({"id", "name", "shortDescription", "fullDescription", "help", "defaultConfiguration"}, {"id"}),
    "result": (
        {"ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations", "partialFingerprints", "fixes"},
        {"message"},
    ),
    "location": ({"id", "physicalLocation", "logicalLocations", "message"}, set()),
    "physicalLocation": ({"artifactLocation", "region"}, set()),
    "region": ({"startLine", "startColumn", "endLine", "endColumn"}, set()),
    "fix": ({"description", "artifactChanges"}, {"artifactChanges"}),
    "artifactChange": ({"artifactLocation", "replacements"}, {"artifactLocation", "replacements"}),
    "replacement": ({"deletedRegion", "insertedContent"}, {"deletedRegion"}),
}


def objects(document):
    yield "log", document
    for run in document["runs"]:
        yield "run", run
        yield "driver", run["tool"]["driver"]
        yield from (("rule", rule) for rule in run["tool"]["driver"]["rules"])
        for result in run["results"]:
            yield "result", result
            for location in [*result.get("locations", []), *result.get("relatedLocations", [])]:
                yield "location", location
                yield "physicalLocation", location["physicalLocation"]
                yield from (("region", location["physicalLocation"][key]) for key in ["region"] if key in location)
            for fix in result.get("fixes", []):
                yield "fix", fix
                for change in fix["artifactChanges"]:
                    yield "artifactChange", change
                    yield from (("replacement", each) for each in change["replacements"])
                    yield from (("region", each["deletedRegion"]) for each in change["replacements"])


@pytest.mark.parametrize("found", [EVERYTHING, []], ids=["everything", "nothing"])
def test_sarif_keeps_to_its_structure(found):
    document = log(found)
    assert document["version"] == "2.1.0"
    assert document["$schema"].endswith("sarif-schema-2.1.0.json")
    for kind, value in objects(document):
        allowed, required = OBJECTS[kind]
        assert value.keys() <= allowed, kind
        assert value.keys() >= required, kind
        if kind == "region":
            assert all(number >= 1 for number in value.values())
    run = document["runs"][0]
    assert run["columnKind"] in {"utf16CodeUnits", "unicodeCodePoints"}
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert result["level"] in {"none", "note", "warning", "error"}
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"]
        assert all(re.fullmatch(r"[^/]+/v\d", key) for key in result["partialFingerprints"])


def test_sarif_is_valid_by_the_official_schema():
    path = os.environ.get("OPGEN_SARIF_SCHEMA")
    if not path:
        pytest.skip("OPGEN_SARIF_SCHEMA names no copy of OASIS's sarif-schema-2.1.0.json")
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(Path(path).read_text(encoding="utf-8"))
    for found in (EVERYTHING, []):
        jsonschema.validate(log(found), schema)
