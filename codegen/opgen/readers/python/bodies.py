"""Finds out which of its parameters the body of a function writes or returns.

Only what the text shows counts: a tensor that is passed to a function other than torch's own counts as not written.
Statements are followed in order, both branches of an ``if``; a name that is assigned again no longer means the
parameter.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import Literal, TypeAlias

from opgen.readers.python.places import FunctionNode, Places
from opgen.readers.registrations import Function
from opgen.records import dataclass
from opgen.source import Location

Names: TypeAlias = frozenset[str]
_NOTHING: Names = frozenset()

_VIEW_ATTRIBUTES = frozenset({"data", "T", "mT", "H", "mH", "real", "imag"})
_VIEWS = frozenset(
    {
        "alias", "as_strided", "chunk", "detach", "diagonal", "expand", "expand_as", "hsplit", "movedim", "narrow", "permute",
        "select", "slice", "split", "squeeze", "swapaxes", "t", "tensor_split", "transpose", "unbind", "unflatten", "unfold",
        "unsqueeze", "view", "view_as",
    }
)  # fmt: skip
"""Tensor methods whose result always shares memory with the tensor."""
_NO_WRITES = frozenset({"requires_grad_", "share_memory_", "rename_", "detach_"})


@dataclass(frozen=True)
class Write:
    """A statement that writes a parameter."""

    parameter: str
    location: Location


@dataclass(frozen=True)
class Returned:
    """A ``return`` statement.

    Attributes:
        location: its location.
        values: the returned expressions: one, or the elements of a tuple or list.
        shared: for each value the parameters whose memory it may share.
        sequence: the kind of sequence that is returned; empty for a single value.
    """

    location: Location
    values: tuple[ast.expr, ...]
    shared: tuple[Names, ...]
    sequence: Literal["", "tuple", "list"] = ""


@dataclass
class Body:
    """The writes and returns of a body."""

    writes: list[Write] = field(default_factory=list)
    returns: list[Returned] = field(default_factory=list)


def body_of(function: Function | None) -> Body:
    """Return the writes and returns of a Python function; none if its definition was not read."""
    node = function.node if function is not None else None
    if function is None or not isinstance(node, FunctionNode):
        return Body()
    follower = _Follower(Places(function.location.source), Body())
    arguments = node.args
    bound = {one.arg: frozenset({one.arg}) for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    if isinstance(node, ast.Lambda):
        follower.look(node.body, bound)
        follower.note_return(node.body, node.body, bound)
    else:
        follower.follow(node.body, bound)
    return follower.body


_Bound: TypeAlias = dict[str, Names]


@dataclass
class _Follower:
    places: Places
    body: Body

    def follow(self, statements: Sequence[ast.stmt], bound: _Bound) -> _Bound | None:
        """Follow statements; return the meaning of names after them, ``None`` if they always leave the function."""
        now: _Bound | None = bound
        for statement in statements:
            if now is None:
                return None
            now = self._one(statement, now)
        return now

    def _one(self, statement: ast.stmt, bound: _Bound) -> _Bound | None:  # noqa: C901, PLR0911 - one case a statement
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                return {**bound, name: _NOTHING}
            case ast.If(test=test, body=body, orelse=orelse):
                self.look(test, bound)
                return _merged(
                    [
                        self.follow(body, _where(test, bound, holds=True)),
                        self.follow(orelse, _where(test, bound, holds=False)),
                    ]
                )
            case ast.For(target=target, iter=iterable, body=body, orelse=orelse):
                self.look(iterable, bound)
                _bind_items(target, iterable, bound)
                return self._loop(body, orelse, bound)
            case ast.While(test=test, body=body, orelse=orelse):
                self.look(test, bound)
                return self._loop(body, orelse, bound)
            case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=finalbody):
                done = self.follow([*body, *orelse], dict(bound))
                caught = [self.follow(handler.body, dict(bound)) for handler in handlers]
                behind = _merged([done, *caught])
                return self.follow(finalbody, bound if behind is None else behind) and behind
            case ast.With(items=items, body=body):
                for item in items:
                    self.look(item.context_expr, bound)
                return self.follow(body, bound)
            case ast.Match(subject=subject, cases=cases):
                self.look(subject, bound)
                return _merged([dict(bound), *(self.follow(case.body, dict(bound)) for case in cases)])
            case ast.Return(value=value):
                if value is not None:
                    self.look(value, bound)
                    self.note_return(statement, value, bound)
                return None
            case ast.Raise() | ast.Continue() | ast.Break():
                return None
        self._simple(statement, bound)
        return bound

    def _loop(self, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt], bound: _Bound) -> _Bound | None:
        around = _merged([bound, self.follow(body, dict(bound))]) or bound
        return self.follow(orelse, around)

    def _simple(self, statement: ast.stmt, bound: _Bound) -> None:
        self.look(statement, bound)
        match statement:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._assign(target, value, bound, statement)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign(target, value, bound, statement)
            case ast.AugAssign(target=ast.Subscript(value=target) | target):
                self._write(shared(target, bound), statement)

    def _assign(self, target: ast.expr, value: ast.expr, bound: _Bound, statement: ast.stmt) -> None:
        match target, value:
            case ast.Name(id=name), _:
                bound[name] = shared(value, bound)
            case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
                meant = [shared(one, bound) for one in values]
                for one, names in zip(targets, meant, strict=True):
                    if isinstance(one, ast.Name):
                        bound[one.id] = names
            case ast.Tuple(elts=targets), _:
                for one in targets:
                    if isinstance(one, ast.Name):
                        bound[one.id] = shared(value, bound)
            case ast.Subscript(value=base), _:
                self._write(shared(base, bound), statement)

    def look(self, node: ast.AST, bound: _Bound) -> None:
        """Collect the writes by calls in an expression or a simple statement."""
        for call in _outside_of_functions(node):
            if isinstance(call, ast.Call):
                self._write(_written(call, bound), call)

    def _write(self, names: Iterable[str], node: ast.expr | ast.stmt) -> None:
        self.body.writes += [Write(name, self.places.location(node)) for name in sorted(names)]

    def note_return(self, statement: ast.stmt | ast.expr, value: ast.expr, bound: _Bound) -> None:
        """Collect a ``return``."""
        sequence: Literal["", "tuple", "list"] = (
            "tuple" if isinstance(value, ast.Tuple) else "list" if isinstance(value, ast.List) else ""
        )
        values = tuple(value.elts) if isinstance(value, ast.Tuple | ast.List) else (value,)
        found = tuple(shared(one, bound) for one in values)
        self.body.returns.append(Returned(self.places.location(statement), values, found, sequence))


def shared(node: ast.expr, bound: _Bound) -> Names:  # noqa: C901, PLR0911 - one case an expression
    """Return the parameters whose memory the value of an expression may share."""
    match node:
        case ast.Name(id=name):
            return bound.get(name, _NOTHING)
        case ast.Attribute(value=value, attr=attribute) if attribute in _VIEW_ATTRIBUTES:
            return shared(value, bound)
        case ast.Subscript(value=value, slice=index) if _is_basic(index):
            return shared(value, bound)
        case ast.Call(func=ast.Name(id="list" | "tuple"), args=[value]):
            return shared(value, bound)
        case ast.ListComp(elt=value, generators=loops) | ast.GeneratorExp(elt=value, generators=loops):
            inner = dict(bound)
            for loop in loops:
                _bind_items(loop.target, loop.iter, inner)
            return shared(value, inner)
        case ast.Call(func=ast.Attribute(value=value, attr=name)):
            if name in _VIEWS:
                return shared(_operand(node, value), bound)
            return _written(node, bound)  # a call that writes a tensor returns it
        case ast.IfExp(test=test, body=one, orelse=other):
            return shared(one, _where(test, bound, holds=True)) | shared(other, _where(test, bound, holds=False))
        case ast.BoolOp(values=values):
            return _NOTHING.union(*(shared(value, bound) for value in values))
        case ast.NamedExpr(value=value):
            return shared(value, bound)
    return _NOTHING


def _where(test: ast.expr, bound: _Bound, *, holds: bool) -> _Bound:
    """Return the meaning of names in a branch: if `y is x` doesn't hold, `y` is not taken for `x`."""
    match test:
        case ast.Compare(left=ast.Name(id=one), ops=[ast.Is() | ast.IsNot() as how], comparators=[ast.Name(id=other)]):
            if holds != isinstance(how, ast.Is):
                excluded = bound.get(one, _NOTHING) & bound.get(other, _NOTHING)
                return {
                    name: names if name in {one, other} & excluded else names - excluded
                    for name, names in bound.items()
                }
    return dict(bound)


