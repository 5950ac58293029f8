"""What this package uses of PyTorch that is not documented, all of it.

A release that has moved or dropped a name loses what the name is for, as each function says, and nothing else.
"""

# mypy: disable-error-code="no-untyped-call"
# These names carry no annotations.

from __future__ import annotations

import contextlib
import importlib
from typing import Any

import torch
from torch import Tensor


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

_FakeTensor = _name("torch._subclasses.fake_tensor.FakeTensor")
_below_autograd = _name("torch._C._AutoDispatchBelowADInplaceOrView")
_exclude = _name("torch._C._ExcludeDispatchKeyGuard")
_has_kernel = _name("torch._C._dispatch_has_kernel_for_dispatch_key")
_key_for_device = _name("torch._C._dispatch_key_for_device")
_key_set = _name("torch._C.DispatchKeySet")
_parse_schema = _name("torch._C.parse_schema")
_register_effectful = _name("torch.library._register_effectful_op")
_effect_type = _name("torch._library.effects.EffectType")
_registry = _name("torch._library.simple_registry.singleton")
_sync = _name("torch._sync")
_is_functional = _name("torch._is_functional_tensor")
_from_functional = _name("torch._from_functional_tensor")
_replace = _name("torch._functionalize_replace")
_commit_update = _name("torch._functionalize_commit_update")

# Whether `unwrap` and `commit` work, and the dispatcher can be told to pass by `torch.func.functionalize`.
CAN_FUNCTIONALIZE = None not in (_sync, _is_functional, _from_functional, _replace, _commit_update, _exclude, _key_set)


def is_fake(tensor: Tensor) -> bool:
    """Say whether a tensor is fake: PyTorch counts up its version itself; without the name that of any is counted here."""
    return _FakeTensor is not None and isinstance(tensor, _FakeTensor)


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


def below_autograd() -> Any:
    """Keep what runs inside from recording a graph and counting writes; without the name a write counts twice."""
    return _below_autograd() if _below_autograd else torch.no_grad()


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


def is_functional(tensor: Tensor) -> bool:
    """Say whether `torch.func.functionalize` has wrapped a tensor."""
    return bool(_is_functional(tensor))


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
