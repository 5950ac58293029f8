"""Finds out whether the tensors that a function allocates and returns have the dtype of an input."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from opgen.readers.cpp.returns import returned
from opgen.readers.python.bodies import body_of
from opgen.readers.registrations import Function

_FACTORY = re.compile(r"(?:empty|zeros|ones|full|rand|randn)(?:_like|_strided|_symint)?")
_CPP_FACTORY = re.compile(rf"(?:at::|torch::)?{_FACTORY.pattern}\s*\(")
_CPP_INPUT = re.compile(r"\b(\w+)\.options\(\)|_like\s*\(\s*(\w+)\s*[,)]")
_CPP_DTYPE = re.compile(
    r"dtype|ScalarType|\.to\(|\.toType|\bk(?:Byte|Char|Short|Int|Long|Half|Float|Double|Bool|BFloat16|U?Int\d+|Float8\w*|Complex\w+)\b"
)


def follows_input(function: Function, index: int) -> bool:
    """Whether result ``index`` of a function is always a tensor that it allocates with the dtype of an input."""
    inputs = {parameter.name for parameter in function.parameters or ()}
    if isinstance(function.node, ast.AST):
        values = [one.values[index] for one in body_of(function).returns if index < len(one.values)]
        return bool(values) and all(_python_follows(allocation(function, value), inputs) for value in values)
    texts = list(_cpp_allocations(function, index))
    return bool(texts) and all(_cpp_follows(text, inputs) for text in texts)


def allocation(function: Function, value: ast.expr) -> ast.Call | None:
    """Return the call that allocates a returned tensor, in place or assigned to a variable once; else ``None``."""
    if isinstance(value, ast.Name) and isinstance(function.node, ast.AST):
        bound = [
            one.value
            for one in ast.walk(function.node)
            if isinstance(one, ast.Assign) and any(isinstance(t, ast.Name) and t.id == value.id for t in one.targets)
        ]
        return allocation(function, bound[0]) if len(bound) == 1 and not isinstance(bound[0], ast.Name) else None
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        return value if _FACTORY.fullmatch(value.func.attr.removeprefix("new_")) else None
    return None


def _python_follows(call: ast.Call | None, inputs: set[str]) -> bool:
    if call is None or any(one.arg == "dtype" for one in call.keywords):
        return False
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method.startswith("new_"):
            return name in inputs
        case ast.Call(func=ast.Attribute(attr=method), args=[ast.Name(id=name), *_]) if method.endswith("_like"):
            return name in inputs
    return False


def _cpp_follows(text: str, inputs: set[str]) -> bool:
    found = _CPP_INPUT.search(text)
    is_plain = _CPP_FACTORY.match(text) is not None and _CPP_DTYPE.search(text) is None
    return is_plain and found is not None and (found[1] or found[2]) in inputs


def _cpp_allocations(function: Function, index: int) -> Iterator[str]:
    """Yield the text of each returned value: of a variable declared once, its initializer, else an empty text."""
    for one in returned(function):
        if index >= len(one.values):
            yield ""
            continue
        name = one.names[index]
        if not name:
            yield one.parsed.value(one.values[index])
            continue
        body = function.body.value if function.body is not None else ""
        made = re.findall(rf"\b{re.escape(name)}\s*=\s*([^;=][^;]*);", body)
        yield made[0] if len(made) == 1 else ""
