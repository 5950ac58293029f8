"""Compares defaults of a schema with defaults in a Python signature."""

from __future__ import annotations

import ast

from opgen.schema.nodes import ConstantDefault, Default, ListDefault, NameDefault, NumberDefault, StringDefault


def shown(default: Default) -> str:
    """Return a default as a Python expression."""
    match default:
        case NumberDefault(text=text):
            return text
        case StringDefault(value=value):
            return repr(value)
        case NameDefault(name=name):
            return name
        case ConstantDefault(value=value):
            return str(value)
        case ListDefault(items=items):
            return f"[{', '.join(map(shown, items))}]"


def differs(default: Default, written: str) -> bool:
    """Whether the text of a default in Python has another value; not if it can't be evaluated, as a named constant."""
    return _compared(default, written) is False


def literal(default: Default) -> str | None:
    """Return a default as a Python literal; ``None`` if it isn't one, as the name of a dtype."""
    written = shown(default)
    return written if _compared(default, written) else None


def _compared(default: Default, written: str) -> bool | None:
    try:
        value = ast.literal_eval(written)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return _equal(default, value)


def _equal(default: Default, value: object) -> bool:
    match default:
        case ListDefault(items=items):
            return isinstance(value, list | tuple) and len(value) == len(items) and all(map(_equal, items, value))
        case NumberDefault(value=number) | NameDefault(value=number):
            return (isinstance(value, list | tuple) and all(one == number for one in value)) or number == value
        case StringDefault(value=text):
            return text == value
        case ConstantDefault(value=constant):
            return constant == value and (constant is None) == (value is None)
