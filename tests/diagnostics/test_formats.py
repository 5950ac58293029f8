"""What findings look like: as text with carets, one a line, and as JSON."""

import json
import re

import pytest

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.diagnostics.formats import FORMATS
from opgen.diagnostics.formats.terminal import width
from opgen.diagnostics.formats.text import text as text_format
from opgen.source import Location, Source, Span

ERROR = Code("OPG203", "some-error", Severity.ERROR, "", "", "")
WARNING = Code("OPG301", "some-warning", Severity.WARNING, "", "", "")
INFO = Code("OPG501", "some-info", Severity.INFO, "", "", "")

TEXT = FORMATS["text"]


def mark(text, marked, path="ops.yaml"):
    start = text.index(marked)
    return Location(Source(path, text), Span(start, start + len(marked)))


def finding(location, code=ERROR, **more):
    return Diagnostic(code, "'x' is wrong", location, **more)


def snippet(location):
    """Return the shown line and the line of carets, without what stands before them."""
    lines = TEXT([finding(location)]).splitlines()
    return [line.split("|", 1)[1].removeprefix(" ") for line in lines[2:4]]


def test_a_finding_has_place_line_carets_help_notes_and_the_command_that_explains_it():
    text = "first: 1\nsecond: x\n"
    note = Note("it stands here first", mark(text, "first"))
    found = finding(mark(text, "x"), help="write y\n      z", notes=(note,))

    assert TEXT([found]) == (
        "ops.yaml:2:9: error[OPG203] 'x' is wrong\n"
        "  |\n"
        "2 | second: x\n"
        "  |         ^\n"
        "  help: write y\n"
        "              z\n"
        "  note: ops.yaml:1:1: it stands here first\n"
        "    |\n"
        "  1 | first: 1\n"
        "    | ^^^^^\n"
        "  opgen explain OPG203\n"
        "\n"
        "Found 1 error.\n"
    )


@pytest.mark.parametrize("name", ["text", "concise", "github", "sarif"])
@pytest.mark.parametrize(
    ("message", "is_named"),
    [
        ("argument 'x' is wrong", False),
        ("argument 'scale_' is of lib::scale.out or lib::scaled", False),
        ("lib::scale was removed", True),
        ("no source defines 'lib::scale'", True),
        ("'scale' is a word of Python", True),
        ("nothing calls `scale`", True),
    ],
)
def test_a_finding_says_once_which_op_it_is_about(name, message, is_named):
    printed = FORMATS[name]([Diagnostic(ERROR, message, mark("x", "x"), op="lib::scale")])
    assert (f"lib::scale: {message}" in printed) is not is_named
    assert message in printed


def test_findings_stand_in_the_given_order_and_are_counted_by_weight():
    place = mark("a: x\n", "x")
    found = [finding(place, code) for code in (INFO, ERROR, WARNING, ERROR)]
    lines = TEXT(found).splitlines()

    assert [line.split()[1] for line in lines if line.startswith("ops.yaml")] == [
        "info[OPG501]",
        "error[OPG203]",
        "warning[OPG301]",
        "error[OPG203]",
    ]
    assert lines[-1] == "Found 2 errors, 1 warning, 1 info."


def test_a_changed_weight_is_what_is_shown_and_counted():
    found = finding(mark("x\n", "x"), severity_override=Severity.WARNING)

    assert "warning[OPG203]" in TEXT([found])
    assert TEXT([found]).endswith("Found 1 warning.\n")


@pytest.mark.parametrize("name", ["text", "concise"])
def test_without_findings_that_is_said(name):
    assert FORMATS[name]([]) == "Nothing found.\n"


def test_a_finding_about_no_file_or_an_unreadable_one_has_no_line():
    unreadable = Location(Source("ops.yaml", ""), Span(0, 0))

    assert TEXT([finding(None)]).startswith("error[OPG203] 'x' is wrong\n  opgen explain")
    assert TEXT([finding(unreadable)]).startswith("ops.yaml: error[OPG203] 'x' is wrong\n  opgen explain")


