"""Names and what they are bound to, and the place in a program that is read."""

from __future__ import annotations

import ast
from dataclasses import field, replace
from typing import TYPE_CHECKING, Protocol

from opgen.readers.python.merge import merged
from opgen.readers.python.values import Call, ClassValue, Constant, FunctionValue, Unknown, Value
from opgen.readers.registrations import Condition
from opgen.records import dataclass
from opgen.source import Location

if TYPE_CHECKING:
    from opgen.readers.python.modules import Module, Project
    from opgen.readers.python.record import Recorder


_SHORT = 60


@dataclass(eq=False)
class Scope:
    """A namespace: of a module, a class, or one run through a function."""

    parent: Scope | None = None
    names: dict[str, Value] = field(default_factory=dict)
    owner: ClassValue | None = None
    outer: dict[str, Scope] = field(default_factory=dict)
    """Names that a ``global`` or ``nonlocal`` statement binds elsewhere."""

    def lookup(self, name: str) -> Value | None:
        """Find a name here or further out."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def bind(self, name: str, value: Value) -> None:
        """Bind a name. Of a flag that a function sets for the whole module it isn't known when: both values are possible."""
        scope = self.outer.get(name, self)
        is_flag = scope is not self and isinstance(value, Constant)
        scope.names[name] = merged(scope.names.get(name, value), value) if is_flag else value

    @property
    def top(self) -> Scope:
        """The scope of the module."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope


class Runner(Protocol):
    """Runs through functions and modules on behalf of an expression."""

    project: Project
    patience: int
    """How many more values are looked at; below zero no statement is read a second time."""

    def evaluate(self, node: ast.expr, frame: Frame) -> Value:
        """Return what an expression is."""

    def call(self, function: FunctionValue, call: Call, frame: Frame) -> Value:
        """Run through a function with the arguments of a call; return what it returns."""

    def load(self, module: Module) -> None:
        """Run through a module if that wasn't done yet."""

    def helps(self, frame: Frame) -> None:
        """Note that a function registers what its callers say: they are to be read, too."""

    def defined(self, function: FunctionValue) -> None:
        """Remember a function that is to be run through for its own sake."""


@dataclass(frozen=True)
class Frame:
    """One run through a module or function.

    Attributes:
        site: the call that led into this function, outermost; ``None`` where the text is read for its own sake.
        helper: the function that was called there.
        stack: the functions in which this run is, innermost last.
        calls: those that led into this function, outermost first.
    """

    module: Module
    scope: Scope
    runner: Runner
    recorder: Recorder
    site: Location | None = None
    helper: str = ""
    conditions: tuple[Condition, ...] = ()
    stack: tuple[FunctionValue, ...] = ()
    calls: tuple[ast.AST, ...] = ()
    returned: list[Value] = field(default_factory=list)

    def evaluate(self, node: ast.expr) -> Value:
        """Return what an expression is here."""
        return self.runner.evaluate(node, self)

    def location(self, node: ast.expr) -> Location:
        """Where a registration by this expression is to be reported: at the call, for the body of a helper."""
        return self.site or self.module.places.location(node)

    def under(self, condition: Condition) -> Frame:
        """Return the frame of a branch, which knows its condition; those inside of a helper don't count."""
        return replace(self, conditions=(*self.conditions, condition)) if self.site is None else self


def opaque(node: ast.expr, frame: Frame, *parts: Value) -> Unknown:
    """Make an unknown value of an expression whose parts were evaluated."""
    written = frame.module.places.written(node)
    return unknown(
        f"`{written}` is not known from the text"
        if len(written) <= _SHORT
        else "its expression is not known from the text",
        *parts,
        written=written,
    )


def unknown(reason: str, *sources: Value, written: str = "") -> Unknown:
    """Make an unknown value that hangs on a caller if one of those does that it was made of."""
    return Unknown(reason, any(isinstance(value, Unknown) and value.from_caller for value in sources), written)
