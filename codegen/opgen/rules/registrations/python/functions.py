"""The Python functions that work for an op, and the arguments that their parameters take."""

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
        role: ``kernel`` or ``fake``; a kernel on the key Meta is a ``fake`` as well.
        definition: where the op is defined, in Python: the statement where its marks stand.
        statement: the registration, ``None`` of a function that is given where the op is defined.
        is_source: whether the schema was inferred from this function.
    """

    op: Op
    role: Role
    function: Function
    definition: Location
    statement: Implementation | None = None
    is_source: bool = False

    def arguments(self) -> dict[str, Argument]:
        """Return the argument that each parameter takes: by its position, behind the star by its name."""
        positional = [one for one in self.op.schema.arguments if not one.kwarg_only]
        parameters = [one for one in self.function.parameters or () if one.kind == "positional"]
        taken = {parameter.name: argument for parameter, argument in zip(parameters, positional, strict=False)}
        named = {one.name: one for one in self.op.schema.arguments if one.kwarg_only}
        return {**{one.name: named[one.name] for one in self.function.parameters or () if one.name in named}, **taken}


def workers(joined: Joined) -> Iterator[Worker]:
    """Yield the kernels and fakes in Python whose function and whose op's schema were read."""
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
    """Return where it is said what an op writes: the schema, or the call that holds `mutates_args`."""
    return statement.location if statement.inferred else statement.schema.locate()
