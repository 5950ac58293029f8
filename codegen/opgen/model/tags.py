"""Derives the ``torch.Tag`` members that an op is defined with from its contract and the ``tags`` of its author."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.model.contract import Contract
from opgen.model.op import Argument
from opgen.model.tensors import CheckContiguous, TensorContract

CONTRACT_TAGS = {Contract.INPLACE: "inplace", Contract.OUT: "out"}
"""Tags of contracts, from torch 2.13; generated Python omits them on older releases. Source: ``torch/library.py``."""

LAYOUT_TAGS = frozenset(
    {"needs_exact_strides", "needs_contiguous_strides", "needs_fixed_stride_order", "flexible_layout"}
)
"""Tags by which Inductor lays out inputs; only one applies (``tags_by_priority`` in ``torch/_library/utils.py``)."""

KNOWN_TAGS = LAYOUT_TAGS | {
    "core",
    "cudagraph_unsafe",
    "data_dependent_output",
    "dynamic_output_shape",
    "generated",
    "inplace",
    "inplace_view",
    "maybe_aliasing_or_mutating",
    "nondeterministic_bitwise",
    "nondeterministic_seeded",
    "out",
    "pointwise",
    "pt2_compliant_tag",
    "reduction",
    "view_copy",
}
"""Every member of ``torch.Tag`` up to torch 2.14 but ``out_variant``, which is deprecated and does nothing."""


def derive_tags(
    contract: Contract, arguments: Iterable[Argument], tensors: TensorContract, stated: Iterable[str]
) -> tuple[str, ...]:
    """Return the tags of an op, sorted: of its contract and its outputs' sizes, one layout tag, and the author's."""
    tags = set(stated)
    if contract in CONTRACT_TAGS:
        tags.add(CONTRACT_TAGS[contract])
    if any(output.is_dynamic for output in tensors.outputs.values()):
        tags.add("dynamic_output_shape")
    if not tags & LAYOUT_TAGS:
        tags.add(_layout_tag(arguments, tensors))
    return tuple(sorted(tags))


def _layout_tag(arguments: Iterable[Argument], tensors: TensorContract) -> str:
    """Return the tag that tells Inductor how to lay out the inputs.

    It is always given, since the default depends on the release: the exact strides that the fake kernel saw, or
    contiguous inputs if the contract requires those anyway. But not if an input is written: the write would go to the
    copy that Inductor makes of a non-contiguous one.
    """
    if not tensors.steps:
        return "needs_exact_strides"
    inputs = {argument.name for argument in arguments if argument.is_tensor or argument.is_tensor_list}
    contiguous = {
        step.check.tensor
        for step in tensors.steps
        if isinstance(step.check, CheckContiguous) and step.check.memory_format == "contiguous" and not step.when
    }
    written = any(argument.written for argument in arguments)
    return "needs_contiguous_strides" if inputs and inputs <= contiguous and not written else "needs_exact_strides"