@pytest.mark.parametrize(
    ("line", "marked", "shown", "carets"),
    [
        ("a: bcd e", "bcd", "a: bcd e", "   ^^^"),
        ("\ta: b", "b", "    a: b", "       ^"),
        ("a:\tb\tc", "b\tc", "a:    b    c", "      ^^^^^^"),
        ("日本: x", "x", "日本: x", "      ^"),
        ("a: 日本", "日本", "a: 日本", "   ^^^^"),
        ("e\u0301: x", "x", "e\u0301: x", "   ^"),
        ("a\x1b[31m: x", "x", "a\\x1b[31m: x", "           ^"),
        ("a\u202e: x", "x", "a\\u202e: x", "         ^"),
        ("a: x\r", "x", "a: x", "   ^"),
    ],
    ids=["plain", "tab before", "tab inside", "wide before", "wide inside", "combining", "escape", "direction", "crlf"],
)
def test_carets_stand_under_what_is_meant(line, marked, shown, carets):
    assert snippet(mark(f"{line}\nnext: line\n", marked)) == [shown, carets]


def test_an_empty_place_is_marked_by_one_caret():
    source = Source("ops.yaml", "a: b\n")

    assert snippet(Location(source, Span(4, 4))) == ["a: b", "    ^"]
    assert snippet(Location(source, Span(5, 5))) == ["", "^"]


def test_of_a_place_of_several_lines_the_first_is_shown_and_marked_to_its_end():
    assert snippet(mark("a: [b,  \n  c]\n", "[b,  \n  c]")) == ["a: [b,", "   ^^^"]


@pytest.mark.parametrize("columns", [60, 80, 140])
@pytest.mark.parametrize("lead", [0, 40, 70, 400])
def test_on_a_terminal_the_carets_are_on_its_lines(lead, columns):
    found = finding(mark("a" * lead + "Tensr" + "b" * 400, "Tensr"))
    lines = text_format([found], columns=columns).splitlines()[1:4]
    assert max(map(width, lines)) <= columns
    assert lines[1][lines[2].index("^") :].startswith("Tensr")


@pytest.mark.parametrize("lead", [0, 50, 95, 150, 400])
@pytest.mark.parametrize("marked", ["Tensr", "日本", "x" * 300])
@pytest.mark.parametrize("tail", [0, 3, 400])
def test_of_a_long_line_a_window_around_the_place_is_shown(lead, marked, tail):
    line, carets = snippet(mark("a" * lead + marked + "b" * tail, marked))
    start = len(carets) - len(carets.lstrip())

    assert width(line) <= 100
    assert set(carets.strip()) == {"^"}
    before = line[: next(index for index in range(len(line) + 1) if width(line[:index]) == start)]
    under = line[len(before) :]
    assert under.startswith(marked[:40])
    assert set(before) <= {"a", "…"}
    assert before.startswith("…") == (len(before) < lead)


def test_nothing_of_a_path_message_or_help_can_drive_the_terminal():
    found = Diagnostic(ERROR, "bad \x1b]0;title\x07", mark("x\n", "x", path="a\x1b[2J.yaml"), help="\x1b[31m")

    for name in ("text", "concise"):
        assert "\x1b" not in FORMATS[name]([found])
        assert "\x07" not in FORMATS[name]([found])


def test_colour_comes_only_when_asked_for_and_changes_nothing_else():
    found = [finding(mark("a: x\n", "x"), help="write y", notes=(Note("here", mark("a: x\n", "a")),))]
    for name in ("text", "concise"):
        plain, colored = FORMATS[name](found), FORMATS[name](found, color=True)
        assert "\x1b" not in plain
        assert "\x1b[1;31merror[OPG203]\x1b[0m" in colored
        assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain


def test_the_concise_format_is_one_line_a_finding():
    found = [finding(mark("a: x\n", "x"), help="write y"), finding(None, WARNING)]

    assert FORMATS["concise"](found) == (
        "ops.yaml:1:4: error[OPG203] 'x' is wrong\nwarning[OPG301] 'x' is wrong\nFound 1 error, 1 warning.\n"
    )


def test_the_json_format_is_a_list_of_objects_with_lines_and_columns_from_1():
    place = mark("a: b\nc: é\n  d\n", "é\n  d")
    printed = FORMATS["json"]([finding(place, op="mylib::f.out", help="write y"), finding(None)], color=True)

    assert printed.isascii()
    assert json.loads(printed) == [
        {
            "code": "OPG203",
            "severity": "error",
            "message": "'x' is wrong",
            "path": "ops.yaml",
            "line": 2,
            "column": 4,
            "end_line": 3,
            "end_column": 4,
            "op": "mylib::f.out",
            "help": "write y",
            "fix": None,
        },
        {
            "code": "OPG203",
            "severity": "error",
            "message": "'x' is wrong",
            "path": None,
            "line": None,
            "column": None,
            "end_line": None,
            "end_column": None,
            "op": None,
            "help": None,
            "fix": None,
        },
    ]
    assert json.loads(FORMATS["json"]([])) == []
