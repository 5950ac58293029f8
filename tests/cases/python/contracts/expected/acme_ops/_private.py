"""What this package uses of PyTorch that is not documented, all of it.

A release that has moved or dropped a name loses what the name is for, as each function says, and nothing else.
"""

# mypy: disable-error-code="no-untyped-call"
# These names carry no annotations.

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.utils._pytree import tree_flatten as tree_flatten
from torch.utils._pytree import tree_map as tree_map
from torch.utils._pytree import tree_unflatten as tree_unflatten


def _name(place: str) -> Any:
    """Return what has a dotted name, or None."""
    module, _, name = place.rpartition(".")
    try:
        return getattr(importlib.import_module(module), name, None)
    except ImportError:
        return None


# The class of the mode by which `torch.compile` and `torch.export` turn writes into results; None: there is no rule for
# it, and in-place and out= operators are traced on releases alone whose tags say what they are.
FunctionalTensorMode = _name("torch._subclasses.functional_tensor.FunctionalTensorMode")

_below_autograd = _name("torch._C._AutoDispatchBelowADInplaceOrView")
_exclude = _name("torch._C._ExcludeDispatchKeyGuard")
_has_kernel = _name("torch._C._dispatch_has_kernel_for_dispatch_key")
_key_for_device = _name("torch._C._dispatch_key_for_device")
_key_set = _name("torch._C.DispatchKeySet")
_keys_after = _name("torch._C._dispatch_keyset_full_after")
_parse_schema = _name("torch._C.parse_schema")
_register_effectful = _name("torch.library._register_effectful_op")
_effect_type = _name("torch._library.effects.EffectType")
_wrap_triton = _name("torch._library.triton.set_wrap_triton_enabled")
_keeps_triton_ops = _name("torch.export._trace.custom_triton_ops_decomposition_disabled")
_registry = _name("torch._library.simple_registry.singleton")
_sync = _name("torch._sync")
_is_functional = _name("torch._is_functional_tensor")
_from_functional = _name("torch._from_functional_tensor")
_replace = _name("torch._functionalize_replace")
_commit_update = _name("torch._functionalize_commit_update")

_to_functional = _name("torch._to_functional_tensor")
_forward_ad = _name("torch.autograd.forward_ad")
_transforms = _name("torch._functorch.pyfunctorch.retrieve_current_functorch_interpreter")
_level_of = _name("torch._C._functorch.maybe_get_level")
_unwrap_for_grad = _name("torch._C._functorch._unwrap_for_grad")
_wrap_for_grad = _name("torch._C._functorch._wrap_for_grad")
_unwrap_batched = _name("torch._C._functorch._unwrap_batched")
_add_batch_dim = _name("torch._C._functorch._add_batch_dim")

# Whether `unwrap` and `commit` work, and the dispatcher can be told to pass by `torch.func.functionalize`.
CAN_FUNCTIONALIZE = None not in (
    *(_sync, _is_functional, _from_functional, _to_functional),
    *(_replace, _commit_update, _exclude, _key_set),
)

# Whether `transform` says what a transform of `torch.func` has to be told, and the functions behind it work.
CAN_TRANSFORM = CAN_FUNCTIONALIZE and None not in (
    *(_transforms, _level_of, _unwrap_for_grad, _wrap_for_grad),
    *(_unwrap_batched, _add_batch_dim),
)


def parse_schema(text: str) -> Any:
    """Read a schema. Without the name it compares as unequal to every other."""
    return _parse_schema(text) if _parse_schema else None


def has_kernel(name: str, key: str) -> bool:
    """Say whether an operator has a kernel; without the name the dispatcher itself complains of one that is missing."""
    return _has_kernel is None or bool(_has_kernel(name, key))


def key_for_device(device_type: str) -> str:
    """Return the dispatch key of a type of device; without the name it is guessed."""
    return str(_key_for_device(device_type)) if _key_for_device else device_type.upper()


def key_set(key: str) -> Any:
    """Return the set of one dispatch key."""
    return _key_set(getattr(torch._C.DispatchKey, key))


def keys_after(key: str) -> Any:
    """Return the dispatch keys that a call passes behind one."""
    return _keys_after(getattr(torch._C.DispatchKey, key))


def below_autograd() -> Any:
    """Keep what runs inside from recording a graph and counting writes; without the name a write counts twice."""
    return _below_autograd() if _below_autograd else torch.no_grad()


