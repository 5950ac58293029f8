"""The Python kernels and fake kernels of ops, and the arguments that their parameters receive."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.op import Op
from opgen.readers.python.places import FunctionNode
from opgen.readers.registrations import Definition, Function, Implementation, Role
from opgen.records import dataclass
from opgen.rules.registrations.joined import Joined
from opgen.schema.nodes import Argument
from opgen.source import Location


@dataclass(frozen=True)
class Worker:
    """A Python function that PyTorch calls with the arguments of an op.

    Attributes:
        op: the op.
        role: ``kernel`` or ``fake``; a kernel on the key Meta is a ``fake`` as well.
        function: the function.
        definition: the place that states which arguments the op writes: its schema, or ``mutates_args``.
        statement: the registration; ``None`` for a function that is passed where the op is defined.
        is_source: whether the schema was inferred from this function.
    """

    op: Op
    role: Role
    function: Function
    definition: Location
    statement: Implementation | None = None
    is_source: bool = False

    def arguments(self) -> dict[str, Argument]:
        """Return parameter -> the argument that it receives: by position, or by name behind ``*``."""
        positional = [one for one in self.op.schema.arguments if not one.kwarg_only]
        parameters = [one for one in self.function.parameters or () if one.kind == "positional"]
        taken = {parameter.name: argument for parameter, argument in zip(parameters, positional, strict=False)}
        named = {one.name: one for one in self.op.schema.arguments if one.kwarg_only}
        return {**{one.name: named[one.name] for one in self.function.parameters or () if one.name in named}, **taken}


def workers(joined: Joined) -> Iterator[Worker]:
    """Yield the Python kernels and fake kernels whose function and schema were both read."""
    for joined_op in joined.ops.values():
        for defined in joined_op.definitions:
            function = defined.statement.function
            if defined.op is not None and function is not None and isinstance(function.node, FunctionNode):
                statement = defined.statement
                yield Worker(defined.op, "kernel", function, marks(statement), is_source=statement.inferred)
        op, first = joined_op.op, next(iter(joined_op.definitions), None)
        for one in joined_op.implementations:
            if op is None or first is None or one.function is None or not isinstance(one.function.node, FunctionNode):
                continue
            if one.role in {"kernel", "fake"} and not any(key.startswith("Autograd") for key in one.keys):
                role: Role = "fake" if one.keys == ("Meta",) else one.role
                yield Worker(op, role, one.function, marks(first.statement), one)


def marks(statement: Definition) -> Location:
    """Return the place that states which arguments an op writes: its schema, or the call with `mutates_args`."""
    return statement.location if statement.inferred else statement.schema.locate()
