"""OPG562: a Python kernel writes an argument that its schema does not mark as written."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.diagnostics.diagnostic import Note
from opgen.readers.python.bodies import body_of
from opgen.rules.registrations.joined import Joined
from opgen.rules.registrations.python.functions import workers
from opgen.rules.registrations.python.mutates import written_fix
from opgen.rules.registrations.rule import RegistrationRule, found_at, python
from opgen.schema.aliases import is_written
from opgen.schema.types import is_tensor, is_tensor_list

CODE = Code(
    id="OPG562",
    name="undeclared-write",
    severity=Severity.ERROR,
    summary="A Python kernel writes an argument that its schema does not mark as written.",
    why=(
        "`torch.compile` assumes that the argument is unchanged: it reorders reads across the call, reuses the "
        "buffer, or drops the call, and the write is silently lost (the `torch.library.custom_op` page, "
        "`mutates_args`)."
    ),
    bad=python(
        """import torch


@torch.library.custom_op("mylib::stamp", mutates_args=())
def stamp(x: torch.Tensor, buffer: torch.Tensor) -> torch.Tensor:
    buffer.copy_(x)
    return x.sum()


@stamp.register_fake
def _(x, buffer):
    return x.new_empty(())
"""
    ),
    good=python(
        """import torch


@torch.library.custom_op("mylib::stamp", mutates_args=("buffer",))
def stamp(x: torch.Tensor, buffer: torch.Tensor) -> torch.Tensor:
    buffer.copy_(x)
    return x.sum()


@stamp.register_fake
def _(x, buffer):
    return x.new_empty(())
"""
    ),
    remedy="name the argument in `mutates_args`, or mark it in the schema: `Tensor(a!)`",
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Compare the writes in kernels with the alias annotations of their schemas."""
    for worker in workers(joined):
        if worker.role != "kernel":
            continue
        arguments, seen = worker.arguments(), set()
        for write in body_of(worker.function).writes:
            argument = arguments.get(write.parameter)
            if argument is None or is_written(argument) or argument.name in seen:
                continue
            if is_tensor(argument.type) or is_tensor_list(argument.type):
                seen.add(argument.name)
                message = f"the kernel writes '{argument.name}', which is not declared written"
                note = Note("it is written here", write.location)
                statement = joined.statement_of(worker.op)
                fix = written_fix(statement, worker.op, argument.name, is_written=True) if statement else None
                yield found_at(CODE, worker.op.qualified_name, message, worker.definition, notes=(note,), fix=fix)


RULE = RegistrationRule(CODE, check)
