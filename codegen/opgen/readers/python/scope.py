"""Scopes, with the values of names, and frames, which are runs of a module or function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
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
_MOST_CONDITIONS = 50


@dataclass(eq=False)
class Scope:
    """A namespace: of a module, a class, or one run through a function.

    Attributes:
        names: what is bound here; ``bind`` and ``put`` write it.
        outer: names that a ``global`` or ``nonlocal`` statement binds elsewhere.
    """

    parent: Scope | None = None
    names: dict[str, Value] = field(default_factory=dict)
    owner: ClassValue | None = None
    outer: dict[str, Scope] = field(default_factory=dict)
    _replaced: list[dict[str, Value | None]] = field(default_factory=list)
    """Of each ``aside`` in which the run is, innermost last: what the names that it bound were before."""

    def lookup(self, name: str) -> Value | None:
        """Return the value of a name in this scope or an enclosing one."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def bind(self, name: str, value: Value) -> None:
        """Bind a name; old and new value of a ``global`` flag are merged, as it isn't known when a function sets it."""
        scope = self.outer.get(name, self)
        is_flag = scope is not self and isinstance(value, Constant)
        scope.put(name, merged(scope.names.get(name, value), value) if is_flag else value)

    def put(self, name: str, value: Value) -> None:
        """Bind a name here."""
        if self._replaced:
            self._replaced[-1].setdefault(name, self.names.get(name))
        self.names[name] = value

    @contextmanager
    def aside(self) -> Iterator[dict[str, Value]]:
        """Take back at the end what was bound here; the dictionary holds it then.

        The names of a large module aren't copied for each of its branches.
        """
        bound: dict[str, Value] = {}
        self._replaced.append({})
        try:
            yield bound
        finally:
            for name, before in self._replaced.pop().items():
                bound[name] = self.names[name]
                if before is None:
                    del self.names[name]
                else:
                    self.names[name] = before

    @property
    def top(self) -> Scope:
        """The scope of the module."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope


class Runner(Protocol):
    """Interprets functions and modules on behalf of an expression (implemented by ``Interpreter``)."""

    project: Project
    budget: int
    """The number of values that may still be evaluated; below zero no statement is interpreted a second time."""

    def evaluate(self, node: ast.expr, frame: Frame) -> Value:
        """Return the value of an expression."""

    def call(self, function: FunctionValue, call: Call, frame: Frame) -> Value:
        """Interpret a function with the arguments of a call, and return its result."""

    def load(self, module: Module) -> None:
        """Interpret a module, unless that was done before."""

    def note_helper(self, frame: Frame) -> None:
        """Note that the function of a frame registers by its parameters, so that its callers must be read too."""

    def defined(self, function: FunctionValue) -> None:
        """Remember a function that is to be interpreted with unknown parameters."""


@dataclass(frozen=True)
class Frame:
    """One run of a module or function.

    Attributes:
        module: the module of the code.
        scope: the scope of the run.
        runner: the interpreter.
        recorder: collects the registrations.
        site: the outermost call that led into this function; ``None`` if it is interpreted without a call.
        helper: the function that was called there.
        conditions: the ``if`` branches around the current statement.
        stack: the functions being interpreted, innermost last.
        calls: the calls that led into this function, outermost first.
        returned: collects the values of ``return`` statements.
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
        """Return the value of an expression in this frame."""
        return self.runner.evaluate(node, self)

    def location(self, node: ast.expr) -> Location:
        """Return the location to report for a registration by this expression: in a helper, that of its call."""
        return self.site or self.module.places.location(node)

    def under(self, condition: Condition) -> Frame:
        """Return the frame of a branch, which knows its condition; those inside of a helper don't count.

        Of the conditions that a thousand ``elif`` or ``if x: return`` leave behind the last ones are kept.
        """
        return (
            replace(self, conditions=(*self.conditions[1 - _MOST_CONDITIONS :], condition))
            if self.site is None
            else self
        )


def opaque(node: ast.expr, frame: Frame, *parts: Value) -> Unknown:
    """Make an unknown value for an expression whose operands were evaluated to ``parts``."""
    written = frame.module.places.written(node)
    return unknown(
        f"`{written}` is not known from the text"
        if len(written) <= _SHORT
        else "its expression is not known from the text",
        *parts,
        written=written,
    )


def unknown(reason: str, *sources: Value, written: str = "") -> Unknown:
    """Make an unknown value, which depends on the caller if one of its ``sources`` does."""
    return Unknown(reason, any(isinstance(value, Unknown) and value.from_caller for value in sources), written)
