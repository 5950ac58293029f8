"""What becomes of a call that writes under the transforms of `torch.func`, and with lazily conjugated or negated tensors.

PyTorch's own kernels for these serve custom operators that only read: a gradient would be lost in silence under
`torch.func.grad`, and `torch.vmap`, `torch.func.functionalize` and `Tensor.conj` are refused. Other calls don't pass here.
"""

# mypy: disable-error-code="no-untyped-call"
# torch.library carries few annotations.

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from . import _private
from ._private import tree_flatten, tree_map, tree_unflatten
from ._schemas import DEFINED, LIBRARIES, Operator, find
from ._tracing import refuse_and_count, written_places


@dataclass(frozen=True)
class Writer:
    """An operator that writes.

    Attributes:
        operator: as it is declared.
        places: position and name of each written argument.
    """

    operator: Operator
    places: tuple[tuple[int, str], ...]

    def call(self, args: Any, kwargs: Any) -> Any:
        """Call it."""
        return find(self.operator.name)(*args, **kwargs)

    def written(self, args: Any, kwargs: Any) -> list[Any]:
        """Return the written arguments of a call."""
        return [args[place] if place < len(args) else kwargs.get(name) for place, name in self.places]

    def result(self, written: list[Any], otherwise: Any) -> Any:
        """Return what the caller gets: what was written, or what a call returned that returns nothing of it."""
        if self.operator.twin is None:
            return otherwise
        return written[0] if len(written) == 1 else tuple(written)

    # --- the transforms of torch.func -----------------------------------------------------------------------------
    def transformed(self, /, *args: Any, **kwargs: Any) -> Any:
        """Do what the innermost transform does, and hand the call on to the next one."""
        transform = _private.transform()
        rules = {"Vmap": self.sliced, "Functionalize": self.copied}
        return rules.get(transform.kind, self.differentiated)(transform, args, kwargs)

    def differentiated(self, transform: _private.Transform, args: Any, kwargs: Any) -> Any:
        """Refuse to lose a gradient, as in eager mode."""

        def is_own(value: Any) -> bool:
            return isinstance(value, Tensor) and _private.is_of(value, transform.level)

        written = self.written(args, kwargs)
        if not all(map(is_own, _tensors(written))):
            raise RuntimeError(
                "During a grad (vjp, jvp, grad, etc) transform, the function provided attempted to call in-place operation "
                f"({self.operator.name}) that would mutate a captured Tensor. This is not supported; please rewrite the "
                "function being transformed to explicitly accept the mutated Tensor(s) as inputs."
            )
        tensors = [*filter(is_own, _tensors((args, kwargs)))]
        if _private.has_forward_gradient(tensors):
            raise NotImplementedError(f"Trying to use forward AD with {self.operator.name} that does not support it")
        refuse_and_count(self.operator, [*_tensors(written)], tensors)

        def inner(value: Any) -> Any:
            return _private.unwrap_for_grad(value, transform.level) if is_own(value) else value

        inner_args, inner_kwargs = tree_map(inner, (args, kwargs))
        with transform.lower():
            result = self.call(inner_args, inner_kwargs)
        wrapped = tree_map(lambda value: _private.wrap_for_grad(value, transform.level), result)
        return self.result(written, wrapped)

    def sliced(self, transform: _private.Transform, args: Any, kwargs: Any) -> Any:
        """Call it once a slice of the batch."""
        leaves, shape = tree_flatten((args, kwargs))
        pairs = [_private.unwrap_batched(leaf, transform.level) for leaf in leaves]
        written = self.written(args, kwargs)
        is_batched = any(dim is not None for _, dim in pairs)
        for (_, name), value in zip(self.places, written):
            dims = [_private.unwrap_batched(tensor, transform.level)[1] for tensor in _tensors(value)]
            if is_batched and None in dims:
                raise RuntimeError(
                    f"vmap: {self.operator.name} is not possible because argument '{name}' is written, and is one tensor "
                    "for all slices while others differ"
                )
        with transform.lower():
            if not is_batched:
                return self.result(written, self.call(*tree_unflatten([value for value, _ in pairs], shape)))
            results = [
                self.call(*tree_unflatten([slice_of(value, dim, at) for value, dim in pairs], shape))
                for at in range(transform.batch_size)
            ]
            returns = self.operator.twin is None and find(self.operator.name)._schema.returns
            result = stacked(self.operator.name, results) if returns else None
        return self.result(written, tree_map(lambda value: _private.wrap_batched(value, transform.level), result))

    def copied(self, transform: _private.Transform, args: Any, kwargs: Any) -> Any:
        """Work on copies of what is written, which become the new values."""
        return self.functionalized(transform.lower, args, kwargs)

    def functionalized(self, below: Callable[[], Any], args: Any, kwargs: Any) -> Any:
        """Do the same, and hand the call on ``below``."""
        written = self.written(args, kwargs)
        is_wrapped = _private.is_functional
        if any(map(is_wrapped, _tensors((args, kwargs)))) and not all(map(is_wrapped, _tensors(written))):
            raise RuntimeError(
                "mutating a non-functional tensor with a functional tensor is not allowed. Please ensure that all of your "
                "inputs are wrapped inside of a functionalize() call."
            )
        copies = tree_map(lambda value: _private.unwrap(value).clone() if is_wrapped(value) else value, written)
        inner = tree_map(lambda value: _private.unwrap(value) if is_wrapped(value) else value, (list(args), kwargs))
        with below():
            result = self.call(*self.replaced(inner, copies))
        for tensor, copy in zip(_tensors(written), _tensors(copies)):
            if is_wrapped(tensor):
                _private.commit(tensor, copy)
        return self.result(written, tree_map(_private.wrap_functional, result))

    def functionalized_below_autograd(self, /, *args: Any, **kwargs: Any) -> Any:
        """Do the same for an operator whose gradients the transforms see to."""
        return self.functionalized(_private.below_functionalize, args, kwargs)

    # --- conjugated and negated tensors ---------------------------------------------------------------------------
    def resolved(self, /, *args: Any, **kwargs: Any) -> Any:
        """Work on copies whose elements are what the tensors stand for, and write back."""
        written = self.written(args, kwargs)
        refuse_and_count(self.operator, [*_tensors(written)], [*_tensors((args, kwargs))])
        with _private.below_autograd():
            inner = tree_map(_resolved, (list(args), kwargs))
            copies = tree_map(_resolved, written)
            result = self.call(*self.replaced(inner, copies))
            for tensor, copy in zip(_tensors(written), _tensors(copies)):
                if tensor is not copy:
                    tensor.copy_(copy)
        return self.result(written, result)

    def replaced(self, passed: Any, copies: list[Any]) -> Any:
        """Put other tensors in the place of what is written."""
        args, kwargs = passed
        for (place, name), copy in zip(self.places, copies):
            if place < len(args):
                args[place] = copy
            elif name in kwargs:
                kwargs[name] = copy
        return args, kwargs


