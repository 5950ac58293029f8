"""The format of test reports: JUnit XML, a suite a file and a test case a finding."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from opgen.diagnostics.codes import Severity
from opgen.diagnostics.diagnostic import Diagnostic
from opgen.diagnostics.formats.terminal import printable
from opgen.diagnostics.formats.text import place_of


def junit(diagnostics: Sequence[Diagnostic], *, color: bool = False) -> str:
    """Print a report in which errors and warnings are failures; infos pass, and say what they say as output."""
    del color  # XML has none
    by_path: dict[str, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        by_path.setdefault(diagnostic.location.source.path if diagnostic.location else "opgen", []).append(diagnostic)
    suites = "".join(_suite(path, found) for path, found in by_path.items())
    if not suites:  # a report without a test case is taken for a run that broke off
        suites = f'{_head("opgen", (), tests=1)}    <testcase name="opgen lint" classname="opgen"/>\n  </testsuite>\n'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="opgen lint">\n{suites}</testsuites>\n'


def _suite(path: str, diagnostics: Sequence[Diagnostic]) -> str:
    return _head(path, diagnostics, tests=len(diagnostics)) + "".join(map(_case, diagnostics)) + "  </testsuite>\n"


def _head(path: str, diagnostics: Sequence[Diagnostic], *, tests: int) -> str:
    failures = sum(diagnostic.severity is not Severity.INFO for diagnostic in diagnostics)
    return f'  <testsuite name={quoteattr(printable(path))} tests="{tests}" failures="{failures}" errors="0">\n'


def _case(diagnostic: Diagnostic) -> str:
    place = diagnostic.location
    path = printable(place.source.path) if place else "opgen"
    line = f' line="{place.start.line}"' if place else ""
    what = f"{diagnostic.code.id} {diagnostic.code.name}" + (f" {diagnostic.op}" if diagnostic.op else "")
    message = f"{place_of(place)}{printable(diagnostic.message)}"
    body = escape(message + "".join(f"\n{printable(text)}" for text in diagnostic.help.splitlines()))
    case = f"    <testcase name={quoteattr(what)} classname={quoteattr(path)} file={quoteattr(path)}{line}>\n"
    if diagnostic.severity is Severity.INFO:
        return f"{case}      <system-out>{body}</system-out>\n    </testcase>\n"
    kind = quoteattr(diagnostic.severity.value)
    return (
        f"{case}      <failure type={kind} message={quoteattr(printable(diagnostic.message))}>{body}</failure>\n"
        "    </testcase>\n"
    )
