"""What opgen makes of public libraries: a table of how many of their schemas it generates and compiles, and why not the rest.

    python tests/corpus/survey.py CORPUS [--build COUNT] [--only TEXT]

Each namespace of each repository becomes a library with skeletons for kernels. With ``--build`` libraries of so many ops in
all are compiled, linked and loaded by ``opgen build``; without optimisation, since the kernels' speed is not what is asked
for.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from libraries import Library, libraries, reasons

from opgen.build.generate import Generated
from opgen.build.plan import plan_build
from opgen.build.report import Report, Status
from opgen.build.toolchain import Toolchain, find_toolchain
from opgen.emit.paths import WORK_FOLDER
from opgen.emit.write import write

FLAGS = "-O0 -Werror"


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


def build(folder: Path, generated: Generated) -> int:
    """Build one library and return how many ops have all their kernels compiled.

    The build itself fails, since a skeleton raises when it is called.

    Raises:
        RuntimeError: it was not.
    """
    flags = f"{FLAGS} {precompile(folder, generated)}"
    command = [sys.executable, "-m", "opgen", "build", "-q"]
    environment = {**os.environ, "CXXFLAGS": flags, "NO_COLOR": "1"}
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    try:
        report = Report.load(folder / WORK_FOLDER)
    except OSError:
        raise RuntimeError(f"{folder}: {run.stdout[-4000:]}{run.stderr[-4000:]}") from None
    broken = [row for row in report.rows if Status.BROKEN in row.backends.values()]
    if broken or not report.linked:
        sys.stderr.write(f"{folder}: {run.stdout[-4000:]}")
    return len(report.rows) - len(broken)


def precompile(folder: Path, generated: Generated) -> str:
    """Compile the shared header of the stable units once for all of them; return the flag that makes use of it.

    Not where some units are classic, which would be given the flag, too.
    """
    os.environ["CXXFLAGS"] = FLAGS
    toolchain = find_toolchain(None, (2, 10))
    assert generated.library is not None
    assert generated.files is not None
    assert isinstance(toolchain, Toolchain), toolchain
    comparison = generated.files.compare(folder)
    assert write(folder, comparison.pending) is None
    plan = plan_build(generated.library, generated.files, toolchain, folder)
    header = f"{generated.library.package}/unit.h"
    if any(op.abi == "classic" for op in generated.library.ops):
        return ""
    for entry in json.loads(plan.compile_commands):
        arguments = entry["arguments"]
        if "/units/cpu/" in entry["file"]:
            command = [*arguments[: arguments.index("-c")], "-w", "-x", "c++-header", f"generated/csrc/{header}"]
            subprocess.run([*command, "-o", f"generated/csrc/{header}.gch"], cwd=folder, check=True)
            return f"-include {header}"
    return ""


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--build", type=int, default=0, metavar="COUNT", help="compile libraries of so many ops")
    parser.add_argument("--only", default="", help="repositories whose name holds this")
    options = parser.parse_args()
    rows: dict[str, Row] = {}
    with tempfile.TemporaryDirectory() as scratch:
        chosen = [library for library in libraries(options.corpus) if options.only in library.repository]
        for library in sorted(chosen, key=lambda library: -len(library.schemas)):
            folder = Path(scratch) / library.repository.replace("/", "_") / library.namespace
            folder.mkdir(parents=True)
            generated = library.generate(folder)
            row = rows.setdefault(library.repository, Row(library.repository))
            row.add(library)
            if library.schemas and sum(row.compiled for row in rows.values()) < options.build:
                row.compiled += build(folder, generated)
    total = Row("all")
    for row in rows.values():
        for name in ("different", "refused", "stable", "classic", "compiled"):
            setattr(total, name, getattr(total, name) + getattr(row, name))
    heads = ["repository", "schemas", "stable", "classic", *(["compiled"] if options.build else []), "refused"]
    table = [heads, ["---"] * len(heads)]
    table += [row.cells(built=options.build > 0) for row in sorted(rows.values(), key=lambda row: -row.different)]
    table.append(total.cells(built=options.build > 0))
    sys.stdout.write("".join(f"| {' | '.join(cells)} |\n" for cells in table))


if __name__ == "__main__":
    main()
