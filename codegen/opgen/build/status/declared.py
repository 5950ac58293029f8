"""The status of the ops that an ``ops.yaml`` declares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from opgen.build.status.facts import NOTHING, Fact, Matrix, OpStatus, missing, other, ready
from opgen.diagnostics import Diagnostic, Severity
from opgen.emit.kernel_files import KernelState, kernel_state
from opgen.model.contract import Contract
from opgen.model.op import Library, Op
from opgen.rules.registration.missing_fake import undescribed
from opgen.rules.registration.unstated_autograd import lacks_statement
from opgen.source import Text


def status_of_library(
    library: Library, found: Iterable[Diagnostic], root: Path, by_hand: Mapping[str, Sequence[str]] | None = None
) -> Matrix:
    """Return the status of each op, derived ones included.

    Args:
        library: the library.
        found: the findings about it.
        root: the folder of the project, with the kernels.
        by_hand: qualified name -> the dispatch keys for which sources register kernels.
    """
    errors = Counter(one.op for one in found if one.severity is Severity.ERROR)
    return Matrix(
        tuple(_status(op, errors[op.qualified_name], _backends(op, root, by_hand or {})) for op in library.ops)
    )


def _status(op: Op, errors: int, backends: Mapping[str, Fact]) -> OpStatus:
    facts = {
        "schema": schema_fact(errors),
        "fake": _fake(op),
        "autograd": _autograd(op),
        "autocast": _stated(op.spec.autocast),
        "vmap": _stated(op.spec.vmap),
        "tests": _tests(op),
        "docs": ready("yes") if op.doc else missing(),
    }
    return OpStatus(op.qualified_name, op.contract.value, op.location, facts, backends)


def schema_fact(errors: int) -> Fact:
    """Return the fact about an op's schema, given the number of its errors."""
    return missing(f"{errors} error{'s' * (errors > 1)}") if errors else ready("ok")


def _fake(op: Op) -> Fact:
    if op.fake == "none":
        return other("none")
    if op.fake is not None:
        return ready("given")
    if any(kernel.dispatch_key == "CompositeImplicitAutograd" for kernel in op.declared.kernels):
        return other("composite")
    return missing() if undescribed(op) else ready("derived")


def _autograd(op: Op) -> Fact:
    """Return the fact about autograd, which only functional ops can lack: the others refuse gradients at the call."""
    stated = op.spec.autograd
    if isinstance(stated, tuple):
        return ready("formulas")
    if stated is not None:
        return ready("composite") if stated.value == "composite" else other(stated.value)
    if lacks_statement(op):
        return missing("not stated")
    return NOTHING if op.contract is Contract.FUNCTIONAL else other("refused")


def _stated(value: Text | None) -> Fact:
    """Return the fact about a key without which PyTorch's fallback works, so that nothing is missing."""
    if value is None:
        return NOTHING
    return other("none") if value.value == "none" else ready(value.value if ":" not in value.value else "given")


def _tests(op: Op) -> Fact:
    if op.spec.tests.skip is not None:
        return missing("skipped")
    return ready("reference") if op.reference is not None else missing("no reference")


def _backends(op: Op, root: Path, by_hand: Mapping[str, Sequence[str]]) -> Mapping[str, Fact]:
    if op.declared.registered is not None:
        return {key: ready("registered") for key in by_hand.get(op.declared.qualified_name, ())}
    if op.spec.pointwise or op.spec.reduce:
        return {kernel.dispatch_key: ready("generated") for kernel in op.declared.kernels}
    states = {kernel.dispatch_key: kernel_state(root, kernel) for kernel in op.declared.kernels}
    return {
        key: ready(state.value) if state is KernelState.WRITTEN else missing(state.value)
        for key, state in states.items()
    }
