"""OPG580: an argument that is marked as written, and that the Python kernels only read."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.diagnostics import Code, Diagnostic, Severity
from opgen.readers.python.bodies import body_of
from opgen.readers.python.escapes import escaped
from opgen.rules.registrations.joined import Joined, is_unknown
from opgen.rules.registrations.python.functions import Worker, workers
from opgen.rules.registrations.python.mutates import written_fix
from opgen.rules.registrations.rule import RegistrationRule, found_at, python
from opgen.schema.aliases import is_written
from opgen.schema.nodes import Argument

CODE = Code(
    id="OPG580",
    name="unwritten-argument",
    severity=Severity.WARNING,
    summary="An argument is marked as written, but no Python kernel of the op writes it.",
    why=(
        "A superfluous mark costs copies under `torch.compile` and prevents gradients. The rule considers kernels "
        "that pass the argument to no other code that might write it."
    ),
    bad=python(
        """import torch


@torch.library.custom_op("mylib::add_to", mutates_args=("x", "out"))
def add_to(x: torch.Tensor, out: torch.Tensor) -> None:
    out.add_(x)
"""
    ),
    good=python(
        """import torch


@torch.library.custom_op("mylib::add_to", mutates_args=("out",))
def add_to(x: torch.Tensor, out: torch.Tensor) -> None:
    out.add_(x)
"""
    ),
    remedy="take the name out of `mutates_args`, or the mark out of the schema",
)


def check(joined: Joined) -> Iterator[Diagnostic]:
    """Check all kernels of each op together; kernels in another language may write what these don't."""
    kernels: dict[str, list[Worker]] = {}
    for worker in workers(joined):
        if worker.role == "kernel":
            kernels.setdefault(worker.op.qualified_name, []).append(worker)
    for name, made in kernels.items():
        if any(is_unknown(one.statement) for one in joined.ops[name].definitions):
            continue  # `unknown-mutation` reports it
        functions = [one for one in joined.ops[name].implementations if one.role == "kernel" and one.keys != ("Meta",)]
        if (
            sum(worker.statement is not None for worker in made) < len(functions)
            or joined.ops[name].op is not made[0].op
        ):
            continue
        op = made[0].op
        written = [argument for argument in op.schema.arguments if is_written(argument)]
        read = [argument.name for argument in written if not any(_may_write(worker, argument) for worker in made)]
        if len(read) == len(written) and not op.outputs:
            continue  # the only mark of an op without return keeps PyTorch from dropping its calls
        for argument in read:
            statement = joined.statement_of(op)
            fix = written_fix(statement, op, argument, is_written=False) if statement else None
            yield found_at(
                CODE,
                name,
                f"'{argument}' is declared written, but the kernel only reads it",
                made[0].definition,
                fix=fix,
            )


def _may_write(worker: Worker, argument: Argument) -> bool:
    given = escaped(worker.function)
    names = [name for name, taken in worker.arguments().items() if taken.name == argument.name]
    written = {write.parameter for write in body_of(worker.function).writes}
    return given is None or not names or any(name in given or name in written for name in names)


RULE = RegistrationRule(CODE, check)