def _written(call: ast.Call, bound: _Bound) -> Names:
    """Return the parameters that a call writes: ``x.add_(1)``, ``torch.add(x, y, out=z)``."""
    match call.func:
        case ast.Attribute(value=value, attr=name):
            names = _NOTHING
            if name.endswith("_") and not name.endswith("__") and not name.startswith("_") and name not in _NO_WRITES:
                names = shared(_operand(call, value), bound)
            if _is_torch(value):
                outs = (word.value for word in call.keywords if word.arg == "out")
                names = names.union(*(shared(out, bound) for out in outs))
            return names
    return _NOTHING


def _operand(call: ast.Call, value: ast.expr) -> ast.expr:
    """Return the object of a method call, or the first argument of a function of torch."""
    return call.args[0] if _is_torch(value) and call.args else value


def _is_torch(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in {"torch", "F"}


def _is_basic(index: ast.expr) -> bool:
    """Whether an index makes a view; indexing by a tensor or list copies, so a variable counts as no view."""
    match index:
        case ast.Slice() | ast.Constant():
            return True
        case ast.UnaryOp(operand=ast.Constant()):
            return True
        case ast.Tuple(elts=elements):
            return all(map(_is_basic, elements))
    return False


def _bind_items(target: ast.expr, iterable: ast.expr, bound: _Bound) -> None:
    match target, iterable:
        case ast.Name(id=name), _:
            bound[name] = shared(iterable, bound)
        case ast.Tuple(elts=targets), ast.Call(func=ast.Name(id="zip"), args=sources):
            for one, source in zip(targets, sources, strict=False):
                _bind_items(one, source, bound)
        case ast.Tuple(elts=[_, one]), ast.Call(func=ast.Name(id="enumerate"), args=[source, *_]):
            _bind_items(one, source, bound)


def _merged(ways: Iterable[_Bound | None]) -> _Bound | None:
    reached = [way for way in ways if way is not None]
    if not reached:
        return None
    names = {name for way in reached for name in way}
    return {name: _NOTHING.union(*(way.get(name, _NOTHING) for way in reached)) for name in names}


def _outside_of_functions(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            yield from _outside_of_functions(child)
