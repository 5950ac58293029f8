"""How many forgotten marks the linter finds: each ``!`` of the schemas of a library is taken away, one at a time.

    python tests/corpus/recall.py CHECKOUT... [--unseen] [-D NAME=VALUE]

Counted are arguments that a schema marks as written and an op of which a C++ kernel stands in the sources. A mark counts as found if
the op then has a finding, which it had not before, that names the argument as written. ``--unseen`` lists the others.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from opgen.build.collect import collect
from opgen.build.config.settings import DEFAULT_EXCLUDE
from opgen.build.globs import matches
from opgen.diagnostics import Diagnostic, Severity
from opgen.model.op import Op
from opgen.readers.cpp import read_cpp
from opgen.readers.registrations import Definition, Registrations
from opgen.records import dataclass
from opgen.rules.registrations.cpp import cpp_undeclared_write
from opgen.rules.registrations.cpp.kernels import cpp_kernels_of
from opgen.rules.registrations.joined import JoinedOp, join
from opgen.schema.aliases import is_written, kept_annotations
from opgen.schema.nodes import Argument
from opgen.source import DerivedText, Source

HEADS = ("library", "marks", "found", "errors", "warnings", "not found")


@dataclass(frozen=True)
class Mark:
    """A mark that was taken away, and what was found then: an error, a warning, or nothing."""

    op: str
    argument: str
    place: str
    found: Severity | None


def recall(registrations: Registrations) -> Iterator[Mark]:
    """Take each mark away, and judge its op."""
    for op in join(registrations).ops.values():
        if not any(kernel.function.body is not None for kernel in cpp_kernels_of(op)):
            continue
        definitions = [one for one in op.definitions if one.op is not None and one.statement.language == "cpp"]
        before = _named(registrations, op, [one.statement for one in definitions])
        marked = {argument.name for one in definitions for argument in _marked(one.op)}
        for argument in sorted(marked - before.keys()):
            found = _named(registrations, op, [_without(one.statement, one.op, argument) for one in definitions])
            place = definitions[0].statement.location
            yield Mark(op.name, argument, f"{place.source.path}:{place.start.line}", found.get(argument))


def _marked(op: Op) -> list[Argument]:
    return [argument for argument in op.schema.arguments if is_written(argument)]


def _without(statement: Definition, op: Op, name: str) -> Definition:
    """Take the mark of an argument away, and what else is in its set."""
    text = statement.schema.value
    annotation = next((kept_annotations(argument.type)[0] for argument in _marked(op) if argument.name == name), None)
    if annotation is None:
        return statement
    start, end = annotation.span
    written = text[start:end]
    text = text[:start] + text[end:]
    if written != "!":
        text = text.replace(written, "")
    return replace(statement, schema=DerivedText.at(text, statement.schema.locate()))


def _named(registrations: Registrations, op: JoinedOp, definitions: Iterable[Definition]) -> dict[str, Severity]:
    """Judge one op, and return the arguments that findings name."""
    alone = replace(registrations, definitions=tuple(definitions), implementations=op.implementations)
    found: dict[str, Severity] = {}
    for one in cpp_undeclared_write.check(join(alone)):
        found.setdefault(_argument(one), one.severity)
    return found


def _argument(diagnostic: Diagnostic) -> str:
    return re.findall(r"'(\w+)'", diagnostic.message)[0]


def read(checkout: Path, define: dict[str, str]) -> Registrations:
    """Read the C++ of a checkout."""
    sources = collect(
        [checkout], lambda path: any(matches(pattern, path.relative_to(checkout)) for pattern in DEFAULT_EXCLUDE)
    )
    texts = [Source(str(path), path.read_text(encoding="utf-8-sig", errors="replace")) for path in sources.cpp]
    return read_cpp(texts, define)


def row(name: str, marks: Sequence[Mark]) -> Sequence[str]:
    """Count the marks of a library."""
    errors, warnings = (sum(one.found is kind for one in marks) for kind in (Severity.ERROR, Severity.WARNING))
    found = errors + warnings
    share = f"{found} ({found / len(marks):.0%})" if marks else "0"
    return (name, str(len(marks)), share, str(errors), str(warnings), str(len(marks) - found))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("--unseen", action="store_true")
    parser.add_argument("-D", dest="define", action="append", default=[])
    given = parser.parse_args(arguments)
    define = dict(one.split("=", 1) for one in given.define)
    rows: list[Sequence[str]] = [HEADS, ("---",) * len(HEADS)]
    unseen: list[str] = []
    for checkout in given.checkouts:
        marks = list(recall(read(checkout, define)))
        rows.append(row(checkout.name, marks))
        unseen += [f"{one.place}: {one.op} '{one.argument}'" for one in marks if one.found is None]
    lines = [f"| {' | '.join(one)} |" for one in rows] + (unseen if given.unseen else [])
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
