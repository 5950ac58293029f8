"""Codes of findings about a whole library: forms that can't be derived, and valid entries that aren't supported yet."""

from __future__ import annotations

from opgen.diagnostics import Code, Severity
from opgen.diagnostics.codes import Example

UNSUPPORTED = Code(
    id="OPG890",
    name="not-generated-yet",
    severity=Severity.ERROR,
    summary="The declaration is valid, but this release can't generate code for it.",
    why="Nothing is left out silently: a generated library does everything that its declaration says.",
    remedy="leave it out for now; `opgen lint` checks it already",
)


def _file(*entries: str) -> Example:
    ops = "".join(f"  - {entry}\n" for entry in entries)
    return Example(f"opgen: 1\nnamespace: mylib\nops:\n{ops}")


_NORM = "func: norm(Tensor x) -> Tensor\n    autogen: [norm.out]\n    tensors: {x: 'float [n]', return: 'x.dtype [n]'}"

IMPOSSIBLE_VARIANT = Code(
    id="OPG511",
    name="impossible-variant",
    severity=Severity.ERROR,
    summary="`autogen` lists a form that can't be derived from the op.",
    why=(
        "An out= form needs outputs that are plain tensors of known sizes. A functional form allocates what the op "
        "overwrites; state that it reads and writes has no value before the call. An in-place form needs one output that "
        "can stand in for the first argument."
    ),
    bad=_file("func: store(Tensor(a!)[] caches, Tensor item) -> ()\n    autogen: [store.out]"),
    good=_file(_NORM),
    remedy="remove it from `autogen`, or declare the roles of written arguments (`overwrites`, `scratch`)",
)
TAKEN_VARIANT = Code(
    id="OPG516",
    name="taken-variant",
    severity=Severity.ERROR,
    summary="`autogen` lists an op that already exists.",
    why="A schema can be defined only once. A declared op has its own kernel, a derived one has none.",
    bad=_file(_NORM, "func: norm.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)"),
    good=_file(_NORM),
    remedy="remove it from `autogen`, or the other declaration",
)
