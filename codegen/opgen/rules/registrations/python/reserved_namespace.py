"""OPG577: an op in a namespace that belongs to PyTorch or to another library."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.rules.registrations.joined import CORE, Joined
from opgen.rules.registrations.rule import RegistrationRule, found_at, python

CODE = Code(
    id="OPG577",
    name="reserved-namespace",
    severity=Severity.ERROR,
    summary="An op is defined in a namespace that is reserved, or that other libraries may use as well.",
    why=(
        "`prim` belongs to TorchScript's interpreter and is rejected (`_reserved_namespaces` in `torch/library.py`). "
        "`aten`, `prims` and names like `torch` are PyTorch's own: an op of the next release may have the same name. "
        "If two packages use a name such as `ops`, only one of them can be imported (huggingface/kernel-builder#11)."
    ),
    bad=python(
        """import torch

LIBRARY = torch.library.Library("prim", "FRAGMENT")
LIBRARY.define("lift(Tensor(a!) x) -> ()")
"""
    ),
    good=python(
        """import torch

LIBRARY = torch.library.Library("mylib", "FRAGMENT")
LIBRARY.define("lift(Tensor(a!) x) -> ()")
"""
    ),
    remedy="use the name of the package as namespace",
)


_OWNER = re.compile(r"""\bLibrary\(\s*["'](\w+)["']\s*,\s*["']DEF["']""")
_REFUSED = frozenset({"prim"})
_OF_PYTORCH = frozenset({"aten", "prims", "at", "torch", "pytorch"})
_GENERIC = frozenset(
    {"_C", "C", "custom", "custom_ops", "ext", "extension", "kernels", "my_ops", "ops", "test", "torch_ops"}
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Report the first definition in each such namespace; a merely common name is only an info."""
    seen = _owned(joined)
    for defined in joined.definitions:
        namespace = (defined.name or "").partition("::")[0]
        if namespace in seen or defined.statement.language == "live":
            continue
        seen.add(namespace)
        place = defined.statement.location
        if namespace in _REFUSED:
            yield found_at(CODE, defined.name, f"the namespace '{namespace}' is reserved, PyTorch refuses it", place)
        elif namespace in _OF_PYTORCH:
            message = f"the namespace '{namespace}' belongs to PyTorch"
            yield replace(found_at(CODE, defined.name, message, place), severity_override=Severity.WARNING)
        elif namespace in _GENERIC:
            message = f"the namespace '{namespace}' may be that of another library as well"
            yield replace(found_at(CODE, defined.name, message, place), severity_override=Severity.INFO)


def _owned(joined: Joined) -> set[str]:
    """Return the namespaces of PyTorch that the sources own, as they are PyTorch's own sources."""
    owners = {block.namespace for block in joined.registrations.blocks if block.kind == "library"}
    for source in joined.registrations.sources.values():
        owners.update(_OWNER.findall(source.text) if "Library(" in source.text else ())
    return owners & CORE


RULE = RegistrationRule(CODE, check)
