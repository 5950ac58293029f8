"""What an expression of Python means to the reader: as much of its value as a registration needs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from opgen.readers.python.places import FunctionNode
from opgen.readers.registrations import Function, Uninferable
from opgen.records import dataclass
from opgen.source import Location, Text

if TYPE_CHECKING:
    from opgen.readers.python.modules import Module
    from opgen.readers.python.scope import Frame, Scope


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that can't be known from the text.

    Attributes:
        reason: why, for ``Unread``.
        from_caller: it hangs on a parameter of the function that is read: whoever calls it decides.
        written: the expression.
    """

    reason: str
    from_caller: bool = False
    written: str = ""


@dataclass(frozen=True, slots=True)
class Inference:
    """How a schema text was inferred from a function."""

    function: Function
    mutates: tuple[Text, ...] | None
    uninferable: tuple[Uninferable, ...] = ()
    unread: str = ""


@dataclass(frozen=True, slots=True)
class String:
    """A string; ``inference`` if ``infer_schema`` made it or a part of it."""

    text: Text
    inference: Inference | None = None


@dataclass(frozen=True, slots=True)
class Constant:
    """``None``, a truth value or a number."""

    value: bool | int | float | None


@dataclass(frozen=True)
class Items:
    """A tuple, list or set."""

    items: tuple[Value, ...]

    @cached_property
    def size(self) -> int:
        """How many values it is made of."""
        return 1 + sum(map(size, self.items))


@dataclass(frozen=True)
class Dictionary:
    """A dictionary whose keys are strings; it iterates over them."""

    keys: tuple[String, ...]
    values: tuple[Value, ...]

    @cached_property
    def size(self) -> int:
        """How many values it is made of."""
        return 1 + len(self.keys) + sum(map(size, self.values))


@dataclass(frozen=True, slots=True)
class Symbol:
    """A dotted name that leads out of the sources read: ``torch.library.custom_op``, ``builtins.int``."""

    path: str
    location: Location = field(compare=False)


@dataclass(frozen=True)
class Generic:
    """A parametrised type: ``list[int]``; unions have the origin ``typing.Union`` and are flat."""

    origin: str
    arguments: tuple[Value, ...]

    @cached_property
    def size(self) -> int:
        """How many types it is made of."""
        return 1 + sum(map(size, self.arguments))


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A function or lambda of the sources, and the scope that it sees.

    Attributes:
        home: the function or class at the top of its module that it is, or is written in.
        bound: the object whose method it is.
    """

    node: FunctionNode = field(compare=False)
    module: Module = field(compare=False)
    scope: Scope = field(compare=False)
    location: Location
    home: str = ""
    bound: InstanceValue | None = None

    @property
    def name(self) -> str:
        """The name it was defined by; empty for a lambda."""
        return "" if isinstance(self.node, ast.Lambda) else self.node.name


@dataclass(frozen=True, slots=True)
class ModuleValue:
    """A module of the sources."""

    module: Module = field(compare=False)
    name: str


@dataclass(frozen=True, slots=True)
class Imported:
    """A name of another source, which is read when the name is used; ``full`` is its dotted name."""

    module: Module = field(compare=False)
    name: str
    full: str


@dataclass(frozen=True, slots=True, eq=False)
class ClassValue:
    """A class of the sources."""

    name: str
    scope: Scope
    bases: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class InstanceValue:
    """An object of a class of the sources; ``scope`` holds its own attributes."""

    type: ClassValue
    scope: Scope


@dataclass(frozen=True, slots=True)
class LibraryValue:
    """A ``torch.library.Library`` object."""

    namespace: Value
    key: Value


@dataclass(frozen=True, slots=True)
class OperatorValue:
    """What ``custom_op`` returns; ``name`` is qualified."""

    name: Value


@dataclass(frozen=True, slots=True, eq=False)
class Native:
    """Something to call that registers: a method of a library, a decorator that waits for its function."""

    call: Callable[[Call, Frame], Value]


@dataclass(frozen=True, slots=True)
class Call:
    """A call whose arguments were evaluated.

    Attributes:
        node: the call, or what is decorated.
        location: where a registration that it makes stands.
        places: where each argument stands, by its number or keyword.
        is_open: ``*args`` or ``**kwargs`` of unknown content stand among the arguments.
    """

    node: ast.expr
    location: Location
    positional: tuple[Value, ...] = ()
    keywords: Mapping[str, Value] = field(default_factory=dict)
    places: Mapping[str | int, Location] = field(default_factory=dict)
    is_open: bool = False

    def bind(self, *names: str) -> dict[str, Value]:
        """Give the arguments their names, in the order of a signature; those that are left out are missing."""
        return {**dict(zip(names, self.positional, strict=False)), **self.keywords}

    def place(self, name: str, position: int = -1) -> Location:
        """Where an argument stands, by keyword or position; the whole call if it isn't there."""
        return self.places.get(name) or self.places.get(position) or self.location


Value: TypeAlias = (
    Unknown
    | String
    | Constant
    | Items
    | Dictionary
    | Symbol
    | Generic
    | FunctionValue
    | ModuleValue
    | Imported
    | ClassValue
    | InstanceValue
    | LibraryValue
    | OperatorValue
    | Native
)

NONE = Constant(None)
LARGEST = 10_000
"""What is made of more characters or values than that is no schema, and no table of them."""


def size(value: Value) -> int:
    """Return how many values one is made of; those that it has twice count twice, as they do for who walks over it."""
    match value:
        case Items() | Dictionary() | Generic():
            return value.size
        case LibraryValue(first, second):
            return 1 + size(first) + size(second)
        case OperatorValue(name):
            return 1 + size(name)
        case _:
            return 1