def plain_triton() -> Any:
    """Have `torch.library.wrap_triton` return the kernel itself; without the name a launch is a little slower."""
    return _wrap_triton(False) if _wrap_triton else contextlib.nullcontext()


def keeps_triton_ops() -> bool:
    """Say whether a program is exported that is to hold operators, not their Triton kernels."""
    return _keeps_triton_ops is not None and bool(_keeps_triton_ops())


def order_effects(name: str, library: Any) -> None:
    """Have traced calls of an operator neither dropped nor moved; without the names they may be."""
    if _register_effectful is not None and _effect_type is not None:
        _register_effectful(name, _effect_type.ORDERED, lib=library)


def registered_fake(name: str) -> bool:
    """Say whether a fake kernel of an operator was registered in Python."""
    return _registry is not None and _registry.find(name).fake_impl.kernel is not None


def has_rule(name: str) -> bool:
    """Say whether an operator has a rule for `FunctionalTensorMode`."""
    return _registry is not None and _registry.find(name).torch_dispatch_rules.find(FunctionalTensorMode) is not None


def is_traced_through(name: str) -> bool:
    """Say whether PyTorch runs the kernel itself while it traces, so that a fake one can't be registered."""
    return has_kernel(name, "CompositeImplicitAutograd")


def has_own_gradients(name: str) -> bool:
    """Say whether there is a kernel for autograd."""
    return has_kernel(name, "Autograd")


class Transform(NamedTuple):
    """The transform of `torch.func` that sees a call first.

    ``kind`` is Grad, Jvp, Vmap or Functionalize. Inside of ``lower()`` it is the turn of the next one.
    """

    kind: str
    level: int
    batch_size: int
    lower: Callable[[], Any]


def transform() -> Transform:
    """Return the innermost transform."""
    found = _transforms()
    kind = found.key().name
    return Transform(kind, found.level(), found.batch_size() if kind == "Vmap" else 0, found.lower)


def is_of(tensor: Tensor, level: int) -> bool:
    """Say whether a tensor was wrapped by the transform of this level."""
    return bool(_level_of(tensor) == level)


def unwrap_for_grad(tensor: Tensor, level: int) -> Tensor:
    """Return the tensor inside of a wrapper of `torch.func.grad` and its like."""
    return _unwrap_for_grad(tensor, level)  # type: ignore[no-any-return]


def wrap_for_grad(value: Any, level: int) -> Any:
    """Wrap a result."""
    return _wrap_for_grad(value, level) if isinstance(value, Tensor) else value


def unwrap_batched(value: Any, level: int) -> tuple[Any, int | None]:
    """Return the tensor inside of a wrapper of `torch.vmap`, and where its batch lies; of others, None."""
    return _unwrap_batched(value, level) if isinstance(value, Tensor) else (value, None)


def wrap_batched(value: Any, level: int) -> Any:
    """Wrap a result whose first dimension is the batch."""
    return _add_batch_dim(value, 0, level) if isinstance(value, Tensor) else value


def has_forward_gradient(tensors: Iterable[Tensor | None]) -> bool:
    """Say whether one of several tensors carries a tangent; without the name that can't be told."""
    if getattr(_forward_ad, "_current_level", -1) < 0:
        return False
    return any(tensor is not None and _forward_ad.unpack_dual(tensor).tangent is not None for tensor in tensors)


def is_functional(value: Any) -> bool:
    """Say whether `torch.func.functionalize` has wrapped a value."""
    return isinstance(value, Tensor) and bool(_is_functional(value))


def wrap_functional(value: Any) -> Any:
    """Wrap a result."""
    return _to_functional(value) if isinstance(value, Tensor) else value


def unwrap(tensor: Tensor) -> Tensor:
    """Return the tensor inside of a wrapper, with every write to its base that is outstanding."""
    _sync(tensor)
    return _from_functional(tensor)  # type: ignore[no-any-return]


def commit(tensor: Tensor, value: Tensor) -> None:
    """Make a new value that of a wrapper, and of what it is a view of."""
    _replace(tensor, value)
    _commit_update(tensor)
    _sync(tensor)


def below_functionalize() -> Any:
    """Pass by `torch.func.functionalize`."""
    return _exclude(key_set("Functionalize")) if CAN_FUNCTIONALIZE else contextlib.nullcontext()
