"""Applies the fixes of findings, and proves that each removes its finding, before anything is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from opgen.build.lint.result import Linted
from opgen.diagnostics import Diagnostic, Edit, Severity
from opgen.records import dataclass

Texts: TypeAlias = Mapping[str, str]
"""Shown path of a changed file -> its new text."""

_ROUNDS = 20
"""The most rounds: a fix may reveal a second finding, and overlapping fixes have to wait for another round."""

_Key: TypeAlias = tuple[str, str, str]
_Place: TypeAlias = tuple[_Key, str]


@dataclass
class Fixed:
    """The result of fixing.

    Attributes:
        linted: the remaining findings.
        texts: the new texts of the files that changed.
        count: the number of findings that were fixed.
    """

    linted: Linted
    texts: dict[str, str] = field(default_factory=dict)
    count: int = 0


def fix(lint: Callable[[Texts], Linted], *, unsafe: bool) -> Fixed:
    """Apply all fixes that help; the result is stable, so that a second run would change nothing.

    All fixes of a round are tried together. If one of their findings stays, or a new error appears, each is tried
    alone, and those that don't help are skipped until another fix has been applied. Fixes of syntax errors come first:
    only these may reveal new errors, of rules that can now check the file.

    Args:
        lint: lints the sources, with these texts in place of the files on disk.
        unsafe: whether to apply fixes that may change what an op does as well.
    """
    fixed = Fixed(lint({}))
    refused: set[_Place] = set()
    for _ in range(_ROUNDS):
        chosen = _choose(fixed.linted.reported, unsafe=unsafe, refused=refused)
        if not chosen:
            break
        count = fixed.count
        if not _try(fixed, chosen, lint):
            for place in map(_place, chosen):
                again = next((one for one in fixed.linted.reported if _place(one) == place), None)
                if again is not None and not _try(fixed, [again], lint):
                    refused.add(place)
        if fixed.count > count:
            refused.clear()
    return fixed


def _choose(found: Iterable[Diagnostic], *, unsafe: bool, refused: set[_Place]) -> list[Diagnostic]:
    """Return findings whose fixes do not overlap; of two that do, the first one."""
    chosen: list[Diagnostic] = []
    taken: list[Edit] = []
    for diagnostic in found:
        fix_ = diagnostic.fix
        if fix_ is None or _place(diagnostic) in refused or (fix_.applicability == "unsafe" and not unsafe):
            continue
        if not any(_overlap(one, other) for one in fix_.edits for other in taken):
            chosen.append(diagnostic)
            taken += fix_.edits
    return [diagnostic for diagnostic in chosen if diagnostic.code.is_reading] or chosen


def _overlap(one: Edit, other: Edit) -> bool:
    """Whether two edits overlap or touch: an insertion beside a replaced text may depend on that text."""
    (start, end), (other_start, other_end) = one.location.span, other.location.span
    return one.location.source.path == other.location.source.path and start <= other_end and other_start <= end


def _try(fixed: Fixed, chosen: Sequence[Diagnostic], lint: Callable[[Texts], Linted]) -> bool:
    """Apply fixes if they help; return whether they did."""
    texts = {**fixed.texts, **_edited(chosen)}
    after = lint(texts)
    reads_more = all(diagnostic.code.is_reading for diagnostic in chosen)
    new_errors = _errors(after, only_reading=reads_more) - _errors(fixed.linted, only_reading=reads_more)
    if new_errors or not (
        _are_gone(chosen, fixed.linted.found, after.found) and _are_gone(chosen, fixed.linted.reported, after.reported)
    ):
        return False
    fixed.texts, fixed.linted, fixed.count = texts, after, fixed.count + len(chosen)
    return True


def _are_gone(chosen: Iterable[Diagnostic], before: Iterable[Diagnostic], after: Iterable[Diagnostic]) -> bool:
    """Whether the number of findings has decreased by that of the chosen ones."""
    left = Counter(map(_key, before)) - Counter(map(_key, chosen))
    now = Counter(map(_key, after))
    return all(now[key] <= left[key] for key in map(_key, chosen))


def _edited(chosen: Iterable[Diagnostic]) -> dict[str, str]:
    by_path: dict[str, list[Edit]] = {}
    for diagnostic in chosen:
        for edit in diagnostic.fix.edits if diagnostic.fix else ():
            by_path.setdefault(edit.location.source.path, []).append(edit)
    texts = {}
    for path, edits in by_path.items():
        text = edits[0].location.source.text
        for edit in sorted(edits, key=lambda edit: edit.location.span, reverse=True):
            start, end = edit.location.span
            text = text[:start] + edit.replacement + text[end:]
        texts[path] = text
    return texts


def _errors(linted: Linted, *, only_reading: bool) -> Counter[_Key]:
    errors = (diagnostic for diagnostic in linted.found if diagnostic.severity is Severity.ERROR)
    return Counter(_key(error) for error in errors if error.code.is_reading or not only_reading)


def _key(diagnostic: Diagnostic) -> _Key:
    """Return a key of a finding that doesn't change with the text around it, nor with the name of the op."""
    path = diagnostic.location.source.path if diagnostic.location else ""
    return (diagnostic.code.id, path, diagnostic.message)


def _place(diagnostic: Diagnostic) -> _Place:
    """Return a key that distinguishes a finding from the same one in another op."""
    return (_key(diagnostic), diagnostic.op or "")
