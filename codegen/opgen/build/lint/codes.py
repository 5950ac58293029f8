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
MODULE_NOT_IMPORTED = Code(
    id="OPG198",
    name="module-not-imported",
    severity=Severity.ERROR,
    summary="A module that is to be linted by `--module` can't be imported.",
    why=(
        "A live process is asked what a module registers. It is imported in a process of its own, by the Python of `--python` and "
        "with the project's folder in front of `sys.path`; nothing was read of it."
    ),
    remedy="name a Python that can import it with `--python`, or lint its sources instead",
)
SILENT_MODULE = Code(
    id="OPG199",
    name="silent-module",
    severity=Severity.WARNING,
    summary="A module that is to be linted by `--module` registers no op when it is imported.",
    why=(
        "Then nothing was linted. Many libraries load their binary in a module below the package, `mylib._C`, or on a first "
        "call; only what importing the module adds to PyTorch's dispatcher is read."
    ),
    remedy="name the module that loads the binary or defines the ops",
)
