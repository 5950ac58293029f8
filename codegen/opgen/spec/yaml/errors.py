"""Translates syntax errors of the YAML library to diagnostics for authors of ``ops.yaml``.

libyaml and PyYAML's own scanner have different error messages; both are matched. Marks count characters.
"""

from __future__ import annotations

import re

import yaml

from opgen.diagnostics import Code, Diagnostic, Edit, Fix
from opgen.diagnostics.diagnostic import Note
from opgen.records import dataclass
from opgen.source import Location, Source, Span
from opgen.spec.yaml.codes import TAB_INDENTATION, UNQUOTED_TEXT, YAML_LIMIT, YAML_SYNTAX

_QUOTE_IT = "put the text between double quotes"
_CONFLICT = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?=\s|$)", re.MULTILINE)
"""Git's conflict markers. If a file has one, that is reported, whatever the parser's error is."""

_SCHEMA = re.compile(r"\bfunc:\s")


@dataclass(frozen=True, slots=True)
class _Kind:
    """One kind of error of the YAML library.

    Attributes:
        pattern: matches ``CONTEXT; PROBLEM`` of the library's error; compiled once there is an error.
        code: the code of the diagnostic.
        message: the message.
        help: the remedy.
        at_context: whether to point to the start of the broken construct instead of the position of the error.
    """

    pattern: str
    code: Code
    message: str
    help: str
    at_context: bool = False


_KINDS = (
    _Kind("exceeded maximum nesting", YAML_LIMIT, "the document is nested too deeply", YAML_LIMIT.remedy),
    _Kind(
        r"tab character that violates|found character '\\t'",
        TAB_INDENTATION,
        "a tab indents this line, where YAML allows blanks only",
        TAB_INDENTATION.remedy,
    ),
    _Kind(
        "block scalar; (did not find expected comment|expected chomping)",
        UNQUOTED_TEXT,
        "a text that begins with {character!r} has to be quoted: here it starts a block of lines",
        _QUOTE_IT,
        at_context=True,
    ),
    _Kind(
        "cannot start any token",
        UNQUOTED_TEXT,
        "a text that begins with {character!r} has to be quoted",
        _QUOTE_IT,
    ),
    _Kind(
        "mapping values are not allowed",
        UNQUOTED_TEXT,
        "this ':' would make a key of the text before it",
        f"{_QUOTE_IT}; if it is a key, indent it as its neighbours",
    ),
    _Kind(
        "quoted scalar; found unexpected end",
        YAML_SYNTAX,
        "this quote is never closed",
        "add the closing quote",
        at_context=True,
    ),
    _Kind(
        "unknown escape character",
        YAML_SYNTAX,
        "no such escape in a text between double quotes",
        r"write the backslash twice, '\\', or use single quotes",
    ),
    _Kind(
        "flow (mapping|sequence); (did not find expected|expected) ',' or",
        YAML_SYNTAX,
        "this {character!r} is never closed",
        "close it before the next key",
        at_context=True,
    ),
    _Kind(
        "could not find expected ':'",
        YAML_SYNTAX,
        "expected 'key: value', found a text without ':'",
        "write a blank behind the ':' of a key; indent a text that goes on more than its key",
        at_context=True,
    ),
    _Kind(
        "block mapping; (did not find expected key|expected <block end>)",
        YAML_SYNTAX,
        "expected a key that is indented as the ones before it",
        "indent it as its neighbours; if a text goes on here behind a quote or bracket, quote the whole text",
    ),
    _Kind(
        "block collection; (did not find expected '-'|expected <block end>)",
        YAML_SYNTAX,
        "expected another '- ' of the list",
        "begin the line with '- ', or indent it as the key that it belongs to",
    ),
    _Kind(
        "expected node content|expected the node content",
        YAML_SYNTAX,
        "expected a value, found {character!r}",
        f"write the value; {_QUOTE_IT} if it begins with {{character!r}}",
    ),
)


