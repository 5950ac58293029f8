"""Interprets each kind of statement: evaluates its expressions and binds its names."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence

from opgen.readers.python import calls, imports
from opgen.readers.python.evaluate import evaluate, truth
from opgen.readers.python.merge import merged, merged_names
from opgen.readers.python.scope import Frame, Scope, unknown
from opgen.readers.python.values import (
    Call,
    ClassValue,
    Constant,
    Dictionary,
    FunctionValue,
    InstanceValue,
    Items,
    LibraryValue,
    ModuleValue,
    String,
    Unknown,
    Value,
)
from opgen.readers.registrations import Condition

_LONGEST_LOOP = 200
_LONGEST_TABLE = 1000
_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def run(statements: Sequence[ast.stmt], frame: Frame) -> bool:
    """Interpret statements; return whether they always return or raise."""
    for statement in statements:
        handler = _HANDLERS.get(type(statement))
        if handler is not None and handler(statement, frame):
            return True
        if isinstance(statement, ast.If):
            frame = _behind(statement, frame)
    return False


def bind(target: ast.expr, value: Value, frame: Frame) -> None:
    """Bind the target of an assignment."""
    match target:
        case ast.Name(id=name):
            frame.scope.bind(name, value)
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            known = value.items if isinstance(value, Items) and len(value.items) == len(targets) else None
            for index, inner in enumerate(targets):
                bind(inner, known[index] if known else unknown("it is a part of another value", value), frame)
        case ast.Starred(value=inner):
            bind(inner, unknown("it is a part of another value", value), frame)
        case ast.Attribute(value=inner, attr=name):
            owner = evaluate(inner, frame)
            if isinstance(owner, ClassValue | InstanceValue):
                owner.scope.bind(name, value)
            elif isinstance(owner, ModuleValue):
                owner.module.scope.bind(name, value)
        case ast.Subscript(value=inner, slice=index):
            bind(inner, _with_item(evaluate(inner, frame), evaluate(index, frame), value), frame)


def _with_item(owner: Value, index: Value, value: Value) -> Value:
    """Return a container after an assignment to one of its items."""
    if isinstance(owner, Dictionary) and isinstance(index, String) and len(owner.keys) < _LONGEST_TABLE:
        rest = [
            (key, old) for key, old in zip(owner.keys, owner.values, strict=True) if key.text.value != index.text.value
        ]
        return Dictionary((*(key for key, _ in rest), index), (*(old for _, old in rest), value))
    if isinstance(owner, Items | Dictionary):
        return unknown("an item of it is assigned", index)
    return owner


def _assign(statement: ast.Assign, frame: Frame) -> None:
    value = evaluate(statement.value, frame)
    for target in statement.targets:
        bind(target, value, frame)


def _annotated(statement: ast.AnnAssign, frame: Frame) -> None:
    if statement.value is not None:
        bind(statement.target, evaluate(statement.value, frame), frame)


def _augmented(statement: ast.AugAssign, frame: Frame) -> None:
    if isinstance(statement.target, ast.Name):
        left = ast.copy_location(ast.Name(statement.target.id, ast.Load()), statement.target)
        whole = ast.copy_location(ast.BinOp(left, statement.op, statement.value), statement)
        bind(statement.target, evaluate(whole, frame), frame)


def _expression(statement: ast.Expr, frame: Frame) -> None:
    if not isinstance(statement.value, ast.Constant):  # a docstring
        evaluate(statement.value, frame)


def _return(statement: ast.Return, frame: Frame) -> bool:
    if statement.value is not None:
        frame.returned.append(evaluate(statement.value, frame))
    return True


def _function(statement: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame) -> None:
    owner = frame.scope.owner
    home = frame.stack[0].home if frame.stack else owner.name if owner else statement.name
    function = FunctionValue(statement, frame.module, frame.scope, frame.module.places.signature(statement), home)
    if frame.site is None:
        frame.runner.defined(function)
    value: Value = function
    for decorator in reversed(statement.decorator_list):
        location = frame.location(decorator)
        result = calls.apply(evaluate(decorator, frame), Call(decorator, location, (value,)), frame)
        # An unknown decorator is assumed to return a function that behaves as the decorated one.
        value = value if isinstance(result, Unknown) else result
    frame.scope.bind(statement.name, value)


def _class(statement: ast.ClassDef, frame: Frame) -> None:
    scope = Scope(frame.scope)
    bases = tuple(evaluate(base, frame) for base in statement.bases)
    scope.owner = ClassValue(statement.name, scope, bases)
    frame.scope.bind(statement.name, scope.owner)
    run(
        statement.body,
        Frame(
            frame.module,
            scope,
            frame.runner,
            frame.recorder,
            frame.site,
            frame.helper,
            frame.conditions,
            frame.stack,
            frame.calls,
        ),
    )


def _if(statement: ast.If, frame: Frame) -> bool:
    if _is_type_checking(statement.test):
        return _for_type_checkers(statement.body, frame) or run(statement.orelse, frame)
    known = truth(evaluate(statement.test, frame))
    if known is not None:
        return run(statement.body if known else statement.orelse, frame)
    holds, fails = _conditions(statement, frame)
    return _branches([(statement.body, frame.under(holds)), (statement.orelse, frame.under(fails))], frame)


def _conditions(statement: ast.If, frame: Frame) -> tuple[Condition, Condition]:
    """Return the conditions of the two branches."""
    places = frame.module.places
    text, location = places.written(statement.test), places.location(statement.test)
    other = places.location(statement.orelse[0] if statement.orelse else statement)
    return Condition(text, location, location), Condition(f"not ({text})", other, location)


def _behind(statement: ast.If, frame: Frame) -> Frame:
    """Return the frame for the statements that follow: behind ``if x: return``, ``x`` does not hold."""
    if _is_type_checking(statement.test):
        return frame
    holds, fails = _conditions(statement, frame)
    leaves = [bool(body) and isinstance(body[-1], _LEAVING) for body in (statement.body, statement.orelse)]
    return frame if leaves[0] == leaves[1] else frame.under(fails if leaves[0] else holds)


def _is_type_checking(test: ast.expr) -> bool:
    return (test.id if isinstance(test, ast.Name) else getattr(test, "attr", "")) == "TYPE_CHECKING"


def _for_type_checkers(body: Sequence[ast.stmt], frame: Frame) -> bool:
    """Interpret a block under ``TYPE_CHECKING`` for its imports of types only, as the process doesn't run it."""
    with frame.scope.aside() as bound:
        run(body, frame)
    for name, value in bound.items():
        is_new = isinstance(value, Constant) and frame.scope.names.get(name) is not value
        frame.scope.put(name, unknown(f"`{name}` is bound for type checkers only") if is_new else value)
    return False


