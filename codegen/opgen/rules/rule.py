"""The class of rules over one op of a library, and helpers for writing rules."""

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
        code: its code, with its page; bad and good example are its tests.
        check: yields a diagnostic for each place in one op with the mistake. A mistake that concerns several ops is
            reported at the later one.
        reads: the keys of ``ops.yaml`` whose absence it draws conclusions from. If such a key is written and can't be
            read, the rule is not run, since its finding could be a mere consequence of that mistake.
        contracts: the contracts whose ops it checks.
        judges_derived: whether it also checks derived ops, as rules about names do.
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
    """Return the schema's text with some spans replaced, on one line and in backquotes, for a remedy."""
    text = op.spec.func.value
    for (start, end), replacement in sorted(edits, reverse=True):
        text = text[:start] + replacement + text[end:]
    return f"`{' '.join(text.split())}`"


def schema_fix(op: Op, title: str, *edits: tuple[Span, str], applicability: Applicability = "safe") -> Fix | None:
    """Make a fix that replaces spans of an op's schema; ``None`` if they can't be replaced in its file."""
    return fix_text(op.spec.func, edits, title, applicability)


def spelling_fix(text: Text, choices: Iterable[str]) -> Fix | None:
    """Make a fix that writes the closest choice, as `did_you_mean` suggests; unsafe, as another may be meant."""
    close = closest(text.value, choices)
    return fix_text(text, [(Span(0, len(text.value)), close)], f"write `{close}`", "unsafe") if close else None


def did_you_mean(word: str, choices: Iterable[str], otherwise: str = "") -> str:
    """Return "did you mean" with the closest choice, or ``otherwise`` if none is close."""
    close = closest(word, choices)
    return f"did you mean '{close}'?" if close else otherwise


def listed(names: Iterable[str], word: str = "and") -> str:
    """Write names in quotes: ``'a', 'b' and 'c'``."""
    *others, last = (f"'{name}'" for name in names)
    return f"{', '.join(others)} {word} {last}" if others else last


def ops_yaml(*entries: str, head: str = "", beside: tuple[Example, ...] = ()) -> Example:
    """Make an example ``ops.yaml`` from its ops: each a text of ``func``, perhaps with lines of further keys."""
    ops = "".join("  - func: " + entry.replace("\n", "\n    ") + "\n" for entry in entries)
    return Example(f"opgen: 1\nnamespace: mylib\n{head}ops:\n{ops}", beside=beside)
