"""Derives whether ``torch.vmap`` may run a batch as one call, by putting the batch in front of an op's leading dims.

It may if the contract says that results are computed row by row, as `x: "float [*batch, n]"`, `return: "x.dtype
[*batch]"` do, and nothing else depends on the number of rows. If all dims are in the pack (`[*shape]`) the contract
does not say how elements depend on each other; the tag ``pointwise`` then does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from opgen.model.contract import Contract
from opgen.model.op import Op
from opgen.model.tensors import (
    BindPack,
    BindSize,
    BroadcastExtent,
    CheckContiguous,
    CheckPack,
    CheckShapes,
    CheckSize,
    CheckStride,
    CheckStridesLike,
    CheckValues,
    DynamicExtent,
    OutputForm,
    OutputSpec,
    PackExtent,
    SolveSize,
    Step,
)
from opgen.records import dataclass
from opgen.spec import expression as ex
from opgen.spec.tensor_spec import ValueRange

_DIM_ARGUMENTS = frozenset({"dim", "dims", "axis", "axes"})
"""Names of arguments that number dims, by PyTorch's convention: a batch in front would shift what they mean."""


@dataclass(frozen=True, slots=True)
class Batching:
    """How one call computes a whole batch.

    Attributes:
        leading: the arguments that take the batch as their first dim; the others are the same for the whole batch.
        contiguous: the arguments in ``leading`` that the kernel needs contiguous.
    """

    leading: tuple[str, ...]
    contiguous: tuple[str, ...]


def derive_batching(op: Op) -> Batching | None:
    """Return how one call computes a batch, ``None`` if the contract doesn't say that rows are independent."""
    if op.contract is not Contract.FUNCTIONAL or "nondeterministic_seeded" in op.tags:
        return None
    if not op.outputs or any(argument.name in _DIM_ARGUMENTS for argument in op.arguments):
        return None
    if op.program is not None and any(op.program.axis[name].is_pack for name in op.program.reduced):
        return None  # rows depend on each other
    packs = {(s.check.tensor, _pack(s)) for s in op.tensors.steps if isinstance(s.check, BindPack | CheckPack)}
    names = {name for _, name in packs}
    if len(names) != 1 or None in names:
        return None
    pack, leading = str(names.pop()), {tensor for tensor, _ in packs}
    has_rows = "pointwise" in op.tags or any(
        isinstance(s.check, BindPack | CheckPack) and s.check.trail > 0 for s in op.tensors.steps
    )
    outputs = [op.tensors.outputs.get(output.name) for output in op.outputs]
    is_apart = all(_is_apart(step, leading, pack) for step in op.tensors.steps)
    if not (has_rows and is_apart and all(_has_rows(output, pack) for output in outputs)):
        return None
    dense = {s.check.tensor for s in op.tensors.steps if isinstance(s.check, CheckContiguous)}
    ordered = tuple(argument.name for argument in op.arguments if argument.name in leading)
    return Batching(ordered, tuple(name for name in ordered if name in dense))


def _pack(step: Step) -> str | None:
    """Return the pack that a tensor's dims start with, ``None`` if they start otherwise."""
    match step.check:
        case BindPack(name, _, lead=0):
            return name
        case CheckPack(_, lead=0, pack=PackExtent(name, is_argument=False)):
            return name
    return None


def _is_apart(step: Step, leading: set[str], pack: str) -> bool:
    """Whether a step holds for a batch if and only if it holds for each slice of it."""
    if step.when or step.each or any(_counts_rows(step, leading, pack)):
        return False
    match step.check:
        case BindSize(tensor=tensor, dim=dim) | SolveSize(tensor=tensor, dim=dim) | CheckSize(tensor=tensor, dim=dim):
            is_apart = dim < 0
        case CheckStride(tensor=tensor, dim=dim):
            is_apart = dim < 0
        case CheckContiguous(tensor, memory_format):
            is_apart = memory_format == "contiguous"
        case CheckShapes(tensor=tensor) | CheckStridesLike(tensor=tensor):
            is_apart = False
        case CheckValues(tensor=tensor, values=values):
            is_apart = isinstance(values, ValueRange)
        case _:
            return True
    return is_apart or tensor not in leading


def _has_rows(output: OutputForm | None, pack: str) -> bool:
    if not isinstance(output, OutputSpec) or output.strides is not None or output.strides_of is not None:
        return False
    first, *rest = output.extents or (None,)
    others = (PackExtent, BroadcastExtent, DynamicExtent)
    return (
        output.memory_format == "contiguous"
        and first == PackExtent(pack)
        and not any(isinstance(extent, others) for extent in rest)
        and not any(_counts_rows(output, set(), pack))
    )


def _counts_rows(node: object, leading: set[str], pack: str) -> Iterator[bool]:
    """Yield ``True`` for each part of a step that depends on the number of rows or on the rank of a tensor."""
    match node:
        case ex.Name(name) | ex.Item(name):
            yield name == pack
        case ex.Size(tensor=tensor, dim=dim):
            yield tensor in leading and dim >= 0
        case ex.Call("rank" | "numel", arguments):
            yield any(isinstance(each, ex.Name) and each.name in leading for each in arguments)
    if isinstance(node, tuple):
        for each in node:
            yield from _counts_rows(each, leading, pack)
    elif is_dataclass(node):
        for field in fields(node):
            yield from _counts_rows(getattr(node, field.name), leading, pack)
