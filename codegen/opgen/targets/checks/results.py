"""The outputs that a kernel returns instead of filling: what to check of them, and which sizes become known by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from opgen.model.op import Op, Output
from opgen.model.tensors import DynamicExtent, Extent, OutputExtent, OutputForm, OutputSpec
from opgen.records import dataclass
from opgen.schema.types import is_plain_tensor
from opgen.spec.expression import Expression


@dataclass(frozen=True, slots=True)
class Known:
    """A data-dependent size (``?kept``) that has been read from an earlier output."""

    name: str


@dataclass(frozen=True, slots=True)
class Measured:
    """A data-dependent size (``?kept<=n``) to read from a returned tensor.

    Attributes:
        name: the name of the size, ``kept``.
        dim: its dim, counted from the end (negative) if a pack stands before it.
        bound: the largest value allowed, ``n``; ``None`` without a bound.
    """

    name: str
    dim: int
    bound: Expression | None


ResultExtent: TypeAlias = OutputExtent | Known


@dataclass(frozen=True, slots=True)
class Result:
    """One returned tensor in one case of its contract (``SPEC if COND else SPEC``).

    Attributes:
        output: its name.
        when: the conditions of the case.
        spec: its contract in this case; ``None`` where the result is ``None``.
        may_be_absent: whether the result is ``None`` in another case.
        extents: its dims.
        measured: the data-dependent sizes to read from it once its dims have been checked.
    """

    output: str
    when: tuple[Expression, ...]
    spec: OutputSpec | None
    may_be_absent: bool
    extents: tuple[ResultExtent, ...] = ()
    measured: tuple[Measured, ...] = ()


def returned_results(op: Op, returned: Sequence[Output]) -> Iterator[Result]:
    """Yield the cases of each returned output that has a contract, in the order of the outputs."""
    known: set[str] = set()
    outputs = [output for output in returned if output.name in op.tensors.outputs]
    last = {
        extent.name: place
        for place, output in enumerate(outputs)
        for extent in _dynamic(op.tensors.outputs[output.name])
    }
    for place, output in enumerate(outputs):
        form = op.tensors.outputs[output.name]
        later = {extent.name for extent in _dynamic(form) if last[extent.name] > place}
        for when, spec in form.cases:
            extents = tuple(
                Known(extent.name) if isinstance(extent, DynamicExtent) and extent.name in known else extent
                for extent in (() if spec is None else spec.extents)
            )
            measured = tuple(_measured(extents, later)) if is_plain_tensor(output.type) else ()
            known.update(size.name for size in measured)
            yield Result(output.name, when, spec, form.may_be_absent, extents, measured)


def _dynamic(form: OutputForm) -> Iterator[DynamicExtent]:
    for _, spec in form.cases:
        yield from (extent for extent in (spec.extents if spec else ()) if isinstance(extent, DynamicExtent))


def _measured(extents: Sequence[ResultExtent], later: set[str]) -> Iterator[Measured]:
    """Yield the data-dependent sizes that have a bound or appear in a later output, each once."""
    names: set[str] = set()
    for dim, extent in enumerate(extents):
        if not isinstance(extent, DynamicExtent) or extent.name in names:
            continue
        is_run = [not isinstance(each, Extent | DynamicExtent | Known) for each in extents]
        if (extent.bound is not None or extent.name in later) and not (any(is_run[:dim]) and any(is_run[dim:])):
            names.add(extent.name)
            yield Measured(extent.name, dim - len(extents) if any(is_run[:dim]) else dim, extent.bound)
