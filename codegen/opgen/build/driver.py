"""A whole build: checks, generates, compiles, loads and calls the library, and reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from opgen.build import codes, fingerprint
from opgen.build.compile import Compilation, compile_plan
from opgen.build.custom_templates import watched_templates
from opgen.build.generate import generate
from opgen.build.jobs import default_jobs
from opgen.build.orphans import orphans_at_work
from opgen.build.plan import Plan, plan_build
from opgen.build.progress import Progress
from opgen.build.report import Report, Row, Status, status_of
from opgen.build.request import Request
from opgen.build.smoke import SUCCESSES, SmokeRun, run_smoke_test
from opgen.build.toolchain import Toolchain, find_toolchain
from opgen.diagnostics import Diagnostic, has_errors, ordered
from opgen.emit.file_set import FileSet
from opgen.emit.kernel_files import KernelState, kernel_state
from opgen.emit.paths import WORK_FOLDER
from opgen.emit.problems import refused
from opgen.emit.stray_kernels import stray_kernels
from opgen.emit.workspace import exclusive
from opgen.emit.write import write
from opgen.model.kernel import Kernel
from opgen.model.op import Library, Op
from opgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Build:
    """The outcome of a build.

    Attributes:
        diagnostics: the findings of every stage that was reached.
        report: the table at the end; ``None`` if the build ended before compiling.
        unable: whether the cause of failure is this machine, which lacks something, or another running opgen.
        log: the whole output of compiler and linker.
    """

    diagnostics: tuple[Diagnostic, ...]
    report: Report | None = None
    unable: bool = False
    log: str = ""


def build(request: Request, progress: Progress) -> Build:
    """Build a library, as far as it is valid and this machine has the tools."""
    generated = generate(request.file)
    if generated.library is None or generated.files is None:
        return Build(generated.diagnostics)
    compiles = any(op.is_compiled for op in generated.library.ops)
    toolchain = find_toolchain(
        request.python, generated.library.spec.torch, compiles=compiles, launcher=request.mode.launcher
    )
    if not isinstance(toolchain, Toolchain):
        return Build((*generated.diagnostics, *toolchain), unable=True)
    if missing := toolchain.missing(request.required):
        return Build((*generated.diagnostics, *missing), unable=True)
    with exclusive(request.root, on_wait=progress.note) as locked:
        if locked is not None:
            return Build((*generated.diagnostics, locked), unable=True)
        try:
            made = _make(request, generated.library, generated.files, toolchain, progress)
        except OSError as error:
            made = Build((refused(request.root, error, "write"),))
    diagnostics = (*generated.diagnostics, *made.diagnostics)
    return Build(diagnostics, made.report, made.unable, made.log)


def _make(request: Request, library: Library, files: FileSet, toolchain: Toolchain, progress: Progress) -> Build:
    root, work = request.root, request.root / WORK_FOLDER
    fingerprint.forget(work)
    comparison = files.compare(root)
    if comparison.diagnostics:
        return Build(comparison.diagnostics)
    if problem := write(root, comparison.pending):
        return Build((problem,))
    for path in comparison.new_kernels:
        progress.note(f"new kernel to write: {path}")
    strays = tuple(stray_kernels(root, comparison))
    plan = plan_build(library, files, toolchain, root.resolve(), request.mode)
    jobs = request.jobs or default_jobs(classic=any(unit.is_classic for unit in plan.units))
    if orphans_at_work(root):
        progress.note("waiting for compilers of a build that was killed")
    with progress.compiling():
        compilation = compile_plan(plan, toolchain, root, jobs, progress.step)
    if not compilation.finished:
        return Build((*strays, *compilation.diagnostics), log=compilation.log)
    smoke = SmokeRun()
    if compilation.linked and request.calls:
        progress.note("calling every op once")
        smoke = run_smoke_test(toolchain.python, root, request.mode.environment(toolchain.compiler))
    diagnostics = (*strays, *compilation.diagnostics, *ordered(_smoke_findings(library, smoke)))
    report = _report(request.root, library, plan, compilation, smoke, _left_out(toolchain))
    report.save(work)
    if request.calls and not has_errors(diagnostics):
        fingerprint.save(work, _inputs(request, library, files, toolchain), request.started)
    return Build(diagnostics, report, log=compilation.log)


def _smoke_findings(library: Library, smoke: SmokeRun) -> Iterator[Diagnostic]:
    remedy = codes.SMOKE_TEST.remedy
    if smoke.complaint:
        yield Diagnostic(codes.SMOKE_TEST, smoke.complaint, None, remedy)
    for op in library.ops:
        for key, result in smoke.results.get(op.qualified_name, {}).items():
            if result not in SUCCESSES:
                yield Diagnostic(codes.SMOKE_TEST, f"on {key}: {result}", op.location, remedy, op.qualified_name)


def _report(  # noqa: PLR0913, PLR0917 - what each stage of a build found
    root: Path, library: Library, plan: Plan, compilation: Compilation, smoke: SmokeRun, left_out: Mapping[str, Status]
) -> Report:
    broken = {
        (unit.op.qualified_name, unit.kernel.dispatch_key)
        for unit in plan.units
        if unit.path in compilation.failed and unit.op and unit.kernel
    }
    rows = tuple(
        Row(
            op.qualified_name,
            op.contract.value,
            _statuses(op, broken, smoke.results.get(op.qualified_name, {}), left_out, root),
            op.declared.qualified_name if op.is_derived else "",
        )
        for op in library.ops
    )
    binaries = ", ".join(binary.path for binary in plan.binaries)
    return Report(rows, binaries if compilation.linked else "", compilation.linked)


def _statuses(
    op: Op, broken: set[tuple[str, str]], results: Mapping[str, str], left_out: Mapping[str, Status], root: Path
) -> dict[str, Status]:
    if op.registered:
        return {key: status_of(result, is_compiled=False) for key, result in results.items()}
    return {
        kernel.dispatch_key: Status.BROKEN
        if (op.declared.qualified_name, kernel.dispatch_key) in broken
        else left_out.get(kernel.kind) or _reached(kernel, results.get(kernel.dispatch_key), root)
        for kernel in op.kernels
    }


def _left_out(toolchain: Toolchain) -> dict[str, Status]:
    """Return the kinds of kernels that this machine can't build, each with the status that says why."""
    found = {"cuda": toolchain.cuda} if isinstance(toolchain.cuda, Status) else {}
    return found if toolchain.triton else {**found, "triton": Status.NO_TRITON}


def _reached(kernel: Kernel, result: str | None, root: Path) -> Status:
    is_to_write = result not in SUCCESSES and kernel_state(root, kernel) is KernelState.SKELETON
    return Status.NOT_WRITTEN if is_to_write else status_of(result, is_compiled=kernel.is_compiled)


def _inputs(request: Request, library: Library, files: FileSet, toolchain: Toolchain) -> fingerprint.Inputs:
    root = request.root.resolve()
    generated = [str(root / file.path) for file in files.files if not file.once]
    return fingerprint.Inputs(
        options=request.options,
        sources=tuple(sorted(str(Path(file).resolve()) for file in library.spec.files)),
        watched=tuple(sorted([*generated, *watched_templates(root), str(toolchain.torch.version_file)])),
        expected=tuple(sorted(str(root / file.path) for file in files.files if file.once)),
        ninja=toolchain.ninja,
    )
