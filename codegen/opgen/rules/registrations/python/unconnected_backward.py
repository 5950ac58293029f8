"""OPG578: an op named as the backward of another one, which has no gradient formula."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.rules.registrations.joined import CORE, Joined, JoinedOp
from opgen.rules.registrations.rule import RegistrationRule, found_at, python

CODE = Code(
    id="OPG578",
    name="unconnected-backward",
    severity=Severity.WARNING,
    summary="An op is named like the backward of another op for which no gradient is registered.",
    why=(
        "The gradient is silently missing: results of the forward op don't require grad, or autograd warns in the "
        "backward pass that no formula was registered (pytorch/FBGEMM#5886)."
    ),
    bad=python(
        """import torch

LIBRARY = torch.library.Library("mylib", "DEF")
LIBRARY.define("norm(Tensor x) -> Tensor")
LIBRARY.define("norm_bwd(Tensor gradient, Tensor x) -> Tensor")
LIBRARY.impl("norm", lambda x: x / x.norm(), "CPU")
LIBRARY.impl("norm_bwd", lambda gradient, x: gradient / x.norm(), "CPU")
"""
    ),
    good=python(
        """import torch

LIBRARY = torch.library.Library("mylib", "DEF")
LIBRARY.define("norm(Tensor x) -> Tensor")
LIBRARY.define("norm_bwd(Tensor gradient, Tensor x) -> Tensor")
LIBRARY.impl("norm", lambda x: x / x.norm(), "CPU")
LIBRARY.impl("norm_bwd", lambda gradient, x: gradient / x.norm(), "CPU")


def setup_context(ctx, inputs, output):
    ctx.save_for_backward(inputs[0])


def backward(ctx, gradient):
    return torch.ops.mylib.norm_bwd(gradient, *ctx.saved_tensors)


torch.library.register_autograd("mylib::norm", backward, setup_context=setup_context)
"""
    ),
    remedy="register it by `torch.library.register_autograd`, or an autograd kernel in C++ for the key Autograd",
)


_BACKWARD = re.compile(r"(.+?)_?(?:fwd|forward)?_(?:bwd|backward)")


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Report such pairs by name, unless a source with autograd functions calls the backward op."""
    texts = [one.text for one in joined.registrations.sources.values()]
    autograd = [text for text in texts if any(word in text for word in ("autograd", "Autograd", "AUTOGRAD"))]
    for joined_op in joined.ops.values():
        namespace, _, name = joined_op.name.partition("::")
        found = _BACKWARD.fullmatch(name.partition(".")[0])
        if found is None or not joined_op.definitions or namespace in CORE:
            continue
        names = (f"{namespace}::{found[1]}{suffix}" for suffix in ("", "_fwd", "_forward"))
        forward = next(
            (joined.ops[each] for each in names if each in joined.ops and joined.ops[each].definitions), None
        )
        if forward is not None and not _has_gradient(forward) and not any(_calls(name, text) for text in autograd):
            message = f"the op looks like the backward of '{forward.name}', for which no gradient is registered"
            yield found_at(CODE, joined_op.name, message, joined_op.definitions[0].statement.location)


def _calls(name: str, text: str) -> bool:
    """Whether a text calls an op, `torch.ops.ns.name`, or its kernel, besides defining it."""
    if name not in text:
        return False
    call = rf"(?<!def )(?<!::)\b{re.escape(name)}\w*\s*\((?!\s*(?:Tensor|Scalar|SymInt|int|float)\b)"
    return re.search(rf"{call}|\.{re.escape(name)}\b", text) is not None


def _has_gradient(forward: JoinedOp) -> bool:
    return any(one.role == "autograd" or any("Autograd" in key for key in one.keys) for one in forward.implementations)


RULE = RegistrationRule(CODE, check)
