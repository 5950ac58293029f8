"""Makes variants of a file in which one branch of each ``#if`` is chosen, so that every branch is in some variant.

A parser can't read both branches at once if they split a statement (``#ifdef A`` ``&f);`` ``#else`` ``&g);``
``#endif``).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cached_property

from opgen.readers.cpp.lexical import Lexed, blank
from opgen.readers.registrations import Condition
from opgen.records import dataclass
from opgen.source import Location, Source, Span

MOST_VARIANTS = 32
"""The most variants of a file. Further branches of a long ``#elif`` chain are not read, so that the time is linear."""

DEEPEST = 100
"""The nesting depth of ``#if`` beyond which all branches are taken at once."""

_DIRECTIVE = re.compile(r"\ufeff?\s*#\s*(ifdef|ifndef|if|elifdef|elifndef|elif|else|endif|define)\b\s*(.*)", re.DOTALL)
_BLANKS = re.compile(r"(?:\\\r?\n|\s)+")
_COMMENT = re.compile(r"//.*|/\*(?:.*?\*/|.*\Z)", re.DOTALL)


@dataclass(eq=False)
class _Branch:
    directive: Span
    words: str
    start: int
    end: int = 0
    groups: list[_Group] = field(default_factory=list)
    is_dead: bool = False
    is_certain: bool = False

    @cached_property
    def width(self) -> int:
        return 0 if self.is_dead else _width(self.groups)


@dataclass(eq=False)
class _Group:
    branches: list[_Branch] = field(default_factory=list)

    @property
    def start(self) -> int:
        return self.branches[0].directive.start

    @cached_property
    def width(self) -> int:
        return max(1, sum(branch.width for branch in self.branches))

    def chosen(self, variant: int) -> tuple[_Branch | None, int]:
        """Return the branch to take in a variant, and the number of the variant of the groups inside of it."""
        rest = variant if variant < self.width else 0
        for branch in self.branches:
            if rest < branch.width:
                return branch, rest
            rest -= branch.width
        return None, 0


def _width(groups: Sequence[_Group]) -> int:
    return max((group.width for group in groups), default=1)


@dataclass(frozen=True, eq=False)
class Variant:
    """One choice of branches.

    Attributes:
        source: the file.
        text: as long as the source, with everything but code of the chosen branches blanked.
        code: the same with literals blanked as well.
        number: the number of the variant.
        groups: the groups of branches in the file.
    """

    source: Source
    text: str
    code: str
    number: int
    groups: Sequence[_Group]

    @property
    def is_incomplete(self) -> bool:
        """Whether the file has branches that are in no variant, because of ``MOST_VARIANTS``."""
        return _width(self.groups) > MOST_VARIANTS

    def conditions(self, span: Span) -> tuple[Condition, ...]:
        """Return the branches around a statement, and those chosen inside of it, outermost first."""
        return tuple(self._conditions(span, self.groups, self.number))

    def _conditions(self, span: Span, groups: Sequence[_Group], number: int) -> Iterator[Condition]:
        first = max(0, bisect_right(groups, span.start, key=lambda group: group.start) - 1)
        last = bisect_left(groups, span.end, key=lambda group: group.start)
        for group in groups[first:last]:
            branch, inner = group.chosen(number)
            if branch is None or group.branches[-1].end <= span.start:
                continue
            if not branch.is_certain:
                opening = Location(self.source, group.branches[0].directive)
                yield Condition(branch.words, Location(self.source, branch.directive), opening)
            yield from self._conditions(span, branch.groups, inner)


def variants(source: Source, lexed: Lexed) -> Iterator[Variant]:
    """Yield variants until each branch was chosen once (never a dead one, ``#if 0``)."""
    groups = _groups(source.text, lexed)
    for number in range(min(_width(groups), MOST_VARIANTS)):
        text = blank(lexed.plain, _left_out(groups, number))
        yield Variant(source, text, blank(text, lexed.literals), number, groups)


def _left_out(groups: Sequence[_Group], number: int) -> Iterator[Span]:
    for group in groups:
        chosen, inner = group.chosen(number)
        for branch in group.branches:
            if branch is chosen:
                yield from _left_out(branch.groups, inner)
            else:
                yield Span(branch.start, branch.end)


def _groups(text: str, lexed: Lexed) -> list[_Group]:
    outermost: list[_Group] = []
    open_groups: list[_Group] = []
    ignored = 0  # the number of open #if beyond DEEPEST
    guard: str | None = None  # the name in a possible include guard, until the next directive defines it or not
    for span in lexed.directives:
        match = _DIRECTIVE.match(text, *span)
        if match is None:
            continue
        word, rest = match[1], _BLANKS.sub(" ", _COMMENT.sub(" ", match[2])).strip()
        if word == "define":
            if guard is not None and rest.split("(")[0].split()[:1] == [guard]:
                open_groups[-1].branches[0].is_certain = True
            guard = None
            continue
        if ignored or (word.startswith("if") and len(open_groups) == DEEPEST):
            ignored += word.startswith("if") - (word == "endif")
            continue
        is_first = not outermost
        guard = None
        if word in ("if", "ifdef", "ifndef"):
            group = _Group()
            (open_groups[-1].branches[-1].groups if open_groups else outermost).append(group)
            open_groups.append(group)
            guard = rest if word == "ifndef" and is_first else None
        elif not open_groups:
            continue
        else:
            open_groups[-1].branches[-1].end = span.start
        if word == "endif":
            open_groups.pop()
        else:
            open_groups[-1].branches.append(_branch(open_groups[-1], word, rest, span))
    for group in open_groups:
        group.branches[-1].end = len(text)
    return outermost


def _branch(group: _Group, word: str, rest: str, span: Span) -> _Branch:
    earlier = group.branches
    words = f"#{word} {rest}".rstrip()
    branch = _Branch(span, f"#else of {earlier[0].words}" if word == "else" and earlier else words, span.end)
    if any(other.is_certain and other.words == "#if 1" for other in earlier) or words in ("#if 0", "#if false"):
        branch.is_dead = True
    elif words in ("#if 1", "#if true") or (word == "else" and all(other.is_dead for other in earlier)):
        branch.is_certain = True
    return branch
