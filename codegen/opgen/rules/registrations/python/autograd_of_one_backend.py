"""OPG579: an autograd kernel for only some of the backends that have a kernel."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.rule import RegistrationRule, found_at, python
from opgen.rules.rule import listed

CODE = Code(
    id="OPG579",
    name="autograd-of-one-backend",
    severity=Severity.WARNING,
    summary="An autograd kernel is registered for one backend, but the op also has kernels for others.",
    why=(
        "On the other backends the gradient is silently missing. `Autograd` stands for the autograd keys of all "
        "backends (`c10/core/DispatchKey.h`)."
    ),
    bad=python(
        """import torch

LIBRARY = torch.library.Library("mylib", "DEF")
LIBRARY.define("lift(Tensor x) -> Tensor")
LIBRARY.impl("lift", lambda x: x + 1, "CPU")
LIBRARY.impl("lift", lambda x: x + 1, "CUDA")
LIBRARY.impl("lift", lambda x: Lift.apply(x), "AutogradCUDA")
"""
    ),
    good=python(
        """import torch

LIBRARY = torch.library.Library("mylib", "DEF")
LIBRARY.define("lift(Tensor x) -> Tensor")
LIBRARY.impl("lift", lambda x: x + 1, "CPU")
LIBRARY.impl("lift", lambda x: x + 1, "CUDA")
LIBRARY.impl("lift", lambda x: Lift.apply(x), "Autograd")
"""
    ),
    remedy="register it for the key `Autograd`",
)


_BACKENDS = frozenset({"CPU", "CUDA", "HIP", "XPU", "MPS", "HPU", "IPU", "MTIA", "XLA", "PrivateUse1"})


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Compare the backends of autograd kernels (``AutogradCUDA``) with the backends of kernels."""
    for joined_op in joined.ops.values():
        keys = {key for one in joined_op.implementations for key in one.keys}
        uncovered = [key for key in sorted(keys & _BACKENDS) if f"Autograd{key}" not in keys]
        if not uncovered or "Autograd" in keys or "CompositeImplicitAutograd" in keys:
            continue
        for one in joined_op.implementations:
            special = [
                key for key in one.keys if key.removeprefix("Autograd") in _BACKENDS and key.startswith("Autograd")
            ]
            if special:
                message = f"the gradient is registered for {listed(special)} only, the op also has kernels for {listed(uncovered)}"
                yield found_at(CODE, joined_op.name, message, one.location)


RULE = RegistrationRule(CODE, check)
