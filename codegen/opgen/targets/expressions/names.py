"""Resolves the names in an op's expressions to arguments and sizes, and gives each its identifier in generated code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from opgen.model.op import Argument, Op
from opgen.model.tensors import BindPack, BindSize, DynamicExtent, SolveSize
from opgen.records import dataclass
from opgen.schema.nodes import BaseType, ListType
from opgen.schema.types import without_optional
from opgen.targets.names import FreeNames


@dataclass(frozen=True)
class Names:
    """The names of one op in one language.

    Sizes and arguments are two vocabularies: a dim ``k`` beside a tensor ``k`` is another thing, and gets another
    identifier.

    Attributes:
        arguments: the op's arguments by name.
        sizes: the names that the plan binds, packs included.
        packs: the names among them that stand for any number of dims, as ``batch`` of ``*batch``.
        rename: turns a name into an identifier of the language, as ``cpp_name``.
        outputs: the fresh outputs, which are local variables as the sizes are.
    """

    arguments: Mapping[str, Argument]
    sizes: tuple[str, ...]
    packs: frozenset[str]
    rename: Callable[[str], str]
    outputs: tuple[str, ...] = ()

    @staticmethod
    def of(op: Op, rename: Callable[[str], str]) -> Names:
        """Collect the names of an op."""
        binds = (BindSize, BindPack, SolveSize)
        bound = [step.check.name for step in op.tensors.steps if isinstance(step.check, binds)]
        dynamic = [extent.name for extent in op.tensors.output_extents if isinstance(extent, DynamicExtent)]
        sizes = tuple(dict.fromkeys(bound + dynamic))
        outputs = tuple(output.name for output in op.fresh_outputs)
        return Names(op.argument, sizes, op.tensors.packs, rename, outputs)

    @cached_property
    def _identifiers(self) -> Mapping[str, str]:
        free = FreeNames(self._of_variables)
        return {name: free(self.rename(name)) for name in self.sizes}

    @property
    def _of_variables(self) -> Iterator[str]:
        return (self.rename(name) for name in (*self.arguments, *self.outputs))

    @cached_property
    def taken(self) -> frozenset[str]:
        """The op's own identifiers, which no other variable may have."""
        return frozenset((*self._of_variables, *self._identifiers.values()))

    def argument(self, name: str) -> str:
        """Return the identifier of an argument."""
        return self.rename(name)

    def is_size(self, name: str) -> bool:
        """Whether the plan binds the name."""
        return name in self.sizes

    def value(self, name: str) -> str:
        """Return the identifier of a size with this name, or else of an argument."""
        return self._identifiers[name] if self.is_size(name) else self.argument(name)

    def local(self, name: str) -> str:
        """Return an identifier for a local variable that collides with no argument, size or output."""
        return FreeNames(self.taken)(name)

    def scalar(self, name: str) -> Argument | None:
        """Return the argument that a name in an expression stands for, or ``None`` for sizes and dtypes."""
        return None if self.is_size(name) else self.arguments.get(name)

    def type_name(self, name: str) -> str | None:
        """Return the schema type of a scalar argument, without ``?``: ``float``, ``SymInt``, ``str``; else ``None``."""
        argument = self.scalar(name)
        type_ = without_optional(argument.type) if argument else None
        return type_.name if isinstance(type_, BaseType) else None

    def is_symbolic(self, name: str) -> bool:
        """Whether the value may be symbolic while PyTorch traces: a size, a ``SymInt`` or a list of them."""
        if self.is_size(name):
            return True
        argument = self.arguments.get(name)
        type_ = without_optional(argument.type) if argument else None
        element = type_.element if isinstance(type_, ListType) else type_
        return isinstance(element, BaseType) and element.name == "SymInt"
