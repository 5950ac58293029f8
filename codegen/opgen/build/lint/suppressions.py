"""Comments that silence findings: ``# opgen: ignore[OPG203]``, in C++ ``// opgen: ignore[OPG203]``.

Such a comment holds for its own line; on a line of its own, for the next one that is not a comment; on the first line of an op
(an entry of ``ops.yaml``, a registration in C++ or Python), for the whole of it.
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
    """One comment.

    Attributes:
        source: its file.
        span: of ``opgen: ignore[…]``.
        comment: of the whole comment.
        codes: what it names, each with its place.
        lines: the lines that it holds for, the first and the last.
        used: those of its codes that have silenced something.
    """

    source: Source
    span: Span
    comment: Span
    codes: tuple[tuple[str, Span], ...]
    lines: tuple[int, int]
    used: set[str] = field(default_factory=set)

    def silences(self, diagnostic: Diagnostic) -> bool:
        """Whether a finding is silenced; the codes that do so count as used."""
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
    """Return the findings that no comment silences, and what is wrong with the comments.

    Args:
        found: all findings.
        sources: the files to look for comments in.
        ops: the places of whole ops.
        has_run: whether a code was looked for; of another none can say that there is nothing to silence.
        unread: the paths of files that could not be read as a whole, of which likewise.
    """
    comments_ = [comment for source in sources for comment in _of(source, ops)]
    left = []
    for diagnostic in found:
        # Every comment is asked, so that of two which say the same both count as used.
        by = [comment for comment in comments_ if comment.silences(diagnostic)]
        if not by:
            left.append(diagnostic)
    judged = (comment for comment in comments_ if comment.source.path not in unread)
    return [*left, *_wrong_codes(comments_), *_unused(judged, has_run)] if comments_ else left


def _of(source: Source, ops: Sequence[Location]) -> list[Suppression]:
    blocks = {op.start.line: op.end.line for op in ops if op.source.path == source.path}
    return [_read(source, comment, match, blocks) for comment, match in _matches(source)]


def _codes() -> dict[str, Code]:
    from opgen.rules.registry import all_codes  # noqa: PLC0415 - it imports every room that has codes

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
    """Take a code from its comment; the last one takes the comment, where it says nothing else, with it."""
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
            if start <= line_start:  # a line of its own goes as a whole
                start, end = line_start, min(text.find("\n", end) + 1 or len(text), len(text))
        edit = Edit(Location(comment.source, Span(start, end)), "")
    return Fix(f"remove {code} from the comment", (edit,))
