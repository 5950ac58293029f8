"""A rule: a kind of mistake, and how to find it in one op of a library."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from opgen.diagnostics import Code, Diagnostic, Fix, fix_text
from opgen.diagnostics.codes import Example
from opgen.diagnostics.diagnostic import Note
from opgen.diagnostics.fix import Applicability
from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.records import dataclass
from opgen.source import Location, Span, Text
from opgen.words import closest

Check: TypeAlias = Callable[[Op, Library], Iterator[Diagnostic]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of mistake.

    Attributes:
        code: its identity and its page; bad and good example are its tests.
        check: yields a diagnostic for each place of one op that has the mistake. What concerns several ops is
            reported at the later one.
        reads: keys of ``ops.yaml`` whose absence it draws conclusions from; where one of them is written and can't be
            read the rule is silent, since its finding would only follow from the first.
        contracts: those whose ops it looks at.
        judges_derived: whether it looks at ops that are derived, too: at their names, not at what they inherit.
    """

    code: Code
    check: Check
    reads: frozenset[str] = frozenset()
    contracts: frozenset[Contract] = frozenset(Contract)
    judges_derived: bool = False


def finding(  # noqa: PLR0913 - the parts of a Diagnostic
    code: Code,
    op: Op,
    message: str,
    place: Span | Location | None = None,
    *,
    help: str = "",  # noqa: A002 - the name of the field that it fills
    notes: tuple[Note, ...] = (),
    fix: Fix | None = None,
) -> Diagnostic:
    """Make a diagnostic about an op, at a span of its schema, at another place, or (default) at the whole schema."""
    location = place if isinstance(place, Location) else op.spec.func.locate(place)
    return Diagnostic(code, message, location, help or code.remedy, op.qualified_name, notes, fix=fix)


def repaired(op: Op, *edits: tuple[Span, str]) -> str:
    """Return the schema's text with some spans replaced, on one line and in backquotes."""
    text = op.spec.func.value
    for (start, end), replacement in sorted(edits, reverse=True):
        text = text[:start] + replacement + text[end:]
    return f"`{' '.join(text.split())}`"


def schema_fix(op: Op, title: str, *edits: tuple[Span, str], applicability: Applicability = "safe") -> Fix | None:
    """Make a fix of replacements in an op's schema; ``None`` where they can't be made in its file."""
    return fix_text(op.spec.func, edits, title, applicability)


def spelling_fix(text: Text, choices: Iterable[str]) -> Fix | None:
    """Make a fix that writes the closest choice, as `did_you_mean` asks; unsafe, since another may have been meant."""
    close = closest(text.value, choices)
    return fix_text(text, [(Span(0, len(text.value)), close)], f"write `{close}`", "unsafe") if close else None


def did_you_mean(word: str, choices: Iterable[str], otherwise: str = "") -> str:
    """Ask whether the closest choice was meant, or return ``otherwise``."""
    close = closest(word, choices)
    return f"did you mean '{close}'?" if close else otherwise


def listed(names: Iterable[str], word: str = "and") -> str:
    """Write names in quotes: ``'a', 'b' and 'c'``."""
    *others, last = (f"'{name}'" for name in names)
    return f"{', '.join(others)} {word} {last}" if others else last


def ops_yaml(*entries: str, head: str = "", beside: tuple[Example, ...] = ()) -> Example:
    """Make an example of a whole file from its ops, each the text of ``func`` and perhaps further lines of keys."""
    ops = "".join("  - func: " + entry.replace("\n", "\n    ") + "\n" for entry in entries)
    return Example(f"opgen: 1\nnamespace: mylib\n{head}ops:\n{ops}", beside=beside)
