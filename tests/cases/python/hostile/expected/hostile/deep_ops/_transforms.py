"""What `torch.func.functionalize` and `torch.vmap` do with operators that write, of which PyTorch itself makes nothing."""

# mypy: disable-error-code="no-untyped-call"
# torch.library carries few annotations.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.utils._pytree import tree_flatten, tree_map, tree_unflatten

from . import _private
from ._schemas import LIBRARIES, Operator, find

# Position and name of an argument.
Place = tuple[int, str]


def register(operator: Operator, written: Sequence[Place]) -> None:
    """Register what an operator that writes lacks.

    One that returns nothing of what it writes has no kernel for `torch.func.functionalize`: with one PyTorch would no longer
    functionalise it under `torch.compile`, where graphs hold it by name.
    """
    library, name = LIBRARIES[operator.namespace], operator.name.partition("::")[2]
    if operator.twin is not None:
        if _private.CAN_FUNCTIONALIZE:
            library.impl(name, _functionalized(find(operator.name), written), "Functionalize")
    elif not any(argument.kwarg_only for argument in find(operator.name)._schema.arguments if _holds_tensors(argument)):
        torch.library.register_vmap(operator.name, _slice_by_slice(operator.name, written), lib=library)


def _functionalized(call: Callable[..., Any], written: Sequence[Place]) -> Callable[..., Any]:
    """Make a kernel that writes copies, which become the new values."""

    def kernel(*args: Any, **kwargs: Any) -> Any:
        tensors = [args[place] if place < len(args) else kwargs[name] for place, name in written]
        leaves, _ = tree_flatten((args, kwargs))
        if any(map(_is_wrapped, leaves)) and not all(map(_is_wrapped, tensors)):
            raise RuntimeError(
                "mutating a non-functional tensor with a functional tensor is not allowed. Please ensure that all of your "
                "inputs are wrapped inside of a functionalize() call."
            )
        inner, named = tree_map(_unwrapped, (list(args), kwargs))
        copies = [_unwrapped(tensor).clone() if _is_wrapped(tensor) else tensor for tensor in tensors]
        for (place, name), copy in zip(written, copies):
            if place < len(inner):
                inner[place] = copy
            else:
                named[name] = copy
        with _private.below_functionalize():
            call(*inner, **named)
        for tensor, copy in zip(tensors, copies):
            if _is_wrapped(tensor):
                _private.commit(tensor, copy)
        return tensors[0] if len(tensors) == 1 else tuple(tensors)

    return kernel


def _is_wrapped(value: Any) -> bool:
    return isinstance(value, Tensor) and _private.is_functional(value)


def _unwrapped(value: Any) -> Any:
    return _private.unwrap(value) if _is_wrapped(value) else value


def _slice_by_slice(name: str, written: Sequence[Place]) -> Callable[..., Any]:
    """Make a batching rule that calls the operator once a slice, as PyTorch does for operators that return tensors alone."""

    def rule(info: Any, in_dims: Any, *args: Any, **kwargs: Any) -> Any:
        for place, argument in written:
            given, dims = (tree_flatten(tree[place])[0] if place < len(args) else [] for tree in (args, in_dims))
            if any(isinstance(value, Tensor) and dim is None for value, dim in zip(given, dims)):
                raise RuntimeError(
                    f"vmap: {name} is not possible because argument '{argument}' is written, and is one tensor for all "
                    "slices while others differ"
                )
        results = []
        for index in range(info.batch_size):

            def at(value: Any, dim: int | None, index: int = index) -> Any:
                return value if dim is None else value.select(dim, index)

            results.append(find(name)(*tree_map(at, list(args), list(in_dims)), **kwargs))
        flat = [tree_flatten(result)[0] for result in results]
        _, shape = tree_flatten(results[0])
        stacked = [torch.stack(values) if isinstance(values[0], Tensor) else values[0] for values in zip(*flat)]
        dims = [0 if isinstance(value, Tensor) else None for value in stacked]
        return tree_unflatten(stacked, shape), tree_unflatten(dims, shape)

    return rule


def _holds_tensors(argument: Any) -> bool:
    return "Tensor" in str(argument.type)