def _branches(branches: Iterable[tuple[Sequence[ast.stmt], Frame]], frame: Frame) -> bool:
    """Interpret alternatives from the same state, and merge the names after those that don't leave the function."""
    results: list[Mapping[str, Value]] = []
    for body, inner in branches:
        with frame.scope.aside() as bound:
            leaves = run(body, inner)
        if not leaves:
            results.append(bound)
    for name, value in merged_names(frame.scope.names, results):
        frame.scope.put(name, value)
    return not results


def _for(statement: ast.For | ast.AsyncFor, frame: Frame) -> None:
    items = evaluate(statement.iter, frame)
    if isinstance(items, Items) and len(items.items) <= _LONGEST_LOOP:
        for item in items.items:
            is_last = frame.runner.budget < 0
            bind(statement.target, unknown("its loop has too many rounds to be followed") if is_last else item, frame)
            run(statement.body, frame)
            if is_last:
                break
    else:
        written = frame.module.places.written(statement.iter)
        bind(statement.target, unknown(f"it comes from a loop over `{written}`", items), frame)
        run(statement.body, frame)
    run(statement.orelse, frame)


def _while(statement: ast.While, frame: Frame) -> None:
    run(statement.body, frame)


def _with(statement: ast.With | ast.AsyncWith, frame: Frame) -> bool:
    for item in statement.items:
        value = evaluate(item.context_expr, frame)
        if item.optional_vars is not None:
            known = isinstance(value, LibraryValue | InstanceValue)
            bind(item.optional_vars, value if known else unknown("it comes from a context manager", value), frame)
    return run(statement.body, frame)


def _try(statement: ast.Try, frame: Frame) -> bool:
    """Interpret the body and then each handler; names bound in handlers don't replace those of the body."""
    left = run([*statement.body, *statement.orelse], frame)
    scope = frame.scope
    for handler in statement.handlers:
        with scope.aside() as bound:
            run(handler.body, frame)
        for name, value in bound.items():
            known = scope.names.get(name)
            if known is None or isinstance(known, Unknown):
                scope.put(name, value if known is None else merged(known, value))
    run(statement.finalbody, frame)
    return left and not statement.handlers


def _match(statement: ast.Match, frame: Frame) -> bool:
    value = evaluate(statement.subject, frame)
    alternatives: list[tuple[Sequence[ast.stmt], Frame]] = []
    for case in statement.cases:
        for part in ast.walk(case.pattern):
            if isinstance(part, ast.MatchAs | ast.MatchStar) and part.name:
                frame.scope.bind(part.name, unknown("it comes from a pattern", value))
        alternatives.append((case.body, frame))
    return _branches([*alternatives, ((), frame)], frame)


def _raise(_: ast.Raise, __: Frame) -> bool:
    return True


def _global(statement: ast.Global, frame: Frame) -> None:
    frame.scope.outer |= dict.fromkeys(statement.names, frame.scope.top)


def _nonlocal(statement: ast.Nonlocal, frame: Frame) -> None:
    for name in statement.names:
        scope = frame.scope.parent
        while scope is not None and name not in scope.names:
            scope = scope.parent
        if scope is not None:
            frame.scope.outer[name] = scope


_HANDLERS: dict[type[ast.stmt], Callable[..., bool | None]] = {
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Expr: _expression,
    ast.Return: _return,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: _try,
    ast.Match: _match,
    ast.Raise: _raise,
    ast.Global: _global,
    ast.Nonlocal: _nonlocal,
    ast.Import: imports.import_modules,
    ast.ImportFrom: imports.import_names,
}
if hasattr(ast, "TryStar"):  # Python 3.11
    _HANDLERS[ast.TryStar] = _try
