"""OPG563: a Python kernel returns an argument, or a view of it, as if it were a fresh tensor."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.readers.python.bodies import Returned, body_of
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.python.functions import Worker, workers
from opgen.rules.registrations.rule import RegistrationRule, found_at, python
from opgen.rules.rule import listed
from opgen.schema.aliases import aliased_arguments
from opgen.schema.nodes import Return
from opgen.schema.types import is_tensor, is_tensor_list

CODE = Code(
    id="OPG563",
    name="returned-argument",
    severity=Severity.ERROR,
    summary="A Python kernel or fake returns an argument, or a view of it, where the schema promises a fresh tensor.",
    why=(
        "The compiler may reuse the memory of the argument while the result is still read, which caused a wrong loss "
        "(deepspeedai/DeepSpeed#7596); PyTorch itself only warns, or raises in the first call "
        "(`check_aliasing_constraint` in `torch/_library/utils.py`). Two results must not share memory either."
    ),
    bad=python(
        """import torch


@torch.library.custom_op("mylib::pick", mutates_args=())
def pick(x: torch.Tensor, count: int) -> torch.Tensor:
    return x[:count]


@pick.register_fake
def _(x, count):
    return x.new_empty((count, *x.shape[1:]))
"""
    ),
    good=python(
        """import torch


@torch.library.custom_op("mylib::pick", mutates_args=())
def pick(x: torch.Tensor, count: int) -> torch.Tensor:
    return x[:count].clone()


@pick.register_fake
def _(x, count):
    return x.new_empty((count, *x.shape[1:]))
"""
    ),
    remedy="return a copy (`.clone()`), or return nothing and let the caller slice the argument",
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Check the values of each `return`."""
    for worker in workers(joined):
        for returned in body_of(worker.function).returns:
            names = [name for each in _wrongly_shared(worker, returned) for name in each]
            if names:
                what = "the fake" if worker.role == "fake" else "the kernel"
                unique = dict.fromkeys(names)
                result = "a view of it, as a fresh tensor" if len(unique) == 1 else "views of them, as fresh tensors"
                message = f"{what} returns {listed(unique)}, or {result}"
                yield found_at(CODE, worker.op.qualified_name, message, returned.location)


def _wrongly_shared(worker: Worker, returned: Returned) -> Iterator[list[str]]:
    """Yield for each returned value the arguments whose memory it may share, without those that its schema allows."""
    arguments, results = worker.arguments(), worker.op.schema.returns
    if not results or (returned.sequence and len(results) > 1 and len(returned.values) != len(results)):
        return
    for index, names in enumerate(returned.shared):
        result = results[index] if len(results) == len(returned.values) else results[0]
        if is_tensor(result.type) or is_tensor_list(result.type):
            taken = [arguments[name] for name in sorted(names) if name in arguments]
            tensors = [one.name for one in taken if is_tensor(one.type) or is_tensor_list(one.type)]
            yield [name for name in tensors if name not in _named(worker, result)]


def _named(worker: Worker, result: Return) -> set[str]:
    return {argument.name for argument in aliased_arguments(worker.op.schema, result)}


RULE = RegistrationRule(CODE, check)
