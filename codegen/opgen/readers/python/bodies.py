"""Finds out which of its parameters the body of a function writes or returns.

Only what the text shows counts: a tensor that is passed to a function other than torch's own counts as not written.
Statements are followed in order, both branches of an ``if``; a name that is assigned again no longer means the
parameter.
"""

from __future__ import annotations

import ast
from collections import ChainMap
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
    names = (one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))
    bound = ChainMap({name: frozenset({name}) for name in names})
    if isinstance(node, ast.Lambda):
        follower.look(node.body, bound)
        follower.note_return(node.body, node.body, bound)
    else:
        follower.follow(node.body, bound)
    return follower.body


_Bound: TypeAlias = ChainMap[str, Names]
"""What names mean. A branch has a layer of its own in front, so that what it binds is known, and nothing is copied for it."""


@dataclass
class _Follower:
    places: Places
    body: Body

    def follow(self, statements: Sequence[ast.stmt], bound: _Bound) -> bool:
        """Follow statements; ``bound`` then has what names mean behind them. Say whether anything comes behind."""
        return all(self._one(statement, bound) for statement in statements)

    def _one(self, statement: ast.stmt, bound: _Bound) -> bool:  # noqa: C901, PLR0911 - one case a statement
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                bound[name] = _NOTHING
                return True
            case ast.If(test=test, body=body, orelse=orelse):
                self.look(test, bound)
                ways = [(body, _where(test, bound, holds=True)), (orelse, _where(test, bound, holds=False))]
                return self._branch(ways, bound)
            case ast.For(target=target, iter=iterable, body=body, orelse=orelse):
                self.look(iterable, bound)
                _bind_items(target, iterable, bound)
                return self._loop(body, orelse, bound)
            case ast.While(test=test, body=body, orelse=orelse):
                self.look(test, bound)
                return self._loop(body, orelse, bound)
            case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=finalbody):
                bodies = [[*body, *orelse], *(handler.body for handler in handlers)]
                goes_on = self._branch([(one, bound.new_child()) for one in bodies], bound)
                return self.follow(finalbody, bound) and goes_on
            case ast.With(items=items, body=body):
                for item in items:
                    self.look(item.context_expr, bound)
                return self.follow(body, bound)
            case ast.Match(subject=subject, cases=cases):
                self.look(subject, bound)
                return self._branch([(body, bound.new_child()) for body in ([], *(case.body for case in cases))], bound)
            case ast.Return(value=value):
                if value is not None:
                    self.look(value, bound)
                    self.note_return(statement, value, bound)
                return False
            case ast.Raise() | ast.Continue() | ast.Break():
                return False
        self._simple(statement, bound)
        return True

    def _branch(self, ways: Iterable[tuple[Sequence[ast.stmt], _Bound]], bound: _Bound) -> bool:
        """Follow alternatives, each with its layer; what a name may mean behind any of them it means behind all."""
        reached = [inner.maps[0] for body, inner in ways if self.follow(body, inner)]
        meant: dict[str, list[Names]] = {}
        for layer in reached:
            for name, names in layer.items():
                meant.setdefault(name, []).append(names)
        for name, every in meant.items():
            bound[name] = (_NOTHING if len(every) == len(reached) else bound.get(name, _NOTHING)).union(*every)
        return bool(reached)

    def _loop(self, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt], bound: _Bound) -> bool:
        self._branch([([], bound.new_child()), (body, bound.new_child())], bound)
        return self.follow(orelse, bound)

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
            inner = bound.new_child()
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
                kept = {one, other} & excluded
                views = (
                    {name: names - excluded for name, names in bound.items() if name not in kept} if excluded else {}
                )
                return bound.new_child(views)
    return bound.new_child()


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


def _outside_of_functions(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            yield from _outside_of_functions(child)