def explain(error: yaml.YAMLError, source: Source, text: str) -> Diagnostic:
    """Translate an error of the YAML library; an unknown one keeps the library's message."""
    if marker := _CONFLICT.search(text):
        message = f"'{marker[0]}' marks a merge conflict that is not resolved"
        remedy = "keep what belongs to the file, and delete the lines '<<<<<<<', '=======' and '>>>>>>>'"
        return Diagnostic(YAML_SYNTAX, message, Location(source, Span(*marker.span())), remedy)
    problem = str(getattr(error, "problem", None) or error)
    end = len(text.rstrip())
    at = min(_index(error, "problem_mark", end), end)
    begun = _index(error, "context_mark", at)
    if text.startswith("\t", at):
        problem = "tab character that violates indentation"
    unquoted = _unquoted_in_braces(source, text, at) if "',' or" in problem else None
    if unquoted:
        return unquoted
    if at == end and "node content" in problem:
        message = "expected a value, found the end of the file"
        return Diagnostic(YAML_SYNTAX, message, _at(source, at), "write it, and close what `[` or `{` has opened")
    schema = _SCHEMA.search(text, text.rfind("\n", 0, at) + 1, at)
    if "mapping values" in problem and schema is not None and "(" in text[schema.end() : at]:
        help_ = "write the type before the name, as in `Tensor x`"
        return Diagnostic(UNQUOTED_TEXT, "a schema has no ':' between name and type", _at(source, at), help_)
    words = f"{getattr(error, 'context', '')}; {problem}"
    for kind in _KINDS:
        if re.search(kind.pattern, words):
            place = begun if kind.at_context else at
            character = text[place : place + 1]
            notes: tuple[Note, ...] = ()
            if not kind.at_context and begun < at and "block" in words:
                notes = (Note("what it would belong to begins here", _at(source, begun)),)
            return Diagnostic(
                kind.code,
                kind.message.format(character=character),
                _at(source, place),
                kind.help.format(character=character),
                notes=notes,
            )
    return Diagnostic(YAML_SYNTAX, f"no valid YAML: {problem}", _at(source, at), YAML_SYNTAX.remedy)


def _unquoted_in_braces(source: Source, text: str, at: int) -> Diagnostic | None:
    """Recognise ``{x: float [n, d]}``: a text in braces or brackets that goes on with another bracket or a quote."""
    if text[at : at + 1] not in tuple("[{\"'"):
        return None
    line = text.rfind("\n", 0, at) + 1
    openers = (text.rfind(mark, line, at) + len(mark) for mark in ("{", "[", ", ", ": ") if mark in text[line:at])
    begin = max(openers, default=line)
    end = _end_of_text(text, at)
    written = text[begin:end].strip()
    begin += len(text[begin:end]) - len(text[begin:end].lstrip())
    quoted = written.replace("\\", "\\\\").replace('"', '\\"')
    is_whole = all(written.count(one) == written.count(other) for one, other in ("[]", "()", "{}"))
    place = Location(source, Span(begin, begin + len(written)))
    return Diagnostic(
        UNQUOTED_TEXT,
        f"within braces and brackets a text that holds {text[at]!r} has to be quoted",
        place,
        help=f'write "{quoted}"' if is_whole else _QUOTE_IT,
        fix=Fix("quote the text", (Edit(place, f'"{quoted}"'),)) if is_whole else None,
    )


def _end_of_text(text: str, at: int) -> int:
    """Return the end of the text that the author meant: the next comma or closing bracket outside of inner brackets."""
    depth = 0
    for match in re.finditer(r"[\[({]|[\])}]|,|\n", text[at:]):
        if match[0] in "[({":
            depth += 1
        elif match[0] == "\n" or depth == 0:
            return at + match.start()
        elif match[0] != ",":
            depth -= 1
    return len(text)


def _index(error: yaml.YAMLError, mark: str, otherwise: int) -> int:
    index = getattr(getattr(error, mark, None), "index", None)
    return index if isinstance(index, int) else otherwise


def _at(source: Source, offset: int) -> Location:
    return Location(source, Span(offset, min(offset + 1, len(source.text))))
