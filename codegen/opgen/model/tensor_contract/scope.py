"""The names that the expressions of one op may mention, and the calls in which each has a value."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field
from difflib import get_close_matches
from enum import Enum
from itertools import islice

from opgen.model.op import Argument
from opgen.model.tensor_contract.guards import EVERYWHERE, Fact, Facts, Guard
from opgen.records import dataclass
from opgen.schema.nodes import BaseType, ListType, OptionalType
from opgen.schema.types import without_optional
from opgen.spec.dtypes import SYNONYMS

MOST_COMPARED = 16
"""With how many optional tensors each other one is compared, where any of them may be the only one that is given."""
_MOST_CHOICES = 100
"""How many names are looked at for one that is spelt much like another."""


class Kind(Enum):
    """The kind of a value in expressions; the values of the enum are used in messages."""

    INTEGER = "an integer"
    NUMBER = "a number"
    CONDITION = "a condition"
    STRING = "a string"
    DTYPE = "a dtype"
    DEVICE = "a device"
    NONE = "None"
    SIZES = "several sizes"
    TENSOR = "a tensor"
    TENSORS = "a list of tensors"
    OTHER = "no value that an expression can use"
    UNKNOWN = "unknown"
    """The kind of an expression in which a mistake has been reported."""


_KINDS = {
    "int": Kind.INTEGER,
    "SymInt": Kind.INTEGER,
    "float": Kind.NUMBER,
    "SymFloat": Kind.NUMBER,
    "Scalar": Kind.NUMBER,
    "bool": Kind.CONDITION,
    "SymBool": Kind.CONDITION,
    "str": Kind.STRING,
    "ScalarType": Kind.DTYPE,
    "Device": Kind.DEVICE,
    "Tensor": Kind.TENSOR,
}


def kind_of(argument: Argument) -> Kind:
    """Return the kind of an argument; of an optional one, its kind when given."""
    type_ = without_optional(argument.type)
    if argument.is_tensor_list:
        return Kind.TENSORS
    if isinstance(type_, ListType):
        element = type_.element
        is_sizes = isinstance(element, BaseType) and _KINDS.get(element.name) is Kind.INTEGER
        return Kind.SIZES if is_sizes else Kind.OTHER
    return _KINDS.get(type_.name, Kind.OTHER) if isinstance(type_, BaseType) else Kind.OTHER


def has_gaps(argument: Argument) -> bool:
    """Whether an argument is a list whose elements may be ``None`` (``Tensor?[]``), so that none can be relied on."""
    type_ = without_optional(argument.type)
    return isinstance(type_, ListType) and isinstance(type_.element, OptionalType)


def did_you_mean(name: str, choices: Iterable[str], otherwise: str) -> str:
    """Return a remedy: the choice that a name is a synonym or a misspelling of, or else the text ``otherwise``."""
    others = [*islice((choice for choice in choices if choice != name), _MOST_CHOICES)]
    same = [choice for choice in others if choice == SYNONYMS.get(name)]
    close = same or get_close_matches(name, others, 1, 0.7)
    return f"did you mean '{close[0]}'?" if close else otherwise


@dataclass(frozen=True, slots=True)
class Version:
    """One binding of a size.

    A size that only optional tensors have is bound by each of them under a name of its own, since any of them may be
    ``None``.

    Attributes:
        name: its name in the plan.
        guard: the calls in which it has a value.
        by: the tensor that binds it; ``None`` for an argument.
    """

    name: str
    guard: Guard = EVERYWHERE
    by: str | None = None


@dataclass
class Scope:
    """The arguments of an op and the sizes that its tensors bind.

    Attributes:
        arguments: by name.
        implied: where a fact holds, these do, by conditions of ``checks``.
        sizes: size or pack -> its versions, in the order of binding.
        packs: the names among them that are packs.
        ranks: tensor -> its number of dims, and whether that is exact.
        bound_strides: the strides, as (tensor, dim), that have bound a name.
        broken: names in whose binding a mistake was reported; further messages about them would only repeat it.
    """

    arguments: Mapping[str, Argument]
    implied: Mapping[Fact, Facts] = field(default_factory=dict)
    sizes: dict[str, list[Version]] = field(default_factory=dict)
    packs: set[str] = field(default_factory=set)
    ranks: dict[str, tuple[int, bool]] = field(default_factory=dict)
    bound_strides: set[tuple[str, int]] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for name, argument in self.arguments.items():
            kind = kind_of(argument)
            if kind in (Kind.INTEGER, Kind.SIZES):
                self.sizes[name] = [Version(name, Guard(frozenset({name}) if argument.is_optional else frozenset()))]
            if kind is Kind.SIZES:
                self.packs.add(name)

    def known(self, facts: Iterable[Fact]) -> Facts:
        """Return the facts and all that they imply."""
        known = set(facts)
        waiting = [*known] if self.implied else []
        while waiting:
            new = self.implied.get(waiting.pop(), frozenset()) - known
            known |= new
            waiting += new
        return frozenset(known)

    def version(self, name: str, facts: Facts) -> Version | None:
        """Return a version of a size that has a value if these facts hold; ``None`` if no version has."""
        known = self.known(facts)
        return next((version for version in self.sizes.get(name, ()) if version.guard.facts <= known), None)

    def bind(self, name: str, guard: Guard, by: str) -> Version:
        """Enter a new version of a size that the tensor ``by`` binds; the branches of one tensor share a name."""
        versions = self.sizes.setdefault(name, [])
        own = next((each.name for each in versions if each.by == by), f"{name}_{by}" if versions else name)
        if versions and all(each.name != own for each in versions):
            while own in self.arguments or own in self.sizes:
                own += "_"
        version = Version(own, guard, by)
        versions.append(version)
        return version

    def merge(self, name: str, by: str, guards: Collection[Guard], base: Guard) -> None:
        """Join the versions that the branches of a tensor bind into one, if every branch binds the size."""
        versions = self.sizes[name]
        parts = [version for version in versions if version.by == by]
        if {version.guard for version in parts}.issuperset(guards):
            place = versions.index(parts[0])
            versions[:] = [version for version in versions if version.by != by]
            versions.insert(place, Version(parts[0].name, base, by))

    @property
    def names(self) -> tuple[str, ...]:
        """All names that an expression may mention."""
        return (*self.arguments, *self.sizes)

    def of_kind(self, *kinds: Kind) -> list[str]:
        """Return the names of the arguments of these kinds."""
        return [name for name, argument in self.arguments.items() if kind_of(argument) in kinds]
