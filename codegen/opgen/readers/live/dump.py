"""A stand-alone script for the user's Python, which imports modules and writes their registrations as JSON.

``python dump.py OUTPUT MODULE... [--namespace NAME]...``; modules are searched in the working directory first. It needs
torch, and nothing of opgen.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path
from typing import Any

KEYS = (  # noqa: SIM905 - a list of forty literals is no easier to read
    "CPU CUDA HIP XLA MPS IPU XPU HPU MTIA PrivateUse1 Meta SparseCPU SparseCUDA QuantizedCPU QuantizedCUDA MkldnnCPU NestedTensorCPU "
    "NestedTensorCUDA BackendSelect Python Functionalize ADInplaceOrView AutogradOther AutogradCPU AutogradCUDA AutogradMeta "
    "AutogradXPU AutogradMPS AutocastCPU AutocastCUDA AutocastXPU FuncTorchBatched Autograd CompositeImplicitAutograd "
    "CompositeExplicitAutograd CompositeExplicitAutogradNonFunctional CompositeImplicitAutogradNestedTensor"
).split()


def main() -> None:
    """Import the modules, and describe the operators that appeared and those of the namespaces.

    The module ``torch`` stands for all that PyTorch itself registers.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("output")
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--namespace", action="append", default=[])
    asked = parser.parse_args()
    sys.path[0] = str(Path.cwd())
    result: dict[str, Any] = {"failures": [], "silent": [], "operators": []}
    try:
        import torch  # noqa: PLC0415 - its absence is a result
        import torch.library  # noqa: PLC0415 - as above
    except (ImportError, OSError) as error:  # OSError: its binaries are damaged
        result["failures"].append({"module": "torch", "reason": _told(error)})
    else:
        before, at_first = _names(torch), set(sys.modules)
        for name in asked.modules:
            # A module that an earlier one has imported has registered its operators already.
            known, by_another = _names(torch), name in sys.modules.keys() - at_first
            try:
                importlib.import_module(name)
            except BaseException as error:  # noqa: BLE001 - a module may also call ``sys.exit``
                result["failures"].append({"module": name, "reason": _told(error)})
            else:
                if name == "torch":
                    before = set()
                elif _names(torch) == known and not by_another:
                    result["silent"].append(name)
        after = _names(torch)
        wanted = (
            {name for name in after if name.partition("::")[0] in asked.namespace}
            if asked.namespace
            else after - before
        )
        result["operators"] = [found for name in sorted(wanted) if (found := describe(torch, name))]
    Path(asked.output).write_text(json.dumps(result), encoding="utf-8")


def _names(torch: Any) -> set[str]:
    return set(torch._C._dispatch_get_all_op_names())


def describe(torch: Any, name: str) -> dict[str, Any] | None:
    """Describe one operator; ``None`` for a name that was only implemented."""
    packet, _, overload = name.partition(".")
    try:
        schema = torch._C._get_schema(packet, overload)
    except RuntimeError:
        return None
    keys = [key for key in KEYS if _has_kernel(torch, name, key)]
    entry = torch._library.simple_registry.singleton._data.get(name)
    custom = torch._library.custom_ops.OPDEFS.get(name)
    fake = entry is not None and getattr(entry, "fake_impl", None) is not None and entry.fake_impl.kernel is not None
    namespace, _, short = packet.partition("::")
    stub = torch._C._dispatch_pystub(packet, overload)
    tags = getattr(getattr(getattr(torch.ops, namespace), short), overload or "default").tags
    return {
        "name": name,
        "text": str(schema),
        "arguments": [_argument(argument) for argument in schema.arguments],
        "returns": [_argument(argument) for argument in schema.returns],
        "tags": sorted(tag.name for tag in tags),
        "kernels": keys,
        "fake": fake or (custom is not None and custom._abstract_fn is not None),
        "autograd": custom is not None and custom._backward_fn is not None,
        "effect": getattr(getattr(entry, "effect", None), "effect", None) is not None,
        "torch_dispatch": _is_functionalised(entry),
        "python_module": stub[0] if stub else None,
    }


def _is_functionalised(entry: Any) -> bool:
    """Whether an operator has a ``__torch_dispatch__`` rule of its own for ``FunctionalTensorMode``."""
    rules = getattr(entry, "torch_dispatch_rules", None)
    if rules is None:
        return False
    from torch._subclasses.functional_tensor import FunctionalTensorMode  # noqa: PLC0415 - only if it may be needed

    return rules.find(FunctionalTensorMode) is not None


def _argument(argument: Any) -> dict[str, Any]:
    alias = argument.alias_info
    return {
        "name": argument.name,
        "type": argument.real_type.str(),
        "size": argument.N,
        "keyword_only": argument.kwarg_only,
        "default": _default(argument.default_value) if argument.has_default_value() else None,
        "alias": alias
        and {"before": sorted(alias.before_set), "after": sorted(alias.after_set), "write": alias.is_write},
    }


def _default(value: Any) -> Any:
    """Return a default as JSON with exact numbers; values that JSON lacks as text."""
    if value is None or isinstance(value, bool | int | float | str):
        return {"value": value if not isinstance(value, float) else repr(value)}
    if isinstance(value, list):
        return {"value": [repr(item) if isinstance(item, float) else item for item in value]}
    return {"value": str(value)}


def _has_kernel(torch: Any, name: str, key: str) -> bool:
    try:
        return bool(torch._C._dispatch_has_kernel_for_dispatch_key(name, key))
    except RuntimeError:
        return False  # this torch doesn't know the key


def _told(error: BaseException) -> str:
    first = (str(error).strip().splitlines() or [""])[0].rstrip(":.")
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


if __name__ == "__main__":
    main()
