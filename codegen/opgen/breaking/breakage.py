"""A finding of a comparison: a diagnostic, and whom it hits."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.breaking.category import Category
from opgen.breaking.pair import Pair
from opgen.diagnostics import Code, Diagnostic
from opgen.diagnostics.codes import Example
from opgen.diagnostics.diagnostic import Note
from opgen.records import dataclass
from opgen.source import Location, Span


@dataclass(frozen=True, slots=True)
class Breakage:
    """One change that breaks callers.

    Attributes:
        diagnostic: its message ends in the names of the categories, so that every format shows them.
        categories: at least one.
    """

    diagnostic: Diagnostic
    categories: frozenset[Category]


def breakage(  # noqa: PLR0913 - the parts of a Diagnostic
    code: Code,
    op: str | None,
    message: str,
    categories: Iterable[Category],
    place: Location | None,
    *,
    before: Location | None = None,
    help: str = "",  # noqa: A002 - the name of the field that it fills
) -> Breakage:
    """Make a finding.

    Args:
        code: the kind of change.
        op: the qualified name, ``None`` where it is about the whole library.
        message: what was and what is.
        categories: whom it hits.
        place: in the new file.
        before: what stood in the old one.
        help: the remedy; without one that of the code.
    """
    hit = frozenset(categories)
    names = ", ".join(category.value for category in Category if category in hit)
    notes = (Note("this is how it was", before),) if before is not None else ()
    diagnostic = Diagnostic(code, f"{message} (breaks {names})", place, help or code.remedy, op, notes)
    return Breakage(diagnostic, hit)


def changed(  # noqa: PLR0913, PLR0917 - as above
    code: Code,
    pair: Pair,
    message: str,
    categories: Iterable[Category],
    new: Span | Location | None = None,
    old: Span | Location | None = None,
    *,
    help: str = "",  # noqa: A002 - as above
) -> Breakage:
    """Make a finding about an op that both sides have, at spans of its schemas, or at other places."""
    if pair.new.is_derived:  # whose place is its name under `autogen`
        message = f"{pair.new.qualified_name}: {message}"
    place = new if isinstance(new, Location) else pair.new.spec.func.locate(new)
    before = old if isinstance(old, Location) else pair.old.spec.func.locate(old)
    return breakage(code, pair.new.qualified_name, message, categories, place, before=before, help=help)


def diff(*lines: str, head: str = "") -> Example:
    """Make an example: lines of an ``ops.yaml`` below ``ops:``, those only in the old one with ``-``, in the new one ``+``.

    A line begins with ``-``, ``+`` or a blank, as in a unified diff.
    """
    common = ["opgen: 1", "namespace: mylib", *filter(None, [head]), "ops:"]
    return Example("".join(f"{line}\n" for line in [*(f" {line}" for line in common), *lines]), "ops.yaml.diff")


def sides(example: Example) -> tuple[str, str]:
    """Return the old and the new file of such an example."""
    lines = example.text.splitlines(keepends=True)
    old, new = ([line[1:] for line in lines if line[0] in f" {sign}"] for sign in "-+")
    return "".join(old), "".join(new)
