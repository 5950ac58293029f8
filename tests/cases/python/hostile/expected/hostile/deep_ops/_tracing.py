"""What PyTorch does for its own in-place and out= operators while it traces.

Eager calls pass nothing of this: the compiled kernels do it there.
"""

# mypy: disable-error-code="no-untyped-call"
# torch.library carries few annotations.

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch import Tensor

from . import _private
from ._schemas import LIBRARIES, Operator, find


def write(name: str, written: Iterable[Any], read: Iterable[Any]) -> None:
    """Refuse what an in-place or mutable operator refuses in eager mode, else count the write.

    Without it `torch.compile` would accept a call that eager mode does not.

    Raises:
        RuntimeError: a leaf that requires grad, or a view of one, would be written, or a gradient be lost.
    """
    tensors = [*_tensors(written)]
    if torch.is_grad_enabled():
        for tensor in tensors:
            if tensor.requires_grad and tensor.is_leaf:
                raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
            if tensor.requires_grad and tensor._is_view() and tensor._base is not None and tensor._base.is_leaf:
                raise RuntimeError(
                    "a view of a leaf Variable that requires grad is being used in an in-place operation."
                )
        if any(tensor.requires_grad for tensor in (*tensors, *_tensors(read))):
            raise RuntimeError(f"derivative for {name} is not implemented")
    _bump(tensors)


def write_out(name: str, written: Iterable[Any], read: Iterable[Any]) -> None:
    """Refuse what an out= operator refuses in eager mode, else count the write.

    Raises:
        RuntimeError: an argument requires grad.
    """
    tensors = [*_tensors(written)]
    if torch.is_grad_enabled() and any(tensor.requires_grad for tensor in (*tensors, *_tensors(read))):
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, "
            "but one of the arguments requires grad."
        )
    _bump(tensors)


def refuse_and_count(operator: Operator, written: Iterable[Any], read: Iterable[Any]) -> None:
    """Do the same for an operator of either kind."""
    arguments = find(operator.name)._schema.arguments
    if operator.twin is not None and all(argument.kwarg_only for argument in arguments if is_write(argument)):
        write_out(operator.name.partition("::")[2].partition(".")[0], written, read)
    else:
        write(operator.name, written, read)


def register(operator: Operator, fake: Callable[..., Any] | None) -> None:
    """Register the fake kernel of an operator, and how a trace records what it writes.

    An operator that is registered by hand keeps what it has, and one that PyTorch traces through needs neither.
    """
    library = LIBRARIES[operator.namespace]
    if operator.side_effects:
        _private.order_effects(operator.name, library)
    if fake is not None:
        torch.library.register_fake(operator.name, fake, lib=library)
    places = written_places(operator)
    if not places:
        return
    twin = _register_twin(operator, fake) if operator.twin and fake else None

    def rule(mode: Any, func: Any, types: Any, args: Any, kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        written = [args[place] if place < len(args) else kwargs.get(name) for place, name in places]
        # Without this a compiled backward would use an overwritten value in silence.
        _bump(_tensors(written))
        if twin is None:
            return mode.__torch_dispatch__(func, types, args, kwargs)
        with mode:
            twin(*args, **kwargs)
        return written[0] if len(written) == 1 else tuple(written)

    if _private.FunctionalTensorMode is not None:
        torch.library.register_torch_dispatch(operator.name, _private.FunctionalTensorMode, rule, lib=library)


def _register_twin(operator: Operator, fake: Callable[..., Any]) -> Any:
    def twin_fake(*args: Any, **kwargs: Any) -> None:
        fake(*args, **kwargs)

    torch.library.register_fake(operator.twin_name, twin_fake, lib=LIBRARIES[operator.namespace])
    return find(operator.twin_name)


def written_places(operator: Operator) -> list[tuple[int, str]]:
    """Return position and name of each written argument; keyword-only ones stand behind all positions."""
    arguments = find(operator.name)._schema.arguments
    return [
        (len(arguments) if argument.kwarg_only else place, argument.name)
        for place, argument in enumerate(arguments)
        if is_write(argument)
    ]


def is_write(argument: Any) -> bool:
    """Say whether an argument of a schema is written."""
    return argument.alias_info is not None and bool(argument.alias_info.is_write)


def _tensors(values: Iterable[Any]) -> Iterator[Tensor]:
    """Yield the tensors among arguments, those in lists included."""
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors(value)


def _bump(tensors: Iterable[Tensor]) -> None:
    for tensor in tensors:
        if tensor.is_inference() and not torch.is_inference_mode_enabled():
            raise RuntimeError(
                "Inplace update to inference tensor outside InferenceMode is not allowed."
                "You can make a clone to get a normal tensor before doing inplace update."
                "See https://github.com/pytorch/rfcs/pull/17 for more details."
            )
        torch.autograd.graph.increment_version(tensor)
