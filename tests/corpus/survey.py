"""What opgen makes of public libraries: a table of how many of their schemas it generates and compiles, and why not the rest.

    python tests/corpus/survey.py CORPUS [--build] [--only TEXT]

Each namespace of each repository becomes a library with skeletons for kernels. With ``--build`` each of them is compiled,
linked and loaded by ``opgen build``; without optimisation, since it is not the kernels' speed that is asked for.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from libraries import Library, libraries, reasons

from opgen.build.report import Report, Status
from opgen.emit.paths import WORK_FOLDER


@dataclass
class Row:
    """The numbers of one repository."""

    repository: str
    different: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    stable: int = 0
    classic: int = 0
    compiled: int = 0

    def add(self, library: Library) -> None:
        """Count one namespace, after it was generated."""
        self.different += len(library.schemas) + len(library.refused)
        self.refused += reasons(library)
        classic = sum("abi" in schema.keys for schema in library.schemas)
        self.classic += classic
        self.stable += len(library.schemas) - classic

    def cells(self, *, built: bool) -> list[str]:
        """Return the cells of the table."""
        codes = ", ".join(f"{code} {count}" for code, count in sorted(self.refused.items()))
        numbers = [self.different, self.stable, self.classic, *([self.compiled] if built else [])]
        return [self.repository, *map(str, numbers), codes]


def build(folder: Path) -> int:
    """Build one library and return how many ops have all their kernels compiled.

    The build itself fails, since a skeleton raises when it is called.

    Raises:
        RuntimeError: it was not.
    """
    command = [sys.executable, "-m", "opgen", "build", "-q"]
    environment = {**os.environ, "CXXFLAGS": "-O0 -Werror", "NO_COLOR": "1"}
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    try:
        report = Report.load(folder / WORK_FOLDER)
    except OSError:
        raise RuntimeError(f"{folder}: {run.stdout[-4000:]}{run.stderr[-4000:]}") from None
    broken = [row for row in report.rows if Status.BROKEN in row.backends.values()]
    if broken or not report.binary:
        sys.stderr.write(f"{folder}: {run.stdout[-4000:]}")
    return len(report.rows) - len(broken)


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--build", action="store_true")
    parser.add_argument("--only", default="", help="repositories whose name holds this")
    options = parser.parse_args()
    rows: dict[str, Row] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for library in libraries(options.corpus):
            if options.only not in library.repository:
                continue
            folder = Path(scratch) / library.repository.replace("/", "_") / library.namespace
            folder.mkdir(parents=True)
            library.generate(folder)
            row = rows.setdefault(library.repository, Row(library.repository))
            row.add(library)
            if options.build and library.schemas:
                row.compiled += build(folder)
    total = Row("all")
    for row in rows.values():
        for name in ("different", "refused", "stable", "classic", "compiled"):
            setattr(total, name, getattr(total, name) + getattr(row, name))
    heads = ["repository", "schemas", "stable", "classic", *(["compiled"] if options.build else []), "refused"]
    table = [heads, ["---"] * len(heads)]
    table += [row.cells(built=options.build) for row in sorted(rows.values(), key=lambda row: -row.different)]
    table.append(total.cells(built=options.build))
    sys.stdout.write("".join(f"| {' | '.join(cells)} |\n" for cells in table))


if __name__ == "__main__":
    main()