def slice_of(value: Any, dim: int | None, index: int) -> Any:
    """Return one slice of a batch; what has no batch is the same for all."""
    return value if dim is None else value.select(dim, index)


def stacked(name: str, results: Sequence[Any]) -> Any:
    """Stack what an operator returned for each slice of a batch; what is no tensor is what the first call returned.

    Raises:
        RuntimeError: there was no call.
    """
    if not results:
        raise RuntimeError(f"vmap: {name} is called once a slice, but the batch has no slice to call it for")
    leaves = zip(*(tree_flatten(result)[0] for result in results))
    joined = [torch.stack(each) if isinstance(each[0], Tensor) else each[0] for each in leaves]
    return tree_unflatten(joined, tree_flatten(results[0])[1])


def _resolved(value: Any) -> Any:
    return value.resolve_conj().resolve_neg() if isinstance(value, Tensor) else value


def _tensors(values: Any) -> Iterator[Tensor]:
    yield from (value for value in tree_flatten(values)[0] if isinstance(value, Tensor))


def _register(operator: Operator) -> None:
    places = written_places(operator)
    if not places or operator.registered or _private.is_traced_through(operator.name):
        return
    writer = Writer(operator, tuple(places))
    library, name = LIBRARIES[operator.namespace], operator.name.partition("::")[2]
    if _private.has_own_gradients(operator.name):
        if _private.CAN_FUNCTIONALIZE and operator.twin is not None:
            library.impl(name, writer.functionalized_below_autograd, "Functionalize")
    elif _private.CAN_TRANSFORM:
        library.impl(name, writer.transformed, "FuncTorchDynamicLayerFrontMode")
    for key in ("Conjugate", "Negative"):
        library.impl(name, writer.resolved, key)


for _operator in DEFINED:
    _register(_operator)
