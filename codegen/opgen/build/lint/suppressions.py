"""Suppression comments: ``# opgen: ignore[OPG203]``, in C++ ``// opgen: ignore[OPG203]``.

Such a comment applies to its line; on a line of its own, to the next line that is not a comment; on the first line of
an op (an entry of ``ops.yaml``, a registration in C++ or Python), to the whole op.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import field

from opgen.build.lint.codes import BAD_SUPPRESSION, UNUSED_SUPPRESSION
from opgen.build.lint.comments import comments
from opgen.build.lint.selection import unknown_entries
from opgen.diagnostics import Code, Diagnostic, Edit, Fix
from opgen.records import dataclass
from opgen.source import Location, Source, Span

_SUPPRESSION = re.compile(r"opgen:\s*ignore(?:\[(?P<codes>[^\[\]\n]*)\])?")
_CODE = re.compile(r"[^\s,]+")
_COMMENT_LINE = re.compile(r"\s*(#|//|/\*|\*)")


@dataclass
class Suppression:
    """One suppression comment.

    Attributes:
        source: its file.
        span: the span of ``opgen: ignore[…]``.
        comment: the span of the whole comment.
        codes: the codes that it names, each with its span.
        lines: the first and last line that it applies to.
        used: the codes among them that have suppressed a finding.
    """

    source: Source
    span: Span
    comment: Span
    codes: tuple[tuple[str, Span], ...]
    lines: tuple[int, int]
    used: set[str] = field(default_factory=set)

    def silences(self, diagnostic: Diagnostic) -> bool:
        """Whether it suppresses a finding; the matching codes are marked as used."""
        place = diagnostic.location
        if place is None or place.source.path != self.source.path:
            return False
        line = place.start.line
        if not self.lines[0] <= line <= self.lines[1]:
            return False
        own = {code for code, _ in self.codes if code in {diagnostic.code.id, diagnostic.code.name}}
        self.used |= own
        return bool(own)


def unsilenced(
    found: Iterable[Diagnostic],
    sources: Iterable[Source],
    ops: Sequence[Location],
    has_run: Callable[[Code], bool],
    unread: Collection[str],
) -> list[Diagnostic]:
    """Return the findings that no comment suppresses, and findings about wrong and unused comments.

    Args:
        found: all findings.
        sources: the files in which to look for comments.
        ops: the locations of whole ops.
        has_run: tells whether the rule of a code was run; else a comment for it is not reported as unused.
        unread: the paths of files that could not be read as a whole, in which comments aren't reported as unused.
    """
    comments_ = [comment for source in sources for comment in _of(source, ops)]
    left = []
    for diagnostic in found:
        # Every comment is tested, so that both of two equal comments count as used.
        by = [comment for comment in comments_ if comment.silences(diagnostic)]
        if not by:
            left.append(diagnostic)
    judged = (comment for comment in comments_ if comment.source.path not in unread)
    return [*left, *_wrong_codes(comments_), *_unused(judged, has_run)] if comments_ else left


def _of(source: Source, ops: Sequence[Location]) -> list[Suppression]:
    blocks = {op.start.line: op.end.line for op in ops if op.source.path == source.path}
    return [_read(source, comment, match, blocks) for comment, match in _matches(source)]


def _codes() -> dict[str, Code]:
    from opgen.rules.registry import all_codes  # noqa: PLC0415 - imports all packages that have codes

    return {name: code for code in all_codes() for name in (code.id, code.name)}


def _wrong_codes(comments_: Iterable[Suppression]) -> Iterator[Diagnostic]:
    codes = _codes()
    for comment in comments_:
        if not comment.codes:
            place = Location(comment.source, comment.span)
            yield Diagnostic(BAD_SUPPRESSION, "the comment names no code", place, BAD_SUPPRESSION.remedy)
        for code, span in comment.codes:
            if code not in codes:
                help_ = next(
                    (help_ for _, help_ in unknown_entries([code], codes.values())), "write whole codes, such as OPG203"
                )
                yield Diagnostic(BAD_SUPPRESSION, f"there is no code '{code}'", Location(comment.source, span), help_)


def _unused(comments_: Iterable[Suppression], has_run: Callable[[Code], bool]) -> Iterator[Diagnostic]:
    codes = _codes()
    for comment in comments_:
        for name, span in comment.codes:
            if name in codes and name not in comment.used and has_run(codes[name]):
                message = f"nothing here has to be silenced: no {name} is found"
                place, fix = Location(comment.source, span), _without(comment, name)
                yield Diagnostic(UNUSED_SUPPRESSION, message, place, UNUSED_SUPPRESSION.remedy, fix=fix)


def _matches(source: Source) -> Iterator[tuple[Span, re.Match[str]]]:
    for comment in comments(source):
        if match := _SUPPRESSION.search(source.text, *comment):
            yield comment, match


def _read(source: Source, comment: Span, match: re.Match[str], blocks: dict[int, int]) -> Suppression:
    codes = tuple(
        (code[0], Span(*code.span()))
        for code in (_CODE.finditer(source.text, *match.span("codes")) if match["codes"] is not None else ())
    )
    line = source.position(comment.start).line
    line_start = source.text.rfind("\n", 0, comment.start) + 1
    if not source.text[line_start : comment.start].strip():
        line = _next_line(source, source.position(comment.end).line)
    return Suppression(source, Span(*match.span()), comment, codes, (line, max(line, blocks.get(line, line))))


def _next_line(source: Source, number: int) -> int:
    last = source.position(len(source.text)).line
    following = (index for index in range(number + 1, last + 1) if not _COMMENT_LINE.match(source.line(index)))
    return next(following, number)


def _without(comment: Suppression, code: str) -> Fix:
    """Return a fix that removes a code from its comment; with the last code the comment, unless it has other text."""
    text = comment.source.text
    if len(comment.codes) > 1:
        rest = ", ".join(each for each, _ in comment.codes if each != code)
        edit = Edit(Location(comment.source, comment.span), f"opgen: ignore[{rest}]")
    else:
        start, end = comment.comment
        words = text[start : comment.span.start] + text[comment.span.end : end]
        if words.strip("#/* \t"):
            start, end = comment.span
        else:
            line_start = text.rfind("\n", 0, start) + 1
            start = len(text[:start].rstrip(" \t"))
            if start <= line_start:  # the whole line is removed
                start, end = line_start, min(text.find("\n", end) + 1 or len(text), len(text))
        edit = Edit(Location(comment.source, Span(start, end)), "")
    return Fix(f"remove {code} from the comment", (edit,))
