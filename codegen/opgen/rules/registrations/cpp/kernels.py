"""The C++ functions that are registered for ops, each with the schemas that it may be registered for."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.model.op import Op
from opgen.readers.registrations import Definition, Function, Implementation, Parameter
from opgen.records import dataclass
from opgen.rules.registrations.joined import MOST_BESIDE, Defined, Joined, JoinedOp, exclude_each_other


@dataclass(frozen=True, eq=False)
class CppKernel:
    """A registered C++ function, or one of its alternatives in branches of ``#if``.

    Attributes:
        name: the qualified name of the op.
        definitions: the op's definitions that the same build may have; never empty.
        statement: the statement that registers it.
        function: the function.
        keys: the dispatch keys; for a function passed to ``m.def`` CompositeImplicitAutograd.
    """

    name: str
    definitions: tuple[Defined, ...]
    statement: Definition | Implementation
    function: Function
    keys: tuple[str, ...]

    @property
    def op(self) -> Op:
        """The op of the first of the definitions."""
        return next(one.op for one in self.definitions if one.op is not None)

    @property
    def parameters(self) -> tuple[Parameter, ...] | None:
        """The parameters that receive arguments of the op: without a leading ``DispatchKeySet``."""
        listed = self.function.parameters
        if listed and listed[0].type.endswith("DispatchKeySet"):
            return listed[1:]
        return listed

    def argument_of(self, variable: str) -> int | None:
        """Return the index of the argument that a parameter of this name receives; ``None`` if there is none."""
        names = [one.name for one in self.parameters or ()]
        return names.index(variable) if variable and variable in names else None


def cpp_kernels(joined: Joined) -> Iterator[CppKernel]:
    """Yield every registered C++ function whose op has a schema that could be read."""
    for op in joined.ops.values():
        yield from cpp_kernels_of(op)


def cpp_kernels_of(op: JoinedOp) -> Iterator[CppKernel]:
    """Yield the registered C++ functions of one op."""
    for one in op.definitions:
        if one.statement.language == "cpp" and one.statement.function is not None and one.op is not None:
            keys = ("CompositeImplicitAutograd",)
            yield from _alternatives(op.name, (one,), one.statement, one.statement.function, keys)
    for made in op.implementations:
        if made.language == "cpp" and made.role == "kernel" and made.function is not None:
            beside = tuple(
                one
                for one in op.definitions[:MOST_BESIDE]
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
