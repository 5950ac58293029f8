"""Resolves the tensor contract of one op: collects the steps of its plan from the parts of the contract."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from opgen.diagnostics import Diagnostic
from opgen.model.codes import UNSUPPORTED
from opgen.model.op import Argument, Output
from opgen.model.tensor_contract import codes
from opgen.model.tensor_contract.binding import Binder
from opgen.model.tensor_contract.branches import Branches
from opgen.model.tensor_contract.devices import Devices
from opgen.model.tensor_contract.dtypes import Dtypes, is_one
from opgen.model.tensor_contract.entries import Entry, read_entries, shared
from opgen.model.tensor_contract.expressions import Expressions
from opgen.model.tensor_contract.guards import Fact, Guard, implications
from opgen.model.tensor_contract.layouts import Layouts, layouts_of
from opgen.model.tensor_contract.linear import names_in, operands
from opgen.model.tensor_contract.outputs import Outputs
from opgen.model.tensor_contract.scope import Scope
from opgen.model.tensors import (
    CheckCondition,
    CheckDtype,
    CheckRank,
    CheckValues,
    DtypeArgument,
    DtypeEither,
    DtypeLike,
    DtypeSet,
    ResolvedDtype,
    Step,
    TensorContract,
)
from opgen.schema.nodes import OptionalType
from opgen.spec.dtypes import DTYPES
from opgen.spec.expression import Call, Expression, Name, Size
from opgen.spec.library import LibrarySpec, OpSpec
from opgen.spec.report import Report
from opgen.spec.tensor_spec import DtypeName, ValueOffsets, ValueRange, Values


def resolve_tensors(
    op_spec: OpSpec, arguments: Sequence[Argument], outputs: Sequence[Output], library: LibrarySpec
) -> tuple[TensorContract, list[Diagnostic]]:
    """Resolve the tensor contract of one op.

    Args:
        op_spec: the op's entry in ``ops.yaml``.
        arguments: the arguments in the order of the schema.
        outputs: the outputs, one for each return of the schema.
        library: the library, for its own sets of dtypes.

    Returns:
        The contract and the diagnostics found. After an error the contract is incomplete and must not be used; it is
        also incomplete if something in it is ``unsupported``.
    """
    report = Report()
    scope = Scope({argument.name: argument for argument in arguments})
    conditions = [check.condition for check in op_spec.checks]
    implied: dict[Fact, set[Fact]] = {}
    for one, other in implications(each for each in conditions if not _reads_sizes(each, scope)):
        implied.setdefault(one, set()).add(other)
    scope.implied = {one: frozenset(others) for one, others in implied.items()}
    declarations = read_entries(op_spec, outputs, scope, report)
    branches = Branches(scope, report)
    inputs = [entry for each in declarations if each.argument is not None for entry in branches.entries(each)]
    by_shape = shared(inputs, lambda entry: entry.spec.shapes)
    for tensor, group in groupby(by_shape, key=lambda entry: entry.tensor):
        ranks = {entry.rank for entry in group}
        scope.ranks[tensor] = (min(ranks)[0], len(ranks) == 1 and min(ranks)[1])

    of_tensor = {each.tensor: each.branches for each in declarations}
    resolved_dtypes = Dtypes(scope, report, of_tensor, library.dtypes)
    devices = Devices(scope, report, _on_one_device(shared(inputs, lambda entry: entry.spec.device), report))
    layouts = Layouts(scope, report, {entry.tensor: entry for entry in by_shape if not entry.guard.when})
    binder = Binder(scope, report, inputs)
    binder.run()
    before, after = _conditions(op_spec, scope, report)
    by_dtype = shared(inputs, lambda entry: entry.spec.dtype)
    steps = [
        *before,
        *(step for each in declarations if each.argument is not None for step in branches.absences(each)),
        *map(_rank, (entry for entry in by_shape if entry.rank != (0, False))),
        *sorted((step for entry in by_dtype for step in _dtype(entry, resolved_dtypes)), key=_is_tie),
        *devices.steps(),
        *binder.binds,
        *binder.checks,
        *(step for entry in shared(inputs, layouts_of) for step in layouts.steps(entry)),
        *after,
    ]
    facts = {
        entry: _values(entry, entry.spec.values, scope, report)
        for each in declarations
        for entry in shared(each.branches, lambda entry: entry.spec.values)
        if entry.spec.values is not None
    }
    # The elements of a destination before the call have no meaning.
    steps += [_check_values(entry, values) for entry, values in facts.items() if entry.argument and not entry.is_result]
    optional = frozenset(output.name for output in outputs if isinstance(output.type, OptionalType))
    made = Outputs(scope, report, resolved_dtypes, devices, layouts, optional)
    forms = {each.tensor: made.resolve(each) for each in declarations if each.argument is None}
    contract = TensorContract(
        steps=tuple(dict.fromkeys(steps)),
        outputs={output: form for output, form in forms.items() if form is not None},
        packs=frozenset(scope.packs - scope.arguments.keys()),
        values={entry.tensor: values for entry, values in facts.items() if not entry.guard.when},
        any_dtype=frozenset(entry.tensor for entry in by_dtype if entry.spec.dtype == DtypeName("any")),
        unsupported=tuple(found for found in report.diagnostics if found.code is UNSUPPORTED),
    )
    silent = {UNSUPPORTED}.union(*(codes.FOLLOW_FROM.get(key, ()) for key in op_spec.unread | library.unread))
    return contract, [found for found in report.diagnostics if found.code not in silent]


def _on_one_device(entries: Sequence[Entry], report: Report) -> list[Entry]:
    """Return one entry for each tensor; a device that depends on a condition is reported."""
    found: list[Entry] = []
    for entry in entries:
        if not entry.guard.when:
            found.append(entry)
        elif found and found[-1].tensor == entry.tensor:
            message = f"'{entry.key}': a device by condition can't be generated yet"
            span = entry.spec.span if entry.spec.device is None else entry.spec.device.span
            report.add(UNSUPPORTED, message, entry.place(span), "state one device for every call, or write `on any`")
        else:
            found.append(entry.everywhere)
    return found


def _rank(entry: Entry) -> Step:
    return entry.guard.step(CheckRank(entry.tensor, *entry.rank, entry.written_shape), each=entry.each)


def _dtype(entry: Entry, dtypes: Dtypes) -> Iterator[Step]:
    dtype = dtypes.of_input(entry)
    for guard, one in _apart(dtype, entry.guard) if dtype is not None else ():
        ties = one.ties if isinstance(one, DtypeEither) else (one,)
        tied_to = {tie.tensor for tie in ties if isinstance(tie, DtypeLike)}
        optional = Guard(frozenset(tensor for tensor in tied_to if dtypes.scope.arguments[tensor].is_optional))
        if one != DtypeSet(DTYPES):
            yield (guard | optional).step(CheckDtype(entry.tensor, one), each=entry.each)
        if entry.each and not entry.has_gaps and isinstance(one, DtypeSet) and len(one.names) > 1:
            yield guard.step(CheckDtype(entry.tensor, DtypeLike(entry.tensor)), each=True)


def _apart(dtype: ResolvedDtype, guard: Guard) -> Iterator[tuple[Guard, ResolvedDtype]]:
    """Yield an argument's dtypes under each guard: for ``out_dtype or float`` one with ``out_dtype``, else a set."""
    if isinstance(dtype, DtypeArgument) and dtype.otherwise is not None and not is_one(dtype.otherwise):
        is_given = Call("given", (Name(dtype.argument),))
        yield guard.under(is_given, holds=True), DtypeArgument(dtype.argument)
        yield from _apart(dtype.otherwise, guard.under(is_given, holds=False))
    else:
        yield guard, dtype


