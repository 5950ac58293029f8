"""An op before and after, and which of its arguments belong together."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from opgen.breaking.surface import Surface
from opgen.model.op import Op
from opgen.records import dataclass
from opgen.schema.aliases import is_written
from opgen.schema.kinds import kind_of
from opgen.schema.nodes import Argument, FunctionSchema


@dataclass(frozen=True)
class Pair:
    """Two versions of an op of one name.

    Attributes:
        old_side: what the old op is part of; ``new_side`` likewise.
    """

    old: Op
    new: Op
    old_side: Surface
    new_side: Surface

    @property
    def are_declared(self) -> bool:
        """Whether both stand in an ``ops.yaml``."""
        return self.old_side.is_declared and self.new_side.is_declared

    @cached_property
    def old_arguments(self) -> Mapping[str, Argument]:
        """The old arguments by name."""
        return {argument.name: argument for argument in self.old.schema.arguments}

    @cached_property
    def new_arguments(self) -> Mapping[str, Argument]:
        """The new arguments by name."""
        return {argument.name: argument for argument in self.new.schema.arguments}

    @cached_property
    def renamed(self) -> Mapping[str, str]:
        """Old names of arguments -> new ones: those of one type at one position whose old names are gone."""
        return {
            old.name: new.name
            for old, new in zip(self.old.schema.arguments, self.new.schema.arguments, strict=False)
            if old.name not in self.new_arguments
            and new.name not in self.old_arguments
            and old.kwarg_only == new.kwarg_only
            and kind_of(old.type) == kind_of(new.type)
        }

    @cached_property
    def matched(self) -> tuple[tuple[Argument, Argument], ...]:
        """The arguments that both have, in the old order; those that were renamed among them."""
        names = ((old, self.renamed.get(old.name, old.name)) for old in self.old.schema.arguments)
        return tuple((old, self.new_arguments[name]) for old, name in names if name in self.new_arguments)

    @cached_property
    def removed(self) -> tuple[Argument, ...]:
        """The old arguments that are gone."""
        kept = {old.name for old, _ in self.matched}
        return tuple(old for old in self.old.schema.arguments if old.name not in kept)

    @cached_property
    def added(self) -> tuple[Argument, ...]:
        """The new arguments."""
        kept = {new.name for _, new in self.matched}
        return tuple(new for new in self.new.schema.arguments if new.name not in kept)


def first_out(schema: FunctionSchema) -> int:
    """Return the index of the first keyword-only argument that is written: in front of it new ones are appended.

    Source: ``findFirstOutArg`` in ``aten/src/ATen/core/function_schema.cpp``, ``Argument::is_out``.
    """
    outs = (i for i, argument in enumerate(schema.arguments) if argument.kwarg_only and is_written(argument))
    return next(outs, len(schema.arguments))


def is_appended(pair: Pair, new: Argument) -> bool:
    """Whether PyTorch takes a new argument for one that was appended: behind all others, in front of those of out=."""
    return first_out(pair.old.schema) <= pair.new.schema.arguments.index(new) < first_out(pair.new.schema)
