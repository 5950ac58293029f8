"""OPG540: two results of a kernel that share memory."""

from __future__ import annotations

import ast
from collections import ChainMap
from collections.abc import Iterator, Sequence

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.model.op import Op
from opgen.readers.cpp.expressions import chain
from opgen.readers.cpp.returns import returned
from opgen.readers.python.bodies import body_of
from opgen.readers.python.bodies import shared as shared_in_python
from opgen.rules.registrations.cpp.bodies import is_reached, shared
from opgen.rules.registrations.cpp.kernels import cpp_kernels
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.python.functions import workers
from opgen.rules.registrations.rule import RegistrationRule, cpp, found_at
from opgen.schema.types import is_tensor
from opgen.source import Location

CODE = Code(
    id="OPG540",
    name="shared-results",
    severity=Severity.ERROR,
    summary="A kernel returns the same tensor twice, or a tensor and a view of it.",
    why=(
        "Results of a custom op must not share memory: a write to one of them would change the other, which compiled "
        "code does not know. PyTorch warns, or raises in the first call (`check_aliasing_constraint` in "
        "`torch/_library/utils.py`; flashinfer-ai/flashinfer#740)."
    ),
    bad=cpp(
        "std::tuple<at::Tensor, at::Tensor> halves(const at::Tensor& x) {\n"
        "  at::Tensor both = x.clone();\n"
        "  return {both.narrow(0, 0, 1), both.narrow(0, 1, 1)};\n"
        "}\n"
        'TORCH_LIBRARY(mylib, m) { m.def("halves(Tensor x) -> (Tensor, Tensor)"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("halves", &halves); }\n'
    ),
    good=cpp(
        "std::tuple<at::Tensor, at::Tensor> halves(const at::Tensor& x) {\n"
        "  return {x.narrow(0, 0, 1).clone(), x.narrow(0, 1, 1).clone()};\n"
        "}\n"
        'TORCH_LIBRARY(mylib, m) { m.def("halves(Tensor x) -> (Tensor, Tensor)"); }\n'
        'TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("halves", &halves); }\n'
    ),
    remedy="copy one of them (`.clone()`), or return the tensor once and let the caller make the views",
)
_ABOVE = ("Autograd", "ADInplaceOrView", "Autocast", "Composite", "Functionalize", "Python")
"""Keys whose kernels call other ops, so that tracing sees how their results share memory."""


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Check each ``return`` of several tensors that the function has made; other rules check returned arguments."""
    for kernel in cpp_kernels(joined):
        if any(key.startswith(_ABOVE) for key in kernel.keys):
            continue
        own = {one.name for one in kernel.parameters or ()}
        for each in returned(kernel.function):
            if is_reached(each):
                chains = [chain(each.parsed, value) for value in each.values]
                yield from _judged(
                    kernel.op, [one.variable if shared(one) else "" for one in chains], own, each.location
                )
    for worker in workers(joined):
        own = {one.name for one in worker.function.parameters or ()}
        for each_return in body_of(worker.function).returns:
            names = [_name(value) for value in each_return.values]
            yield from _judged(worker.op, names, own, each_return.location)


def _judged(op: Op, names: Sequence[str], own: set[str], place: Location) -> Iterator[Diagnostic]:
    returns = op.schema.returns
    if len(names) != len(returns):
        return
    first: dict[str, int] = {}
    for index, (name, result) in enumerate(zip(names, returns, strict=True)):
        if not name or name in own or not is_tensor(result.type):
            continue
        earlier = first.setdefault(name, index)
        if earlier != index:
            message = f"return {earlier} and return {index} share the memory of '{name}'"
            yield found_at(CODE, op.qualified_name, message, place)
            return


def _name(value: ast.expr) -> str:
    """Return the variable whose memory a value shares; empty if it isn't known."""
    bound = ChainMap({node.id: frozenset({node.id}) for node in ast.walk(value) if isinstance(node, ast.Name)})
    names = shared_in_python(value, bound)
    return next(iter(names)) if len(names) == 1 else ""


RULE = RegistrationRule(CODE, check)
