"""A whole benchmark of a built library: chooses the kernels, compiles the hand-registered ops, measures both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from opgen.build.bench.by_hand import kernel_on_cpu, plan_by_hand
from opgen.build.bench.measure import Bench, measure
from opgen.build.bench.result import Result
from opgen.build.compile import compile_plan
from opgen.build.jobs import default_jobs
from opgen.build.progress import Progress
from opgen.build.request import Request
from opgen.build.toolchain import Toolchain, find_toolchain
from opgen.diagnostics import Diagnostic, has_errors
from opgen.emit.problems import refused
from opgen.emit.workspace import exclusive
from opgen.model.kernel import Kernel
from opgen.model.op import Library, Op
from opgen.records import dataclass


@dataclass(frozen=True, slots=True)
class Benchmark:
    """The outcome of a benchmark.

    Attributes:
        results: one for each op that was asked for, in that order; none if the hand-registered ops could not be built.
        diagnostics: the reasons why not.
        unable: whether the cause is this machine, which lacks something, or another running opgen.
    """

    results: tuple[Result, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    unable: bool = False


def bench(library: Library, ops: Sequence[Op], request: Request, turns: int, progress: Progress) -> Benchmark:
    """Measure ops of a library that ``request`` has built, both sides ``turns`` times."""
    kernels: dict[str, Kernel] = {}
    found: dict[str, Result] = {}
    for op in ops:
        kernel = kernel_on_cpu(op.declared, request.root)
        if isinstance(kernel, Kernel):
            kernels[op.declared.qualified_name] = kernel
        else:
            found[op.qualified_name] = Result(op.qualified_name, problem=kernel)
    if kernels:
        built = _built(library, kernels, request, turns, progress)
        if isinstance(built, Benchmark):
            return built
        names = [op.qualified_name for op in ops if op.qualified_name not in found]
        found |= {result.op: result for result in measure(built, names, lambda op: progress.note(f"calling {op}"))}
    return Benchmark(tuple(found[op.qualified_name] for op in ops))


def _built(
    library: Library, kernels: Mapping[str, Kernel], request: Request, turns: int, progress: Progress
) -> Bench | Benchmark:
    """Compile the hand-registered ops; return what to measure, or a benchmark with the reason why it can't be done."""
    root = request.root
    toolchain = find_toolchain(request.python, library.spec.torch, launcher=request.mode.launcher)
    if not isinstance(toolchain, Toolchain):
        return Benchmark(diagnostics=toolchain, unable=True)
    with exclusive(root, on_wait=progress.note) as locked:
        if locked is not None:
            return Benchmark(diagnostics=(locked,), unable=True)
        try:
            plan = plan_by_hand(library, kernels, toolchain, root, request.mode)
            jobs = request.jobs or default_jobs(classic=any(unit.is_classic for unit in plan.units))
            with progress.compiling():
                compilation = compile_plan(plan, toolchain, root, jobs, progress.step)
        except OSError as error:
            return Benchmark(diagnostics=(refused(root, error, "write"),))
    if has_errors(compilation.diagnostics):
        return Benchmark(diagnostics=compilation.diagnostics)
    environment = request.mode.environment(toolchain.compiler)
    return Bench(toolchain.python, root, environment, [binary.path for binary in plan.binaries], turns)
