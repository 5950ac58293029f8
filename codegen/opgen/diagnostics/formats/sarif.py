"""The format of code scanning: SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0), as GitHub, GitLab and editors read it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias
from urllib.parse import quote

from opgen import __version__
from opgen.diagnostics.codes import Code, Example, Severity
from opgen.diagnostics.diagnostic import Diagnostic
from opgen.diagnostics.fingerprint import fingerprints
from opgen.diagnostics.fix import Edit, Fix
from opgen.diagnostics.formats.sentence import sentence
from opgen.source import Location

Object: TypeAlias = Mapping[str, Any]

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_CODE = re.compile(r"`([^`]*)`")


def sarif(diagnostics: Sequence[Diagnostic], *, color: bool = False) -> str:
    """Print one run: the codes that were found with their pages, and a result a finding with its fix.

    Lines and columns count from 1, columns in characters (``columnKind`` says so). Only what is offered as a fix of
    one place is a ``fix``; whether it is safe stands in its description, since SARIF has no word for that.
    """
    del color  # JSON has none
    codes = sorted({diagnostic.code for diagnostic in diagnostics}, key=lambda code: code.id)
    index = {code.id: number for number, code in enumerate(codes)}
    driver = {"name": "opgen", "semanticVersion": __version__, "rules": [_rule(code) for code in codes]}
    results = [_result(diagnostic, index, number) for diagnostic, number in fingerprints(diagnostics)]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: Code) -> Object:
    remedy = f"{code.remedy[:1].upper()}{code.remedy[1:]}."
    markdown = [code.summary, f"**Why is this bad?** {code.why}"]
    if code.bad is not None:
        markdown.append(f"**Example**\n\n{_blocks(code.bad)}")
    if code.good is not None:
        markdown.append(f"**Use instead**\n\n{_blocks(code.good)}")
    markdown.append(f"**Remedy** {remedy}")
    return {
        "id": code.id,
        "name": "".join(word.capitalize() for word in code.name.split("-")),
        "shortDescription": {"text": _plain(code.summary)},
        "fullDescription": {"text": _plain(f"{code.summary} {code.why}")},
        "help": {"text": _plain(f"{code.why} {remedy}"), "markdown": "\n\n".join(markdown)},
        "defaultConfiguration": {"level": _LEVELS[code.severity]},
    }


def _blocks(example: Example) -> str:
    return "\n\n".join(f"```\n{each.text.rstrip()}\n```" for each in (example, *example.beside))


def _result(diagnostic: Diagnostic, index: Mapping[str, int], fingerprint: str) -> Object:
    text = sentence(diagnostic) + (f"\n{diagnostic.help}" if diagnostic.help else "")
    result: dict[str, Any] = {
        "ruleId": diagnostic.code.id,
        "ruleIndex": index[diagnostic.code.id],
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": text},
        "partialFingerprints": {"opgenFinding/v2": fingerprint},
    }
    if diagnostic.location is not None:
        place = {"physicalLocation": _physical(diagnostic.location)}
        if diagnostic.op:
            place["logicalLocations"] = [{"fullyQualifiedName": diagnostic.op, "kind": "function"}]  # type: ignore[assignment]  # JSON
        result["locations"] = [place]
    related = [
        {"id": number, "physicalLocation": _physical(note.location), "message": {"text": note.message}}
        for number, note in enumerate(diagnostic.notes, 1)
    ]
    if related:
        result["relatedLocations"] = related
    if diagnostic.fix is not None:
        result["fixes"] = [_fix(diagnostic.fix)]
    return result


def _physical(place: Location) -> Object:
    physical: dict[str, Object] = {"artifactLocation": _artifact(place)}
    if place.source.text:
        physical["region"] = _region(place)
    return physical


def _artifact(place: Location) -> Object:
    path = place.source.path
    is_absolute = path.startswith("/") or re.match(r"[A-Za-z]:/", path) is not None
    uri = quote(path, safe="/:" if is_absolute else "/")
    return {"uri": f"file:///{uri.lstrip('/')}" if is_absolute else uri}


def _region(place: Location) -> Object:
    start, end = place.start, place.end
    return {"startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column}


def _fix(fix: Fix) -> Object:
    by_path: dict[str, list[Edit]] = {}
    for edit in fix.edits:
        by_path.setdefault(edit.location.source.path, []).append(edit)
    changes = [
        {
            "artifactLocation": _artifact(edits[0].location),
            "replacements": [
                {"deletedRegion": _region(edit.location), "insertedContent": {"text": edit.replacement}}
                for edit in edits
            ],
        }
        for edits in by_path.values()
    ]
    unsafe = " (unsafe: review it)" if fix.applicability == "unsafe" else ""
    return {"description": {"text": fix.title + unsafe}, "artifactChanges": changes}


def _plain(text: str) -> str:
    return _CODE.sub(r"\1", text)
