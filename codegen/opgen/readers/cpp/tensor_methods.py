"""Says which methods of a tensor return views of it, and which write it."""

from __future__ import annotations

VIEWS = frozenset(
    "alias as_strided as_strided_ chunk detach diagonal expand expand_as flatten_view index_view mT movedim narrow permute select "  # noqa: SIM905 - words
    "slice split split_with_sizes squeeze squeeze_ swapaxes t transpose transpose_ unbind unfold unsqueeze unsqueeze_ view "
    "view_as view_as_complex view_as_real".split()
)
"""Tensor methods whose result always shares memory with the tensor; not those that sometimes copy, as ``reshape``."""

_NO_WRITES = frozenset(
    {
        "as_strided_",
        "detach_",
        "requires_grad_",
        "resize_",
        "set_",
        "squeeze_",
        "swapaxes_",
        "t_",
        "transpose_",
        "unsqueeze_",
    }
)
"""In-place methods that change metadata and not the elements."""


def is_in_place(method: str) -> bool:
    """Whether a method is in-place, as ``add_``: it writes its tensor and returns it."""
    return method.endswith("_") and not method.endswith("__") and method not in _NO_WRITES
