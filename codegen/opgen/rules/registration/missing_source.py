"""OPG514: a source file that an op names and that doesn't exist."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Library, Op
from opgen.rules.rule import Rule, finding, ops_yaml
from opgen.source import Text

CODE = Code(
    id="OPG514",
    name="missing-source",
    severity=Severity.ERROR,
    summary="`registered`, or the `file` of a kernel, names a file that does not exist.",
    why=(
        "Both refer to existing code. opgen writes a skeleton only to a file name that it chose itself: at a "
        "misspelt one, a skeleton would hide the mistake until the kernel is called."
    ),
    bad=ops_yaml("scale(Tensor x) -> Tensor\nregistered: csrc/bindings.cpp"),
    good=ops_yaml("scale(Tensor x) -> Tensor\ndispatch: {CPU: cpp}"),
    remedy="name an existing file, relative to the folder of the main file",
)


def check(op: Op, library: Library) -> Iterator[Diagnostic]:
    """Report missing files: the source of a hand-registered op, or the kernel files of another one."""
    root = Path(library.spec.path).parent
    for path in _named(op):
        if not (root / path.value).is_file():
            yield finding(CODE, op, f"there is no file '{path.value}'", path.locate())


def named_files(library: Library) -> Iterator[Path]:
    """Yield the files that ops name, whether they exist or not."""
    root = Path(library.spec.path).parent
    yield from (root / path.value for op in library.ops for path in _named(op))


def registered_files(library: Library) -> Iterator[Path]:
    """Yield the sources in which ops are registered by hand, once for each op."""
    root = Path(library.spec.path).parent
    yield from (root / op.registered for op in library.ops if op.registered is not None)


def _named(op: Op) -> Iterator[Text]:
    files = [entry.file for entry in op.spec.dispatch or ()]
    named = files if "dispatch" in op.spec.keys else [op.spec.registered, *files]
    return (path for path in named if isinstance(path, Text))


RULE = Rule(CODE, check)
