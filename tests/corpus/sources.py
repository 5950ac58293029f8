"""What opgen makes of the sources of public libraries: a table of what it reads, imports, generates and compiles.

    python tests/corpus/sources.py CHECKOUT... [--compile COUNT] [-D NAME=VALUE]

Each checkout is imported by ``opgen import``, generated with skeletons for kernels, and its schemas are read back from what was
generated. With ``--compile`` so many of the generated units are given to the C++ compiler, spread over the library; a kernel for
CUDA is declared for CPU then, since what is generated for it is the same but for its launch.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from counting import count_cpp, count_python

from opgen.build.collect import Sources, collect
from opgen.build.config.settings import DEFAULT_EXCLUDE
from opgen.build.generate import generate
from opgen.build.globs import matches
from opgen.build.lint.registrations import read_registrations
from opgen.build.plan import plan_build
from opgen.build.toolchain import Toolchain, find_toolchain
from opgen.diagnostics import Severity
from opgen.emit.write import write
from opgen.importing.entries import Style, import_ops
from opgen.importing.entry import Imported
from opgen.importing.places import Places
from opgen.importing.run import written
from opgen.readers.registrations import Registrations
from opgen.rules.registrations.registry import judge_registrations
from opgen.spec.yaml import read_source

HEADS = (
    "library and commit",
    "C++",
    "counted",
    "Python",
    "counted",
    "operators",
    "declared",
    "not declared",
    "schemas equal",
    "compiled",
    "errors",
    "warnings",
)


def survey(checkout: Path, define: dict[str, str], units: int) -> list[str]:
    """Return the row of one library.

    Raises:
        RuntimeError: a unit does not compile, or a schema has changed on its way.
    """
    sources = collect([checkout], lambda path: _is_excluded(path.relative_to(checkout)))
    registrations, _ = read_registrations(sources, define, read_source)
    imported = import_ops(registrations, Places(checkout), Style(is_registered=False))
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "ops.yaml"
        made = written(imported, file, "opgen import .")
        assert not made.diagnostics, made.diagnostics
        file.write_text(_for_cpu(made.text) if units else made.text, encoding="utf-8")
        compiled = _generate(file, units)
        declared = {_qualified(entry.func, imported.namespace) for entry in made.imported.declared}
        _compare(declared, _generated_schemas(file.parent))
    return [
        checkout.name,
        *_counts(registrations, sources),
        *_results(made.imported),
        str(len(declared)),
        compiled,
        *_findings(registrations),
    ]


def _findings(registrations: Registrations) -> list[str]:
    found = Counter(one.severity for one in judge_registrations(registrations))
    return [str(found[Severity.ERROR]), str(found[Severity.WARNING])]


def _is_excluded(path: Path) -> bool:
    return any(matches(pattern, path) for pattern in DEFAULT_EXCLUDE)


def _counts(registrations: Registrations, sources: Sources) -> list[str]:
    """Count the statements that define ops, and those that can't be read, each once; beside it what was counted otherwise."""
    statements = [(one.location.source.path, one.location.span) for one in registrations.definitions]
    statements += [
        (one.location.source.path, one.location.span) for one in registrations.unread if "schema" in one.reason
    ]
    in_python = Counter(path.endswith((".py", ".pyi")) for path, _ in set(statements))
    texts = {path: path.read_text(encoding="utf-8-sig", errors="replace") for path in (*sources.cpp, *sources.python)}
    cpp = sum(count_cpp(texts[path]) for path in sources.cpp)
    python = sum(count_python(texts[path]) for path in sources.python)
    return [str(in_python[False]), str(cpp), str(in_python[True]), str(python)]


def _results(imported: Imported) -> list[str]:
    codes = Counter(re.findall(r"\((OPG\d+)\)", entry.refused)[-1] for entry in imported.entries if entry.refused)
    reasons = ", ".join(f"{code} {count}" for code, count in sorted(codes.items()))
    return [str(len(imported.entries)), str(len(imported.declared)), reasons]


def _for_cpu(text: str) -> str:
    """Declare the kernels for CUDA in C++ for CPU."""

    def declared(match: re.Match[str]) -> str:
        kernels = dict(pair.split(": ") for pair in match[1].split(", "))
        if kernels.get("CUDA") == "cuda":
            kernels = {"CPU": "cpp", **{key: kind for key, kind in kernels.items() if key != "CUDA"}}
        return f"dispatch: {{{', '.join(f'{key}: {kind}' for key, kind in kernels.items())}}}"

    return re.sub(r"dispatch: \{(.*)\}", declared, text)


def _generate(file: Path, units: int) -> str:
    generated = generate(file)
    errors = [one for one in generated.diagnostics if one.severity is Severity.ERROR]
    if generated.files is None or generated.library is None:
        raise RuntimeError(f"{file}: {errors[0].message}")
    assert write(file.parent, generated.files.compare(file.parent).pending) is None
    if not units:
        return ""
    toolchain = find_toolchain(None, (2, 10))
    assert isinstance(toolchain, Toolchain), toolchain
    plan = plan_build(generated.library, generated.files, toolchain, file.parent)
    entries = [entry for entry in json.loads(plan.compile_commands) if "/units/" in entry["file"]]
    chosen = entries[:: max(1, len(entries) // units)][:units]
    flags = ["-Werror", "-O0"]
    header = f"generated/csrc/{generated.library.package}/unit.h"
    for entry in chosen:
        words = [*entry["arguments"][: entry["arguments"].index("-c")], *flags]
        shared: list[str] = []
        if "/units/classic/" not in entry["file"]:
            if not Path(file.parent, f"{header}.gch").exists():
                _run([*words, "-w", "-x", "c++-header", header, "-o", f"{header}.gch"], file.parent)
            shared = ["-include", header]
        _run([*words, *shared, "-fsyntax-only", entry["file"]], file.parent)
    return f"{len(chosen)} of {len(entries)}"


def _run(command: list[str], folder: Path) -> None:
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(f"{command[-1]}: {run.stderr[:4000]}")


def _generated_schemas(folder: Path) -> set[str]:
    (path,) = folder.glob("generated/*/_schemas.py")
    calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    made = [call.args for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Operator"]
    return {f"{ast.literal_eval(namespace)}::{ast.literal_eval(schema)}" for namespace, schema, *_ in made}


def _qualified(func: str, namespace: str) -> str:
    return func if "::" in func.partition("(")[0] else f"{namespace}::{func}"


def _compare(declared: set[str], generated: set[str]) -> None:
    if declared != generated:
        raise RuntimeError(f"schemas have changed: {declared ^ generated}")


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", type=Path, nargs="+")
    parser.add_argument("--compile", type=int, default=0, metavar="COUNT", dest="units")
    parser.add_argument("-D", action="append", default=[], metavar="NAME=VALUE", dest="define")
    options = parser.parse_args()
    define = dict(pair.split("=", 1) for pair in options.define)
    _print(HEADS)
    _print(["---"] * len(HEADS))
    for checkout in options.checkouts:
        _print(survey(checkout, define, options.units))


def _print(cells: Sequence[str]) -> None:
    sys.stdout.write(f"| {' | '.join(cells)} |\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
