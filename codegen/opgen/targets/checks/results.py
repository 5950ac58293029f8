"""What has to be checked of outputs that a kernel returns itself, and which sizes they tell."""

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
    """A size that only the kernel knew, and that an earlier output has told."""

    name: str


@dataclass(frozen=True, slots=True)
class Measured:
    """A size to read from a returned tensor.

    Attributes:
        name: of the size.
        dim: where it stands, from the right (negative) behind a run of dims.
        bound: what it must not exceed, or ``None``.
    """

    name: str
    dim: int
    bound: Expression | None


ResultExtent: TypeAlias = OutputExtent | Known


@dataclass(frozen=True, slots=True)
class Result:
    """One returned tensor, in one of the ways in which it is made.

    Attributes:
        output: its name.
        when: the conditions that choose this way.
        spec: its contract; ``None`` where it is absent.
        may_be_absent: whether it is, in another way.
        extents: its dims.
        measured: the sizes to read from it once these have been checked.
    """

    output: str
    when: tuple[Expression, ...]
    spec: OutputSpec | None
    may_be_absent: bool
    extents: tuple[ResultExtent, ...] = ()
    measured: tuple[Measured, ...] = ()


def returned_results(op: Op, returned: Sequence[Output]) -> Iterator[Result]:
    """Yield what to check of each of some outputs that has a contract, in order."""
    known: set[str] = set()
    outputs = [output for output in returned if output.name in op.tensors.outputs]
    for place, output in enumerate(outputs):
        form = op.tensors.outputs[output.name]
        later = {extent.name for other in outputs[place + 1 :] for extent in _dynamic(op.tensors.outputs[other.name])}
        for when, spec in form.ways:
            extents = tuple(
                Known(extent.name) if isinstance(extent, DynamicExtent) and extent.name in known else extent
                for extent in (() if spec is None else spec.extents)
            )
            measured = tuple(_measured(extents, later)) if is_plain_tensor(output.type) else ()
            known.update(size.name for size in measured)
            yield Result(output.name, when, spec, form.may_be_absent, extents, measured)


def _dynamic(form: OutputForm) -> Iterator[DynamicExtent]:
    for _, spec in form.ways:
        yield from (extent for extent in (spec.extents if spec else ()) if isinstance(extent, DynamicExtent))


def _measured(extents: Sequence[ResultExtent], later: set[str]) -> Iterator[Measured]:
    """Yield the sizes that are bounded or that a later output repeats, each once."""
    names: set[str] = set()
    for dim, extent in enumerate(extents):
        if not isinstance(extent, DynamicExtent) or extent.name in names:
            continue
        is_run = [not isinstance(each, Extent | DynamicExtent | Known) for each in extents]
        if (extent.bound is not None or extent.name in later) and not (any(is_run[:dim]) and any(is_run[dim:])):
            names.add(extent.name)
            yield Measured(extent.name, dim - len(extents) if any(is_run[:dim]) else dim, extent.bound)
