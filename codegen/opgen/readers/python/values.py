"""The values of Python expressions, as far as registrations need them."""

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
        reason: the reason, for ``Unread``.
        from_caller: it depends on a parameter of the function that is being read, so that its callers decide it.
        written: the text of the expression.
    """

    reason: str
    from_caller: bool = False
    written: str = ""


@dataclass(frozen=True, slots=True)
class Inference:
    """How a schema was inferred from a function.

    Attributes:
        function: the function.
        mutates: ``mutates_args`` as written; ``None`` without one.
        uninferable: the reasons why PyTorch refuses to infer it.
        unread: the reason why it isn't known; empty if it is.
    """

    function: Function
    mutates: tuple[Text, ...] | None
    uninferable: tuple[Uninferable, ...] = ()
    unread: str = ""


@dataclass(frozen=True, slots=True)
class String:
    """A string; ``inference`` is set if ``infer_schema`` made it or a part of it."""

    text: Text
    inference: Inference | None = None


@dataclass(frozen=True, slots=True)
class Constant:
    """``None``, a bool or a number."""

    value: bool | int | float | None


@dataclass(frozen=True)
class Items:
    """A tuple, list or set with known elements."""

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
    def by_name(self) -> Mapping[str, Value]:
        """The values by their keys; of a key that stands there twice the last one."""
        return {key.text.value: value for key, value in zip(self.keys, self.values, strict=True)}

    @cached_property
    def size(self) -> int:
        """How many values it is made of."""
        return 1 + len(self.keys) + sum(map(size, self.values))


@dataclass(frozen=True, slots=True)
class Symbol:
    """A dotted name from outside of the sources: ``torch.library.custom_op``, ``builtins.int``."""

    path: str
    location: Location = field(compare=False)


@dataclass(frozen=True)
class Generic:
    """A parametrised type: ``list[int]``; unions have the origin ``typing.Union`` and are flat."""

    origin: str
    arguments: tuple[Value, ...]

    @cached_property
    def size(self) -> int:
        """The number of types in it."""
        return 1 + sum(map(size, self.arguments))


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A function or lambda of the sources.

    Attributes:
        node: its node.
        module: its module.
        scope: the enclosing scope.
        location: the location of its head.
        home: the top-level function or class of its module that it is, or is inside of.
        bound: the object whose method it is, or ``None``.
    """

    node: FunctionNode = field(compare=False)
    module: Module = field(compare=False)
    scope: Scope = field(compare=False)
    location: Location
    home: str = ""
    bound: InstanceValue | None = None

    @property
    def name(self) -> str:
        """The name in its ``def``; empty for a lambda."""
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
    """The ``CustomOpDef`` that ``custom_op`` returns; ``name`` is qualified."""

    name: Value


@dataclass(frozen=True, slots=True, eq=False)
class Native:
    """A callable that registers: a method of a library, or a decorator."""

    call: Callable[[Call, Frame], Value]


@dataclass(frozen=True, slots=True)
class Call:
    """A call whose arguments were evaluated.

    Attributes:
        node: the call, or the decorated function.
        location: the location of registrations that it makes.
        positional: the values of positional arguments.
        keywords: keyword -> value.
        places: number or keyword of an argument -> its location.
        is_open: whether ``*args`` or ``**kwargs`` with unknown content are among the arguments.
    """

    node: ast.expr
    location: Location
    positional: tuple[Value, ...] = ()
    keywords: Mapping[str, Value] = field(default_factory=dict)
    places: Mapping[str | int, Location] = field(default_factory=dict)
    is_open: bool = False

    def bind(self, *names: str) -> dict[str, Value]:
        """Return the arguments by parameter, given the parameters in order; omitted ones are missing."""
        return {**dict(zip(names, self.positional, strict=False)), **self.keywords}

    def place(self, name: str, position: int = -1) -> Location:
        """Return the location of an argument, by keyword or position; without it that of the whole call."""
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
"""The most characters or values in one value; a schema, or a table of schemas, has fewer."""


def size(value: Value) -> int:
    """Return the number of values in a value; shared ones count each time, as in a traversal."""
    match value:
        case Items() | Dictionary() | Generic():
            return value.size
        case LibraryValue(first, second):
            return 1 + size(first) + size(second)
        case OperatorValue(name):
            return 1 + size(name)
        case _:
            return 1