def _is_tie(step: Step) -> bool:
    """Whether a step checks a tie (``x.dtype``); ties come last, so that messages blame the tensor they refer to."""
    return isinstance(step.check, CheckDtype) and not isinstance(step.check.dtype, DtypeSet)


def _conditions(op_spec: OpSpec, scope: Scope, report: Report) -> tuple[list[Step], list[Step]]:
    """Return the steps of ``checks`` in two lists: those that read no size, which can run first, and the others."""
    before: list[Step] = []
    after: list[Step] = []
    for check in op_spec.checks:
        condition = Expressions(scope, report, check.text).condition(check.condition)
        written = " ".join(check.text.value.split())
        needs_sizes = _reads_sizes(condition, scope)
        (after if needs_sizes else before).append(Step(CheckCondition(condition, written, check.message)))
    return before, after


def _reads_sizes(expression: Expression, scope: Scope) -> bool:
    if isinstance(expression, Size) or (isinstance(expression, Call) and expression.function in ("rank", "numel")):
        return True
    return any(name not in scope.arguments and name not in DTYPES for name in names_in(expression)) or any(
        _reads_sizes(operand, scope) for operand in operands(expression)
    )


def _check_values(entry: Entry, values: Values) -> Step:
    return entry.guard.step(CheckValues(entry.tensor, values, entry.written(values.span)), each=entry.each)


def _values(entry: Entry, values: Values, scope: Scope, report: Report) -> Values:
    """Resolve the names in ``in range(lo, hi)`` or ``offsets(total)``."""
    expressions = Expressions(scope, report, entry.text)
    match values:
        case ValueRange(low, high, span):
            return ValueRange(expressions.size(low, entry.needs), expressions.size(high, entry.needs), span)
        case ValueOffsets(total, span):
            return ValueOffsets(expressions.size(total, entry.needs), span)
    return values
