"""A pytest plugin and plain module for child processes: kernels in Python stand in for a compiled library.

``OPGEN_STANDIN`` is a JSON file that says which ops there are, and which Python file holds the kernels: functions called
like the op's identifier, which take every argument and then the allocated outputs, as kernels in C++ do. What the
generated C++ does around a kernel (checks, versions, refusal of gradients, allocation) is done by the fake kernel here,
since it does the same on real tensors. A kernel that returns something returns it to the caller: a fault.
"""

import importlib
import inspect
import json
import os
import runpy
from pathlib import Path

import torch

LIBRARIES = []


def bare(kernel):
    """Mark a kernel with nothing around it."""
    kernel.is_bare = True
    return kernel


def _data(value):
    if isinstance(value, torch.Tensor):
        return value.data
    return [_data(element) for element in value] if isinstance(value, list) else value


def _wrap(package, op, kernel):
    def call(*args, **kwargs):
        fake = importlib.import_module(f"{package}._fakes").FAKES[op["name"]]
        bound = inspect.signature(fake).bind(*args, **kwargs)
        bound.apply_defaults()
        result = fake(*args, **kwargs)
        outputs = result if isinstance(result, tuple) else (result,)
        fresh = [output for output, alias in zip(outputs, op["aliases"], strict=False) if alias is None]
        returned = kernel(*map(_data, bound.arguments.values()), *fresh)
        return result if returned is None else returned

    return call


def _discard(call):
    def twin(*args, **kwargs):
        call(*args, **kwargs)

    return twin


def _install(package, ops, kernels):
    for op in ops:
        kernel = kernels.get(op["identifier"])
        if kernel is None:
            continue
        call = kernel if hasattr(kernel, "is_bare") else _wrap(package, op, kernel)
        namespace, _, name = op["name"].partition("::")
        library = torch.library.Library(namespace, "FRAGMENT")
        LIBRARIES.append(library)
        for key in op["keys"]:
            library.impl(name, call, key)
            if op["twin"]:
                library.impl(op["twin"], _discard(call), key)


_plan = json.loads(Path(os.environ["OPGEN_STANDIN"]).read_text(encoding="utf-8"))
_install(_plan["package"], _plan["ops"], runpy.run_path(_plan["kernels"], {"bare": bare, "torch": torch}))
