"""The mistakes of what tells the linter to be silent."""

from __future__ import annotations

from opgen.diagnostics.codes import Code, Example, Severity

_HEAD = "opgen: 1\nnamespace: mylib\nops:\n"
_GOOD = Example(
    f"{_HEAD}  - func: clamp_(Tensor(a!) x, int low=0.5) -> Tensor(a!)  # opgen: ignore[OPG400]\n    autograd: none\n"
)

UNUSED_SUPPRESSION = Code(
    id="OPG195",
    name="unused-suppression",
    severity=Severity.WARNING,
    summary="A comment suppresses a finding that is not there.",
    why="It hides the next mistake of that kind, and tells its readers of one that was mended long ago.",
    remedy="remove the code from the comment",
    bad=Example(f"{_HEAD}  - func: clamp_(Tensor(a!) x) -> Tensor(a!)  # opgen: ignore[OPG400]\n    autograd: none\n"),
    good=_GOOD,
)
BAD_SUPPRESSION = Code(
    id="OPG196",
    name="bad-suppression",
    severity=Severity.WARNING,
    summary="A comment that is to suppress findings names no code that exists.",
    why="It suppresses nothing. Without codes it would suppress everything, also what nobody has thought of.",
    remedy="name the codes in brackets: `opgen: ignore[OPG203, OPG301]`",
    bad=Example(f"{_HEAD}  - func: clamp_(Tensor(a!) x) -> Tensor(a!)  # opgen: ignore\n    autograd: none\n"),
    good=_GOOD,
)
BAD_BASELINE = Code(
    id="OPG197",
    name="bad-baseline",
    severity=Severity.ERROR,
    summary="The baseline can't be read.",
    why="Without it every known finding would be reported as a new one.",
    remedy="write it anew by `opgen lint --write-baseline`, or name another by `--baseline`",
)
