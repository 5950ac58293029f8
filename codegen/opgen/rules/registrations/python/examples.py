"""Example modules shared by the pages of several rules, which pass the lines that they are about."""

from __future__ import annotations

from opgen.diagnostics.codes import Example
from opgen.rules.registrations.rule import cpp, python

_GATE = """import torch

LIBRARY = torch.library.Library("mylib", "DEF")
LIBRARY.define("gate(Tensor x, Tensor mask) -> Tensor")
"""
_FAKE = """

@torch.library.register_fake("{name}")
def _(x, mask):
    return x.new_empty(x.shape)
"""
_SCALE = """import torch


@torch.library.custom_op("mylib::scale", mutates_args=())
def scale(x: torch.Tensor, factor: float) -> torch.Tensor:
    return x * factor


@scale.register_fake
def _(x, factor):
    return x.new_empty(x.shape)


"""
SETUP_CONTEXT = """def setup_context(ctx, inputs, output):
    ctx.factor = inputs[1]


"""
BACKWARD = """def backward(ctx, gradient):
    return gradient * ctx.factor, None


"""


BINDINGS = cpp(
    "at::Tensor lift(const at::Tensor& x) { return x + 1; }\n"
    'TORCH_LIBRARY(mylib, m) { m.def("lift(Tensor x) -> Tensor"); }\n'
    'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("lift", &lift); }\n'
)


def gate(*more: str, key: str = "CPU", fake: str = "mylib::gate") -> Example:
    """Make a module that defines an op, implements it for ``key`` and registers a fake for the op ``fake``, if any."""
    kernel = f'LIBRARY.impl("gate", lambda x, mask: x * mask, "{key}")\n'
    return python("".join((_GATE, kernel, *more, _FAKE.format(name=fake) if fake else "")))


def scale(
    setup: str = SETUP_CONTEXT, backward: str = BACKWARD, registered: str = ", setup_context=setup_context"
) -> Example:
    """Make a module with a functional op and the formula for its gradient."""
    return python(f"{_SCALE}{setup}{backward}scale.register_autograd(backward{registered})\n")
