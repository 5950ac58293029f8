"""Runs through the statements of Python sources, as far as registrations need it.

Modules are run through from the top. Then each function in which something may be registered is, for its own sake, its
parameters unknown: what doesn't hang on them is counted there. A call of a function is run through with its arguments, which
counts what hangs on them, at the call: so a project's own helpers are read by what they do.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from opgen.readers.python import known_helpers, operators, torch_api
from opgen.readers.python.evaluate import evaluate
from opgen.readers.python.modules import Module, Project
from opgen.readers.python.parameters import bind_call, bind_unknown
from opgen.readers.python.record import Recorder
from opgen.readers.python.scope import Frame, Scope, unknown
from opgen.readers.python.statements import run
from opgen.readers.python.values import NONE, Call, FunctionValue, Value
from opgen.readers.registrations import Registrations, Unread
from opgen.source import Location, Source, Span

_BASE_NAMES = frozenset({*torch_api.API, *operators.FORMS, *known_helpers.NAMES, "_register_fake", "load_library"})
_DEPTH = 8
_SMALL = 400


@dataclass
class Interpreter:
    """Implements ``Runner``; ``names`` are the words that a text has if it registers something."""

    project: Project
    recorder: Recorder = field(default_factory=Recorder)
    names: frozenset[str] = _BASE_NAMES
    functions: list[FunctionValue] = field(default_factory=list)

    def evaluate(self, node: ast.expr, frame: Frame) -> Value:
        """Return what an expression is."""
        return evaluate(node, frame)

    def load(self, module: Module) -> None:
        """Run through a module if that wasn't done yet; one that is no Python is unread."""
        if module.is_loaded:
            return
        module.is_loaded = True
        frame = Frame(module, module.scope, self, self.recorder)
        if isinstance(module.tree, SyntaxError):
            line = min(module.tree.lineno or 1, module.source.text.count("\n") + 1)
            start = module.places.offset(line, 0)
            place = Location(module.source, Span(start, start + len(module.source.line(line))))
            self.recorder.add(frame, ast.Module(), Unread(place, f"the file is no Python: {module.tree.msg}"))
            return
        run(module.tree.body, frame)

    def defined(self, function: FunctionValue) -> None:
        """Remember a function that may register something."""
        if self._mentions(function.node):
            self.functions.append(function)

    def run_functions(self) -> None:
        """Run through the functions, and those inside them, each for its own sake."""
        done: set[int] = set()
        while self.functions:
            function = self.functions.pop(0)
            if id(function.node) in done or isinstance(function.node, ast.Lambda):
                continue
            done.add(id(function.node))
            scope = Scope(function.scope)
            bind_unknown(function, scope)
            run(function.node.body, Frame(function.module, scope, self, self.recorder, stack=(function.node,)))

    def call(self, function: FunctionValue, call: Call, frame: Frame) -> Value:
        """Run through a function with the arguments of a call; return what it returns."""
        node = function.node
        if node in frame.stack or len(frame.stack) > _DEPTH or not (self._mentions(node) or _is_small(node)):
            return unknown(f"it is the result of `{function.name}`", *call.positional, *call.keywords.values())
        scope = Scope(function.scope)
        inner = Frame(
            function.module,
            scope,
            self,
            self.recorder,
            site=call.location,
            helper=frame.helper or function.name,
            conditions=frame.conditions,
            stack=(*frame.stack, node),
        )
        bind_call(function, call, scope, inner)
        if isinstance(node, ast.Lambda):
            return evaluate(node.body, inner)
        run(node.body, inner)
        known = [value for value in inner.returned if value != NONE]
        return known[-1] if known else NONE

    def _mentions(self, node: ast.AST) -> bool:
        return any(
            (isinstance(part, ast.Name) and part.id in self.names)
            or (isinstance(part, ast.Attribute) and part.attr in self.names)
            for part in ast.walk(node)
        )


def read_python(sources: Iterable[Source]) -> Registrations:
    """Read the registrations of Python sources; what can't be read is counted in ``unread``.

    A file that doesn't parse is one of these. The sources see each other through their imports.
    """
    known = tuple(sources)
    project = Project(known)
    interpreter = Interpreter(project)
    interpreter.names |= _helpers(project)
    for module in project.mentioning(interpreter.names):
        interpreter.load(module)
    interpreter.run_functions()
    return interpreter.recorder.registrations({source.path: source for source in known})


def _helpers(project: Project) -> frozenset[str]:
    """Return the names of functions at the top of modules that may register for their callers."""
    found: set[str] = set()
    for module in project.mentioning(_BASE_NAMES - {"define", "impl"} | {"library"}):
        body = [] if isinstance(module.tree, SyntaxError) else module.tree.body
        for statement in body:
            if isinstance(statement, ast.FunctionDef) and any(
                isinstance(part, ast.Attribute | ast.Name)
                and (part.attr if isinstance(part, ast.Attribute) else part.id) in _BASE_NAMES
                for part in ast.walk(statement)
                if part not in statement.decorator_list
            ):
                found.add(statement.name)
    return frozenset(found)


def _is_small(node: ast.AST) -> bool:
    return sum(1 for _ in ast.walk(node)) <= _SMALL
