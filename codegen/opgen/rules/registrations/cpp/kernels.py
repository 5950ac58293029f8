"""The C++ functions that are registered for ops, each with the schemas that it may be called by."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.op import Op
from opgen.readers.registrations import Definition, Function, Implementation, Parameter
from opgen.records import dataclass
from opgen.rules.registrations.joined import Defined, Joined, JoinedOp, exclude_each_other


@dataclass(frozen=True, eq=False)
class CppKernel:
    """A function, one of its alternatives in branches of ``#if``, and what it is registered for.

    Attributes:
        definitions: of the op, those that a build may have beside it; never empty.
        statement: what registers it.
        keys: dispatch keys; of a function given at the definition that of composite kernels.
    """

    name: str
    definitions: tuple[Defined, ...]
    statement: Definition | Implementation
    function: Function
    keys: tuple[str, ...]

    @property
    def op(self) -> Op:
        """What the first of the definitions means."""
        return next(one.op for one in self.definitions if one.op is not None)

    @property
    def parameters(self) -> tuple[Parameter, ...] | None:
        """The parameters that get arguments of the op: a leading set of dispatch keys is the dispatcher's own."""
        listed = self.function.parameters
        if listed and listed[0].type.endswith("DispatchKeySet"):
            return listed[1:]
        return listed

    def argument_of(self, variable: str) -> int | None:
        """Return the place of a parameter of this name."""
        names = [one.name for one in self.parameters or ()]
        return names.index(variable) if variable and variable in names else None


def cpp_kernels(joined: Joined) -> Iterator[CppKernel]:
    """Yield every C++ function that is registered for an op whose schema could be read."""
    for op in joined.ops.values():
        yield from cpp_kernels_of(op)


def cpp_kernels_of(op: JoinedOp) -> Iterator[CppKernel]:
    """Yield those of one op."""
    for one in op.definitions:
        if one.statement.language == "cpp" and one.statement.function is not None and one.op is not None:
            keys = ("CompositeImplicitAutograd",)
            yield from _alternatives(op.name, (one,), one.statement, one.statement.function, keys)
    for made in op.implementations:
        if made.language == "cpp" and made.role == "kernel" and made.function is not None:
            beside = tuple(
                one
                for one in op.definitions
                if one.op is not None and not exclude_each_other(one.statement.conditions, made.conditions)
            )
            if beside:
                yield from _alternatives(op.name, beside, made, made.function, made.keys)


def _alternatives(
    name: str,
    definitions: tuple[Defined, ...],
    statement: Definition | Implementation,
    function: Function,
    keys: tuple[str, ...],
) -> Iterator[CppKernel]:
    for each in (function, *function.alternatives):
        if each is function or not exclude_each_other(each.conditions, statement.conditions):
            yield CppKernel(name, definitions, statement, each, keys)
