"""Evaluates expressions as far as the text alone determines their values."""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable

from opgen.readers.python import attributes, calls, imports, strings
from opgen.readers.python.merge import merged
from opgen.readers.python.scope import Frame, opaque, unknown
from opgen.readers.python.types import generic, is_type, union
from opgen.readers.python.values import (
    LARGEST,
    NONE,
    Constant,
    Dictionary,
    FunctionValue,
    Imported,
    Items,
    LibraryValue,
    String,
    Symbol,
    Unknown,
    Value,
    size,
)

_MOST_BITS = 64
"""The most bits of a computed integer, which suffices for the integers in schemas."""

_ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_OF_FEW_BITS: dict[type[ast.operator], Callable[[int, int], int]] = {ast.Pow: operator.pow, ast.LShift: operator.lshift}
"""What makes large numbers of small ones, unless the right one is small."""


def evaluate(node: ast.expr, frame: Frame) -> Value:
    """Return the value of an expression, and record what its calls register."""
    handler = _HANDLERS.get(type(node), _other)
    value = handler(node, frame)
    taken = len(value.text.value) if isinstance(value, String) else size(value)
    frame.runner.budget -= taken
    is_written = isinstance(node, ast.Constant)
    return value if is_written or taken <= LARGEST else unknown("it is too large to be looked at", value)


