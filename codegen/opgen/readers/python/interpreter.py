"""Interprets the statements of Python sources abstractly, as far as registrations need it.

Modules are interpreted from the top. Then each function that may register something is interpreted with unknown
parameters, which records the registrations that don't depend on them. A call of such a function is interpreted with its
arguments, and the registrations that depend on them are recorded at the call: so a project's own helpers are understood
by what they do.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import field
from functools import reduce

from opgen.readers.python import known_helpers, operators, torch_api
from opgen.readers.python.evaluate import evaluate
from opgen.readers.python.merge import merged
from opgen.readers.python.modules import Module, Project
from opgen.readers.python.parameters import bind_call, bind_unknown
from opgen.readers.python.record import Recorder
from opgen.readers.python.scope import Frame, Scope, unknown
from opgen.readers.python.statements import run
from opgen.readers.python.values import NONE, Call, FunctionValue, Value
from opgen.readers.registrations import Registrations, Unread
from opgen.records import dataclass
from opgen.source import Location, Source, Span

_WORDS = frozenset({*torch_api.API, *operators.FORMS, *known_helpers.NAMES, "_register_fake", "load_library"})
_DEPTH = 8
_SMALL = 5


@dataclass
class Interpreter:
    """Implements ``Runner``.

    Attributes:
        project: the modules.
        recorder: collects the registrations.
        names: the unqualified names of calls that may register: of ``torch.library``, and of the helpers found so far.
        functions: the functions that are still to be interpreted with unknown parameters.
        budget: what is left of the budget of the module that is being interpreted for its own sake.
    """

    project: Project
    recorder: Recorder = field(default_factory=Recorder)
    names: set[str] = field(default_factory=lambda: set(_WORDS))
    functions: list[FunctionValue] = field(default_factory=list)
    budget: int = 0

    def evaluate(self, node: ast.expr, frame: Frame) -> Value:
        """Return the value of an expression."""
        return evaluate(node, frame)

    def run(self) -> None:
        """Interpret the modules that may register something, and then their functions."""
        texts = self.names - {"define", "impl"} | {".define(", ".impl("}
        for module in self.project.mentioning(texts):
            self.load(module)
        self.run_functions()

    def load(self, module: Module) -> None:
        """Interpret a module, unless that was done before; one with a syntax error is recorded as unread."""
        if module.is_loaded:
            return
        module.is_loaded = True
        frame = Frame(module, module.scope, self, self.recorder)
        if module.error is not None:
            line = min(module.error.lineno or 1, module.source.text.count("\n") + 1)
            start = module.places.offset(line, 0)
            place = Location(module.source, Span(start, start + len(module.source.line(line))))
            self.recorder.add(frame, ast.Pass(), Unread(place, f"the file is no Python: {module.error.msg}"))
        self._run(module.tree.body, frame)

    def _run(self, statements: Sequence[ast.stmt], frame: Frame) -> None:
        """Interpret statements; code nested beyond the recursion limit is recorded as unread."""
        module, outer = frame.module, self.budget
        self.budget = module.budget
        try:
            run(statements, frame)
        except RecursionError:
            place = module.places.location(statements[0])
            self.recorder.add(frame, statements[0], Unread(place, "what follows is nested too deeply to be read"))
        finally:
            module.budget, self.budget = self.budget, outer

    def defined(self, function: FunctionValue) -> None:
        """Remember a function that may register something."""
        self.functions.append(function)

    def note_helper(self, frame: Frame) -> None:
        """Add the functions of a frame, which register by their parameters, to the names of helpers."""
        self.names |= {function.home for function in frame.stack if function.home}

    def run_functions(self) -> None:
        """Interpret the functions that may register, and those inside of them, with unknown parameters."""
        while self.functions:
            function = self.functions.pop(0)
            if self._registers(function) and not isinstance(function.node, ast.Lambda):
                scope = Scope(function.scope)
                bind_unknown(function, scope)
                self._run(function.node.body, Frame(function.module, scope, self, self.recorder, stack=(function,)))

    def call(self, function: FunctionValue, call: Call, frame: Frame) -> Value:
        """Interpret a function with the arguments of a call, and return its result."""
        node = function.node
        if self.budget < 0:
            return unknown(f"`{function.name}` is called too often to be followed")
        is_worth_it = isinstance(node, ast.Lambda) or _is_small(node) or self._registers(function)
        if any(node is outer.node for outer in frame.stack) or len(frame.stack) > _DEPTH or not is_worth_it:
            return unknown(f"it is the result of `{function.name}`", *call.positional, *call.keywords.values())
        scope = Scope(function.scope)
        inner = Frame(
            function.module,
            scope,
            self,
            self.recorder,
            site=call.location,
            helper=frame.helper or _called_by(call.node) or function.name,
            conditions=frame.conditions,
            stack=(*frame.stack, function),
            calls=(*frame.calls, call.node),
        )
        bind_call(function, call, scope, inner)
        if isinstance(node, ast.Lambda):
            return evaluate(node.body, inner)
        run(node.body, inner)
        return reduce(merged, inner.returned) if inner.returned else NONE

    def _registers(self, function: FunctionValue) -> bool:
        return function.module.calls(function.node, self.names)


def read_python(sources: Iterable[Source]) -> Registrations:
    """Read the registrations in Python sources.

    Registrations that can't be read, and files with syntax errors, are in ``unread``. Imports between the sources are
    resolved. Files that mention neither ``torch.library`` nor a helper found in another file are skipped.
    """
    known = tuple(sources)
    project = Project(known)
    names = set(_WORDS)
    while True:
        project.restart()
        interpreter = Interpreter(project, names=set(names))
        interpreter.run()
        if interpreter.names <= names:
            return interpreter.recorder.registrations({source.path: source for source in known})
        # Files that call the helpers found in this round register as well.
        names |= interpreter.names


def _is_small(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function is short enough to be interpreted for its result, though it registers nothing."""
    return len(function.body) <= _SMALL and not any(isinstance(one, ast.For | ast.While) for one in function.body)


def _called_by(node: ast.expr) -> str:
    """Return the unqualified name of a call's or decorator's function."""
    function = node.func if isinstance(node, ast.Call) else node
    while isinstance(function, ast.Call):
        function = function.func
    return (
        function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""
    )
