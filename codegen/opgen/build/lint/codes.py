"""Codes of mistakes in suppression comments, selections and baselines."""

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
    summary="A comment suppresses a finding that doesn't occur.",
    why="It would hide the next mistake of that kind, and tells readers of one that was fixed long ago.",
    remedy="remove the code from the comment",
    bad=Example(f"{_HEAD}  - func: clamp_(Tensor(a!) x) -> Tensor(a!)  # opgen: ignore[OPG400]\n    autograd: none\n"),
    good=_GOOD,
)
BAD_SUPPRESSION = Code(
    id="OPG196",
    name="bad-suppression",
    severity=Severity.WARNING,
    summary="A suppression comment names no existing code.",
    why=(
        "It suppresses nothing. A comment without codes would suppress everything, including findings that nobody "
        "has considered."
    ),
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
    summary="A module given to `--module` can't be imported.",
    why=(
        "opgen reads a module's registrations from a live process. It imports the module in a separate process, with "
        "the Python of `--python` and the project's folder first on `sys.path`; because the import failed, nothing "
        "was read."
    ),
    remedy="name a Python that can import it with `--python`, or lint its sources instead",
)
SILENT_MODULE = Code(
    id="OPG199",
    name="silent-module",
    severity=Severity.WARNING,
    summary="A module given to `--module` registers no op when it is imported.",
    why=(
        "So nothing was linted. Many libraries load their binary in a module below the package, `mylib._C`, or on a "
        "first call; opgen reads only what importing the module adds to PyTorch's dispatcher."
    ),
    remedy="name the module that loads the binary or defines the ops",
)
