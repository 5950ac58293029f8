"""Compiles and links a plan, and turns the compiler's messages into diagnostics that name the op."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from opgen.build import codes
from opgen.build.compiler_output import CompilerMessage, first_linker_message, read_messages
from opgen.build.layout import Unit
from opgen.build.plan import Plan
from opgen.build.run_ninja import Outcome, Step, remove_dead_outputs, run_ninja
from opgen.build.toolchain import Toolchain
from opgen.diagnostics import Code, Diagnostic
from opgen.diagnostics.diagnostic import Note
from opgen.emit.paths import WORK_FOLDER
from opgen.model.kernel import Kernel
from opgen.records import dataclass
from opgen.source import Location, Source, Span
from opgen.spec.yaml import shown_path

LOG_FILE = f"{WORK_FOLDER}/compiler.log"


@dataclass(frozen=True, slots=True)
class Compilation:
    """The result of compiling a plan.

    Attributes:
        failed: the paths of the units that did not compile.
        linked: whether the binaries exist and are up to date with the sources.
        finished: whether ninja itself succeeded, even if compilers failed.
        diagnostics: the errors and warnings of compiler and linker.
        log: the whole output of compiler and linker.
    """

    failed: frozenset[str]
    linked: bool
    finished: bool
    diagnostics: tuple[Diagnostic, ...]
    log: str


def compile_plan(
    plan: Plan, toolchain: Toolchain, root: Path, jobs: int, on_step: Callable[[Step], None]
) -> Compilation:
    """Write the ninja file and run it.

    Raises:
        OSError: the work folder can't be written.
    """
    for header in plan.precompiled:
        (root / header.header).parent.mkdir(exist_ok=True)
        write_if_changed(root / header.header, header.text)
    if write_if_changed(root / plan.ninja_file, plan.ninja_text):
        remove_dead_outputs(toolchain.ninja, root, plan.ninja_file)
    write_if_changed(root / plan.folder / "compile_commands.json", plan.compile_commands)
    run = run_ninja(toolchain.ninja, root, jobs, on_step, plan.ninja_file)
    units = {unit.path: unit for unit in (*plan.units, *(Unit(header.header) for header in plan.precompiled))}
    log = "".join(f"--- {outcome.what}\n{outcome.output}\n" for outcome in run.outcomes) + run.complaint
    (root / LOG_FILE).write_text(log, encoding="utf-8")
    diagnostics = [
        diagnostic
        for outcome in run.outcomes
        for diagnostic in (
            _of_unit(root, outcome, units[outcome.what]) if outcome.what in units else _of_link(outcome, plan)
        )
    ]
    if run.complaint:
        message = f"ninja gave up: {run.complaint}"
        diagnostics.append(Diagnostic(codes.COMPILE_ERROR, message, None, f"all output is in {LOG_FILE}"))
    broken = {outcome.what for outcome in run.outcomes if outcome.failed}
    return Compilation(
        failed=frozenset(broken & set(units)),
        linked=not broken and not run.complaint,
        finished=not run.complaint,
        diagnostics=tuple(diagnostics),
        log=log,
    )


def _of_unit(root: Path, outcome: Outcome, unit: Unit) -> Iterator[Diagnostic]:
    """Yield the first error of a unit that failed, or else its warnings."""
    messages = read_messages(outcome.output)
    op = unit.op.qualified_name if unit.op else None
    if not outcome.failed:
        for message in messages:
            yield _finding(root, message, codes.COMPILE_WARNING, codes.COMPILE_WARNING.remedy, op)
        return
    errors = [message for message in messages if message.kind == "error"]
    if not errors:
        last = (outcome.output.strip().splitlines() or ["the compiler gave no reason"])[-1]
        yield Diagnostic(codes.COMPILE_ERROR, f"'{unit.path}' does not compile: {last}", None, _see_log(0), op)
        return
    first = _finding(root, errors[0], codes.COMPILE_ERROR, _see_log(len(errors) - 1), op)
    kernel = _kernel_location(root, unit.kernel) if unit.kernel and errors[0].path != unit.kernel.path else None
    if kernel is None:
        yield first
    elif unit.op and errors[0].text.startswith(f"{op}: "):  # a generated assertion, whose own place is of no use
        yield replace(first, location=kernel, notes=(Note("the op is declared here", unit.op.location),))
    else:
        yield replace(first, notes=(Note("the kernel stands here", kernel),))


def _of_link(outcome: Outcome, plan: Plan) -> Iterator[Diagnostic]:
    if not outcome.failed:
        return
    text, remedy = first_linker_message(outcome.output), codes.LINK_ERROR.remedy
    files = Counter(unit.kernel.path for unit in plan.units if unit.kernel)
    shared = ", ".join(f"'{path}'" for path, count in sorted(files.items()) if count > 1)
    if shared and text.startswith("multiple definition"):
        remedy = f"each kernel's unit includes {shared}: make the functions there `inline`, or put them into an unnamed namespace"
    yield Diagnostic(codes.LINK_ERROR, text, None, f"{remedy}; all output is in {LOG_FILE}")


def _see_log(others: int) -> str:
    more = f"; {others} more error{'s' if others > 1 else ''} in {LOG_FILE}" if others else f"; see {LOG_FILE}"
    return codes.COMPILE_ERROR.remedy + more


def _finding(root: Path, message: CompilerMessage, code: Code, help_: str, op: str | None) -> Diagnostic:
    location = _location(root, message)
    text = message.text if op is None or op in message.text else f"{op}: {message.text}"
    if location is None:
        text = f"{message.path}:{message.line}:{message.column}: {text}"
    return Diagnostic(code, text, location, help_, op)


def _location(root: Path, message: CompilerMessage) -> Location | None:
    """Return the location of a message, ``None`` if its file, perhaps a system header, can't be read."""
    source = _read(root / message.path)
    lines = source.text.split("\n") if source else []
    if source is None or message.line > len(lines):
        return None
    line = lines[message.line - 1]
    start = sum(len(before) + 1 for before in lines[: message.line - 1])
    first = min(message.column - 1, len(line))
    word = re.match(r"\w+|.?", line[first:])
    return Location(source, Span(start + first, start + first + (word.end() if word else 0)))


def _kernel_location(root: Path, kernel: Kernel) -> Location | None:
    """Return the location of the author's function: the first occurrence of its name before ``(``, comments aside."""
    name = kernel.symbol.rpartition("::")[2]
    source = _read(root / kernel.path)
    match = re.search(rf"^[^/\n]*?\b({re.escape(name)})\s*\(", source.text, re.MULTILINE) if source else None
    return Location(source, Span(*match.span(1))) if source and match else None


def _read(path: Path) -> Source | None:
    try:
        return Source(shown_path(path), path.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return None


def write_if_changed(path: Path, text: str) -> bool:
    """Write a file, unless it has this text already; return whether it was written."""
    data = text.encode("utf-8", errors="surrogateescape")
    if path.is_file() and path.read_bytes() == data:
        return False
    path.write_bytes(data)
    return True
