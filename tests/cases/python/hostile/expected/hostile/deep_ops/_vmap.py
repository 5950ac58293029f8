"""Rules for `torch.vmap`: one call for a whole batch where the contract says that this is the same, else one a slice."""

# mypy: disable-error-code="no-untyped-call"
# torch.library carries few annotations.

from __future__ import annotations

from collections.abc import Callable
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


RULES: dict[str, Callable[[Any, Any, Any, Any, Any], Any]] = {
    "hostile::Tensor": Sliced(),
    "hostile::_bare": Sliced(),
    "hostile::a_name_that_is_quite_long_so_that_nothing_fits_on_a_line": Sliced(),
    "hostile::bare": Sliced(),
    "hostile::float": Sliced(),
    "hostile::lambda.async": Sliced(),
    "hostile::words": Sliced(),
}


def _register(name: str, library: Any) -> None:
    rule, live = RULES[name], find(name)

    def vmap(info: Any, in_dims: Any, /, *args: Any, **kwargs: Any) -> Any:
        return rule(live, info, in_dims, args, kwargs)

    torch.library.register_vmap(name, vmap, lib=library)


for _operator in DEFINED:
    if _operator.name in RULES:
        _register(_operator.name, LIBRARIES[_operator.namespace])
