"""What is seen of a call: values, versions, identity, gradients, or the class and the kind of an error."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

KINDS = {
    "leaf": r"a leaf Variable that requires grad is being used in an in-place operation",
    "view of a leaf": r"a view of a leaf Variable that requires grad is being used in an in-place operation",
    "inference tensor": r"Inplace update to inference tensor outside InferenceMode",
    "saved inference tensor": r"Inference tensors cannot be saved for backward",
    "out= with gradients": r"functions with out=\.\.\. arguments don't support automatic differentiation",
    "no derivative": r"[Tt]he derivative for '.*' is not implemented|derivative for .* is not implemented",
    "no graph": r"does not require grad and does not have a grad_fn",
    "overwritten": r"modified by an inplace operation",
    "elements share memory": r"more than one element of the written-to tensor refers to a single memory location",
    "shared memory": r"some elements of the input tensor and the written-to tensor refer to a single memory location",
    "dtype": r"(does not support|for) complex|with different dtypes|can't be cast to|expected .*(dtype|float|int).*, got \w*(int|float|complex)|[Ee]xpected out tensor to have dtype",
    "device": r"expected \w+\.device|cross-device copies are not allowed|on the same device|two devices|expected (device|all tensors)|Cannot copy out of meta|[Ee]xpected .* device",
    "sizes": r"must match the size|doesn't match the broadcast shape|expected sizes? |expected shape|to be broadcastable",
    "zero tensor": r"ZeroTensors are immutable",
    "vmap": r"Batching rule not implemented|vmap: .* is not possible",
    "functorch": r"override the setup_context staticmethod",
    "conjugated list": r"doesn't currently support mutable TensorLists",
    "view made under no_grad": r"A view was created in no_grad mode",
    "forward AD": r"forward AD|Forward mode|forward-mode",
    "functionalize": r"Found a custom \(non-ATen\) operator",
    "no deep copy": r"support the deepcopy protocol",
    "no subclass": r"no implementation found|Multiple dispatch failed",
}
"""Kind of an error -> what its text holds; opgen's words say more than ATen's, and are of the same kind."""


READABLE = 64
"""More numbers than that are shown by their sum."""


def of_error(error: BaseException) -> str:
    """Name the class and the kind of an error."""
    text = str(error)
    kind = next((name for name, pattern in KINDS.items() if re.search(pattern, text)), None)
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return f"{type(error).__name__}: {kind or first[:100]}"


def attempt(call: Callable[[], Any]) -> Any:
    """Return what a call gives, or how it fails."""
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - whatever is raised is what is compared
        return of_error(error)


def plain(value: Any, w: Tensor | None = None) -> Any:
    """Make plain data of a result; `w` is the tensor that it may be."""
    if isinstance(value, Tensor):
        if value is w:
            return "the written tensor"
        if value.device.type == "meta":
            return f"meta {list(value.shape)}"
        numbers = value.detach().clone().resolve_conj().resolve_neg()  # a clone of an efficient zero tensor has memory
        numbers = torch.view_as_real(numbers) if numbers.is_complex() else numbers
        return numbers.tolist() if numbers.numel() <= READABLE else numbers.double().sum().item()
    if isinstance(value, Mapping):
        return {name: plain(each, w) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each, w) for each in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def look(call: Callable[[Tensor, Tensor], Any], w: Tensor, y: Tensor, *, base: Tensor | None = None) -> Any:
    """Call, and describe result, written tensor, and the tensor that it is a view of."""
    watched = {"w": w, "y": y} | ({} if base is None else {"base": base})
    versions = {name: version(tensor) for name, tensor in watched.items()}
    result = attempt(lambda: plain(call(w, y), w))
    seen: dict[str, Any] = {"result": result}
    for name, tensor in watched.items():
        seen[name] = {
            "values": plain(tensor),
            "version": version(tensor) - versions[name],
            "strides": list(tensor.stride()),
            "graph": attempt(lambda tensor=tensor: [tensor.requires_grad, tensor.is_leaf]),
        }
    return seen


def version(tensor: Tensor) -> int:
    """Return the version counter; inference tensors have none."""
    return 0 if tensor.is_inference() else int(tensor._version)


def gradients(loss: Callable[[], Tensor], *leaves: Tensor) -> Any:
    """Run backward, and return the gradients of leaves."""

    def run() -> Any:
        value = loss()
        value.sum().backward()
        return [plain(leaf.grad) for leaf in leaves]

    return attempt(run)


def ramp(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
    """Return 1, 2, 3, ... in a tensor of its own."""
    return torch.arange(1, 1 + torch.Size(shape).numel()).reshape(shape).to(dtype).clone()


def leaf(*shape: int) -> Tensor:
    """Return the same as a leaf that requires grad."""
    return ramp(*shape).requires_grad_()
