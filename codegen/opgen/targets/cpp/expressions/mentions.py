"""What the values of a kernel mention, in the order in which they do."""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from opgen.model.compute.nodes import Given, Index, Load, Named, Operand, Scalar, SizeOf, Value, ValueType
from opgen.records import dataclass
from opgen.targets.cpp.expressions.conversions import Conversions, Place, Typed
from opgen.targets.cpp.expressions.plan import Outside, Read
from opgen.targets.cpp.expressions.types import CppType, Key

Used: TypeAlias = Read | str
"""What a value uses: what is read, or a name."""


@dataclass
class Mentions:
    """Collects what is mentioned, as ``Plan`` has it.

    Attributes:
        conversions: of the values.
    """

    conversions: Conversions
    chosen: dict[Key, None] = field(default_factory=dict)
    reads: dict[Read, CppType] = field(default_factory=dict)
    loads: dict[Operand, ValueType] = field(default_factory=dict)
    outside: dict[Outside, None] = field(default_factory=dict)

    def choose(self, type_: CppType) -> CppType:
        """Note a type."""
        if isinstance(type_, Key):
            self.chosen[type_] = None
        return type_

    def typed(self, value: Value) -> Typed:
        """Return a value in its own type."""
        return value, self.choose(self.conversions.types.of(value.type))

    def add(self, typed: Typed) -> list[Used]:
        """Note what a value mentions, and return what it uses."""
        used: list[Used] = []
        for value, wanted in self.conversions.uses(*typed):
            self.choose(wanted)
            own = self.choose(self.conversions.computed_in(value, wanted))
            match value:
                case Load(operand):
                    used.append(operand)
                    self.reads[operand], self.loads[operand] = own, value.type
                    if operand.start is not None:
                        self.outside[operand.start] = None
                case Index(axis):
                    used.append(Place(axis))
                    self.reads[Place(axis)] = own
                case Named(name):
                    used.append(name)
                case SizeOf(size):
                    self.outside[size] = None
                case Scalar() | Given():
                    self.outside[value] = None
        return used