def _other(node: ast.expr, frame: Frame) -> Value:
    parts = [evaluate(child, frame) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    return opaque(node, frame, *parts)


def truth(value: Value) -> bool | None:
    """Return whether a value counts as true, ``None`` if that isn't known."""
    match value:
        case Constant(constant):
            return bool(constant)
        case String(text):
            return bool(text.value)
        case Items(items) | Dictionary(items):
            return bool(items)
        case FunctionValue() | LibraryValue():
            return True
        case _:
            return None


def _constant(node: ast.Constant, frame: Frame) -> Value:
    if isinstance(node.value, str):
        return String(frame.module.places.string(node))
    if isinstance(node.value, int) and node.value.bit_length() > _MOST_BITS:
        return opaque(node, frame)
    if node.value is None or isinstance(node.value, bool | int | float):
        return Constant(node.value)
    if node.value is ...:
        return Symbol("builtins.Ellipsis", frame.module.places.location(node))
    return opaque(node, frame)


def _name(node: ast.Name, frame: Frame) -> Value:
    found = frame.scope.lookup(node.id)
    if isinstance(found, Imported):
        found = imports.resolved(found, frame.module.places.location(node), frame)
    if isinstance(found, Symbol):
        return Symbol(found.path, frame.module.places.location(node))
    if found is not None:
        return found
    if hasattr(builtins, node.id):
        return Symbol(f"builtins.{node.id}", frame.module.places.location(node))
    return Unknown(f"`{node.id}` is not defined among what was read", written=node.id)


def _attribute(node: ast.Attribute, frame: Frame) -> Value:
    return attributes.attribute_of(evaluate(node.value, frame), node, frame)


def _items(node: ast.Tuple | ast.List | ast.Set, frame: Frame) -> Value:
    items: list[Value] = []
    for element in node.elts:
        value = evaluate(element.value if isinstance(element, ast.Starred) else element, frame)
        if not isinstance(element, ast.Starred):
            items.append(value)
        elif isinstance(value, Items):
            items += value.items
        else:
            return opaque(node, frame, value)
    return Items(tuple(items))


def _dictionary(node: ast.Dict, frame: Frame) -> Value:
    keys = [evaluate(key, frame) if key else NONE for key in node.keys]
    values = [evaluate(value, frame) for value in node.values]
    names = tuple(key for key in keys if isinstance(key, String))
    return Dictionary(names, tuple(values)) if len(names) == len(keys) else opaque(node, frame, *keys, *values)


def _binary(node: ast.BinOp, frame: Frame) -> Value:
    left, right = evaluate(node.left, frame), evaluate(node.right, frame)
    if isinstance(node.op, ast.BitOr) and is_type(left) and is_type(right):
        return union((left, right))
    if isinstance(node.op, ast.Add):
        if isinstance(left, String) and isinstance(right, String):
            return strings.concatenate([(left, node.left), (right, node.right)], node, frame)
        if isinstance(left, Items) and isinstance(right, Items):
            return Items((*left.items, *right.items))
    match left, right:
        case Constant(int() | float() as one), Constant(int() | float() as other):
            number = _computed(node.op, one, other)
            if number is not None:
                return Constant(number)
    return opaque(node, frame, left, right)


def _computed(op: ast.operator, one: float, other: float) -> float | None:
    """Compute with two numbers; ``None`` for an invalid operation, or a result of more than ``_MOST_BITS`` bits."""
    compute = _ARITHMETIC.get(type(op))
    of_few_bits = _OF_FEW_BITS.get(type(op))
    try:
        if compute is not None:
            number = compute(one, other)
        elif of_few_bits is not None and isinstance(one, int) and isinstance(other, int) and 0 <= other <= _MOST_BITS:
            number = of_few_bits(one, other)
        else:
            return None
    except (ArithmeticError, ValueError):
        return None
    return None if isinstance(number, int) and number.bit_length() > _MOST_BITS else number


def _unary(node: ast.UnaryOp, frame: Frame) -> Value:
    value = evaluate(node.operand, frame)
    if isinstance(node.op, ast.Not):
        known = truth(value)
        return opaque(node, frame, value) if known is None else Constant(not known)
    match node.op, value:
        case ast.USub(), Constant(int() | float() as number):
            return Constant(-number)
        case ast.UAdd(), Constant(int() | float() as number):
            return Constant(+number)
    return opaque(node, frame, value)


def _boolean(node: ast.BoolOp, frame: Frame) -> Value:
    """Return the first operand that decides; operands whose truth isn't known are merged."""
    stops_at = isinstance(node.op, ast.Or)
    result: Value | None = None
    for operand in node.values:
        value = evaluate(operand, frame)
        known = truth(value)
        is_last = operand is node.values[-1]
        if known is not stops_at and known is not None and not is_last:
            continue
        result = value if result is None else merged(result, value)
        if known is stops_at:
            break
    return result if result is not None else opaque(node, frame)


def _compare(node: ast.Compare, frame: Frame) -> Value:
    left = evaluate(node.left, frame)
    rights = [evaluate(right, frame) for right in node.comparators]
    if len(rights) == 1:
        equal = _equal(left, rights[0])
        if equal is not None and isinstance(node.ops[0], ast.Eq | ast.Is):
            return Constant(equal)
        if equal is not None and isinstance(node.ops[0], ast.NotEq | ast.IsNot):
            return Constant(not equal)
        contained = _contains(rights[0], left)
        if contained is not None and isinstance(node.ops[0], ast.In | ast.NotIn):
            return Constant(contained is isinstance(node.ops[0], ast.In))
    return opaque(node, frame, left, *rights)


def _contains(container: Value, item: Value) -> bool | None:
    items = (
        container.items
        if isinstance(container, Items)
        else container.keys
        if isinstance(container, Dictionary)
        else None
    )
    if items is None:
        return None
    answers = [_equal(item, one) for one in items]
    return True if True in answers else None if None in answers else False


def _equal(left: Value, right: Value) -> bool | None:
    match left, right:
        case Constant(one), Constant(other):
            return one == other
        case String(one), String(other):
            return one.value == other.value
    kinds = (String, Items, Dictionary, FunctionValue, LibraryValue)
    if (left == NONE and isinstance(right, kinds)) or (right == NONE and isinstance(left, kinds)):
        return False
    return None


def _conditional(node: ast.IfExp, frame: Frame) -> Value:
    known = truth(evaluate(node.test, frame))
    if known is not None:
        return evaluate(node.body if known else node.orelse, frame)
    return merged(evaluate(node.body, frame), evaluate(node.orelse, frame))


def _subscript(node: ast.Subscript, frame: Frame) -> Value:
    owner = evaluate(node.value, frame)
    if isinstance(owner, String):
        return strings.piece(owner, node.slice, frame) or opaque(node, frame)
    index = evaluate(node.slice, frame)
    match owner, index:
        case Items(items), Constant(int() as number) if -len(items) <= number < len(items):
            return items[number]
        case Dictionary(), String(text):
            return owner.by_name.get(text.value) or opaque(node, frame)
    return generic(owner, index) or opaque(node, frame, owner, index)


def _lambda(node: ast.Lambda, frame: Frame) -> Value:
    home = frame.stack[0].home if frame.stack else ""
    return FunctionValue(node, frame.module, frame.scope, frame.module.places.signature(node), home)


def _walrus(node: ast.NamedExpr, frame: Frame) -> Value:
    value = evaluate(node.value, frame)
    frame.scope.bind(node.target.id, value)
    return value


def _comprehension(node: ast.ListComp | ast.SetComp | ast.GeneratorExp, frame: Frame) -> Value:
    """Evaluate ``[lib.impl(n, f) for n, f in PAIRS]``; a simple comprehension over known items has known items."""
    first = node.generators[0]
    items = evaluate(first.iter, frame)
    if len(node.generators) == 1 and not first.ifs and isinstance(items, Items) and isinstance(first.target, ast.Name):
        values = []
        for item in items.items:
            if frame.runner.budget < 0:
                return unknown("its loop has too many rounds to be followed", items)
            frame.scope.bind(first.target.id, item)
            values.append(evaluate(node.elt, frame))
        return Items(tuple(values))
    for target in [name for generator in node.generators for name in ast.walk(generator.target)]:
        if isinstance(target, ast.Name):
            frame.scope.bind(target.id, unknown(f"`{target.id}` comes from a loop", items, written=target.id))
    return opaque(node, frame, items, evaluate(node.elt, frame))


_HANDLERS: dict[type[ast.expr], Callable[..., Value]] = {
    ast.Constant: _constant,
    ast.JoinedStr: strings.formatted,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Tuple: _items,
    ast.List: _items,
    ast.Set: _items,
    ast.Dict: _dictionary,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _compare,
    ast.IfExp: _conditional,
    ast.Subscript: _subscript,
    ast.Lambda: _lambda,
    ast.NamedExpr: _walrus,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.Call: calls.call,
}
