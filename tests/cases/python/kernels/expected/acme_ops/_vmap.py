"""Rules for `torch.vmap`: one call for a whole batch where the contract says that this is the same, else one a slice."""

# mypy: disable-error-code="no-untyped-call"
# torch.library carries few annotations.

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from ._private import tree_flatten, tree_map, tree_unflatten
from ._schemas import DEFINED, LIBRARIES, find
from ._transforms import slice_of, stacked


@dataclass(frozen=True)
class Sliced:
    """One call a slice, whose results are stacked."""

    def __call__(self, live: Any, info: Any, in_dims: Any, args: Any, kwargs: Any) -> Any:
        """Return the results for a batch, and where it lies in each."""
        flat, shape = tree_flatten(args)
        dims = tree_flatten(in_dims)[0]
        results = []
        for index in range(info.batch_size):
            slices = [slice_of(value, dim, index) for value, dim in zip(flat, dims)]
            results.append(live(*tree_unflatten(slices, shape), **kwargs))
        result = stacked(str(live), results)
        return result, tree_map(lambda value: 0 if isinstance(value, Tensor) else None, result)


@dataclass(frozen=True)
class Leading:
    """One call, with the batch in front of the leading dims that the contract leaves free.

    Attributes:
        places: the arguments that have such dims; slices that differ in others are called one by one.
        contiguous: those that the kernel needs contiguous.
    """

    places: Set[int]
    contiguous: Set[int] = frozenset()

    def __call__(self, live: Any, info: Any, in_dims: Any, args: Any, kwargs: Any) -> Any:
        """Return the results for a batch, and where it lies in each."""
        for place, dims in enumerate(in_dims):
            if place not in self.places and any(dim is not None for dim in tree_flatten(dims)[0]):
                return Sliced()(live, info, in_dims, args, kwargs)
        moved = list(args)
        for place in self.places & set(range(len(args))):
            if isinstance(args[place], Tensor):
                value = _in_front(args[place], in_dims[place], info.batch_size)
                moved[place] = value.contiguous() if place in self.contiguous else value
        result = live(*moved, **kwargs)
        return result, tree_map(lambda _: 0, result)


def _in_front(value: Tensor, dim: int | None, batch_size: int) -> Tensor:
    return value.expand(batch_size, *value.shape) if dim is None else value.movedim(dim, 0)


RULES: dict[str, Callable[[Any, Any, Any, Any, Any], Any]] = {
    "acme::lookup": Sliced(),
    "acme::positive": Sliced(),
    "acme::scale": Leading({0}),
}


def _register(name: str, library: Any) -> None:
    rule, live = RULES[name], find(name)

    def vmap(info: Any, in_dims: Any, /, *args: Any, **kwargs: Any) -> Any:
        return rule(live, info, in_dims, args, kwargs)

    torch.library.register_vmap(name, vmap, lib=library)


for _operator in DEFINED:
    if _operator.name in RULES:
        _register(_operator.name, LIBRARIES[_operator.namespace])
